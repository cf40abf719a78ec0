//! The grammars of the LR paper load with its figures, and are the same after writing.

use gramercy_formats::yacc;
use gramercy_testkit::{files_in, shared};

use crate::{core, grammar, grammar_at, read, rendered};

#[test]
fn sizes_are_those_of_the_paper() {
    let Some(folder) = shared("pytomata") else {
        return;
    };
    let check = |file: &str, nonterminals, terminals, productions| {
        let grammar = grammar_at(&folder.join(file)).expect("it loads");
        let bnf = core(&grammar);
        let found = (bnf.nonterminal_count(), bnf.terminal_count(), bnf.production_count());
        assert_eq!(found, (nonterminals, terminals, productions), "{file}");
    };
    check("ampl20.y", 42, 47, 86);
    check("go.y", 155, 78, 317);
    check("sqlite.y", 203, 162, 591);
}

#[test]
fn all_files_load_and_round_trip() {
    let Some(folder) = shared("pytomata") else {
        return;
    };
    for path in files_in(&folder, &["y"]) {
        let Some(before) = grammar_at(&path) else {
            // The one file that is half of another notation.
            assert!(path.ends_with("simpl.y"), "{}", path.display());
            continue;
        };
        let core_before = core(&before);
        let written = yacc::write(&before, &core_before);
        let after = grammar(&written);
        assert_eq!(core_before.cfg(), core(&after).cfg(), "{}", path.display());
    }
}

#[test]
fn a_file_that_is_half_prolog_is_told_so() {
    let text = "%%\nmulop: 'and'.\nmulop: zz/'.\n'(index)?': epsilon.\nfactor: id, 'x'.\n%%\n";
    let found = rendered(&read(text));
    assert!(found.iter().all(|line| !line.starts_with("undefined")), "{found:?}");
    assert!(found.len() >= 3, "{found:?}");
}

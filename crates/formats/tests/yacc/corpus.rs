//! The grammars of Rossouw and Fischer, JSS 2024, have the published sizes, and are the same after
//! writing.

use gramercy_testkit::{files_in, shared};

use crate::{core, grammar_at, read, rendered, round_trip};

#[test]
fn sizes_are_the_published_ones() {
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
            // The one file with two notations in it.
            assert!(path.ends_with("simpl.y"), "{}", path.display());
            continue;
        };
        // For a yacc grammar even the ids are the same.
        let (_, after) = round_trip(&before);
        assert_eq!(core(&before).cfg(), core(&after).cfg(), "{}", path.display());
    }
}

#[test]
fn grammars_of_other_notations_round_trip() {
    let folders = ["tribble", "antlr"].into_iter().filter_map(shared);
    let files = folders.flat_map(|folder| files_in(&folder, &["tribble", "g4"]));
    files.filter_map(|path| grammar_at(&path)).for_each(|grammar| {
        round_trip(&grammar);
    });
}

/// The file continues after its rules with clauses in the style of Prolog: a rule ends with a
/// period, a bracket is not a group in yacc, and a quoted text cannot have a rule. Each is
/// reported.
#[test]
fn simpl_is_rejected_for_the_prolog_at_its_end() {
    let Some(folder) = shared("pytomata") else {
        return;
    };
    let text = std::fs::read_to_string(folder.join("simpl.y")).expect("a readable file");
    let found = rendered(&read(&text));
    let places: Vec<_> = found.iter().filter_map(|line| line.split_once(':')?.0.into()).collect();
    assert_eq!(
        places,
        [
            "syntax 166",
            "unterminated 166",
            "syntax 167",
            "syntax 168",
            "syntax 169",
            "syntax 170",
            "syntax 171",
            "stray-comma 172"
        ],
        "{found:#?}"
    );
}

#[test]
fn a_file_that_is_half_prolog_gets_a_clear_message() {
    let text = "%%\nmulop: 'and'.\nmulop: zz/'.\n'(index)?': epsilon.\nfactor: id, 'x'.\n%%\n";
    let found = rendered(&read(text));
    assert!(found.iter().all(|line| !line.starts_with("undefined")), "{found:?}");
    assert!(found.len() >= 3, "{found:?}");
}

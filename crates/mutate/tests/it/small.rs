//! Small grammars whose mutants are known by heart, and counterexamples to conditions in publications.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use gramercy_base::Id;
use gramercy_derive::{CheapestTrees, Contexts, Resolution};
use gramercy_grammar::TerminalId;
use gramercy_language::Language;
use gramercy_lr::Construction;
use gramercy_mutate::check::exact::Exact;
use gramercy_mutate::check::pairs::Pairs;
use gramercy_mutate::check::prefix::{Prefix, follow_sets};
use gramercy_mutate::operators::rule::Rules;
use gramercy_mutate::operators::stack::Stacks;
use gramercy_mutate::operators::word::Words;
use gramercy_mutate::{Check, CheckName, Kind, Reader, Vocabulary};

use crate::support::{pop_edge_trees, yacc};

/// The tokens of names that are separated by blanks.
fn tokens(language: &Language, text: &str) -> Vec<TerminalId> {
    let name = |id: TerminalId| language.grammar().terminals()[id].name.trim_matches('\'');
    let token = |word: &str| language.bnf().terminals().find(|&id| name(id) == word);
    text.split_whitespace().map(|word| token(word).expect(word)).collect()
}

fn text(language: &Language, tokens: &[TerminalId]) -> String {
    let name = |id: &TerminalId| language.grammar().terminals()[*id].name.trim_matches('\'');
    tokens.iter().map(name).collect::<Vec<_>>().join(" ")
}

/// Runs something with a check.
fn with_check<T>(language: &Language, name: CheckName, run: impl FnOnce(&mut dyn Check) -> T) -> T {
    let parser = language.parser().expect("within the limits").parser();
    let mut workspace = parser.workspace();
    let reader = Reader::new(parser, &mut workspace).expect("there are sentences");
    let vocabulary = Vocabulary::new(language);
    match name {
        CheckName::Pairs => run(&mut Pairs::new(language)),
        CheckName::Prefix => run(&mut Prefix::new(vocabulary, Pairs::new(language), reader)),
        CheckName::Exact => run(&mut Exact::new(vocabulary, reader)),
    }
}

/// The mutants of a sentence by a check, of one kind.
fn mutants(language: &Language, name: CheckName, base: &str, kind: Kind) -> Vec<String> {
    let base = tokens(language, base);
    let mut found = Vec::new();
    with_check(language, name, |check| {
        check.begin(&base);
        let mut words = Words::new(language.bnf().terminal_count());
        let _ = words.visit(&base, check, &mut |edit| {
            if edit.operator.kind == kind {
                found.push(text(language, &edit.apply(&base)));
            }
            ControlFlow::Continue(())
        });
    });
    found.sort();
    found
}

#[test]
fn the_brackets_of_figure_1() {
    let language = yacc("D: '[' D ']' D | ;");
    let check = |name, kind, expected: &[&str]| {
        assert_eq!(mutants(&language, name, "[ ]", kind), expected, "{name:?} {kind:?}");
    };
    for name in [CheckName::Pairs, CheckName::Prefix] {
        check(name, Kind::Insert, &["[ ] [", "] [ ]"]);
        check(name, Kind::Substitute, &["[ [", "] ]"]);
        check(name, Kind::Delete, &["[", "]"]);
    }
    check(CheckName::Exact, Kind::Insert, &["[ [ ]", "[ ] [", "[ ] ]", "] [ ]"]);
    check(CheckName::Exact, Kind::Substitute, &["[ [", "] ]"]);
    check(CheckName::Exact, Kind::Delete, &["[", "]"]);
}

#[test]
fn follow_sets_of_figure_1() {
    let language = yacc("D: '[' D ']' D | ;");
    let parser = language.parser().expect("small").parser();
    let mut sets: Vec<String> = follow_sets(parser)
        .iter()
        .map(|(_, (set, end))| {
            let names: Vec<TerminalId> = set.iter().collect();
            format!("{}{}", text(&language, &names), if *end { " $" } else { "" })
        })
        .collect();
    sets.sort();
    // The accepting state has none; then those of q1, the first, q4, q2, q5 and q3.
    assert_eq!(sets, ["", " $", "[ $", "[ ]", "[ ] $", "]", "] $"]);
}

#[test]
fn paths_tell_more_than_pairs() {
    let language = yacc("S: 'a' 'b' 'c' | 'd' 'a' 'c';");
    let has =
        |name| mutants(&language, name, "d a c", Kind::Insert).contains(&"d a b c".to_owned());
    assert!(!has(CheckName::Pairs));
    assert!(has(CheckName::Prefix));
    assert!(has(CheckName::Exact));
}

#[test]
fn the_module_of_the_talk() {
    let path = gramercy_testkit::examples().join("module.gram");
    let language = Language::read(path).expect("an example");
    let name = |word: &str| {
        let is = |id: &TerminalId| {
            let name = language.grammar().terminals()[*id].name.trim_matches(['\'', '"']);
            name == word
        };
        language.bnf().terminals().find(is)
    };
    let words = "module [ NUM ] ID = begin ID = ID ; end .";
    let base: Option<Vec<TerminalId>> = words.split(' ').map(name).collect();
    let Some(base) = base else { panic!("other tokens than {words}") };
    let place = 8;
    let added = ["then", "else", "do", "+"].map(|word| name(word).expect("a token"));
    let set = |check: CheckName, kind: Kind| {
        let mut set = gramercy_base::IdSet::new(language.bnf().terminal_count());
        with_check(&language, check, |check| {
            check.begin(&base);
            match kind {
                Kind::Substitute => check.substitutions(place, &mut set),
                _ => check.insertions(place, &mut set),
            }
        });
        set
    };
    for token in added {
        assert!(!set(CheckName::Pairs, Kind::Substitute).contains(token), "{}", token.index());
        assert!(set(CheckName::Exact, Kind::Substitute).contains(token), "{}", token.index());
        assert!(set(CheckName::Pairs, Kind::Insert).contains(token), "{}", token.index());
    }
}

/// All mutants of rules and stacks of a grammar by a check.
fn rule_and_stack_mutants(language: &Language, name: CheckName) -> BTreeSet<Vec<TerminalId>> {
    let cheapest = CheapestTrees::new(language, Resolution::default());
    let contexts = Contexts::new(language, &cheapest);
    let rules = Rules::new(language, &contexts);
    let stacks = Stacks::new(&cheapest, rules.productions());
    let mut found = BTreeSet::new();
    with_check(language, name, |check| {
        for production in rules.productions() {
            let base = rules.base(production);
            check.begin(&base.tokens);
            let _ = rules.visit(&base, check, &mut |edit| {
                found.insert(edit.apply(&base.tokens));
                ControlFlow::Continue(())
            });
        }
        for (productions, tokens) in pop_edge_trees(language, Construction::Lr0) {
            check.begin(&tokens);
            let _ = stacks.visit(&productions, &tokens, check, &mut |edit| {
                found.insert(edit.apply(&tokens));
                ControlFlow::Continue(())
            });
        }
    });
    found
}

/// Printed conditions take these sentences for mutants outside the language: where a part is nullable, at the begin and
/// at the end of a sentence, and where one boundary is not looked at.
#[test]
fn sentences_that_printed_conditions_let_pass() {
    let cases = [
        ("S: X Y; X: 'x' 'z' | ; Y: 'y';", "x z y"),
        ("S: 's' L; L: | 'x' L;", "s x"),
        ("S: 'a' T | 't' C 'x'; T: B 'c' | 'd'; B: 'b' | ; C: 'c' C | ;", "t c c x"),
        ("S: X Y; X: 'x' | ; Y: 'y' | 'x' 'y';", "y"),
        ("S: A | 'c' A | 'b'; A: 'x' 'b';", "b"),
    ];
    for (grammar, sentence) in cases {
        let language = yacc(grammar);
        let parser = language.parser().expect("small").parser();
        let mut workspace = parser.workspace();
        let mut is_sentence = |tokens: &[TerminalId]| {
            let inputs: Vec<_> = tokens.iter().map(|&id| parser.input_of_token(id)).collect();
            parser.recognize(&mut workspace, &inputs).is_ok()
        };
        assert!(is_sentence(&tokens(&language, sentence)), "{grammar}: {sentence}");
        for name in [CheckName::Pairs, CheckName::Prefix, CheckName::Exact] {
            for mutant in rule_and_stack_mutants(&language, name) {
                let text = text(&language, &mutant);
                assert!(!is_sentence(&mutant), "{grammar} {name:?}: {text}");
            }
        }
    }
}

//! The breadth-first traversal: Figure 2 of Rossouw and Fischer, coverage, and when it is given up.

use std::collections::BTreeSet;

use gramercy_coverage::{Reading, TargetSet};
use gramercy_derive::{Candidate, Resolution};
use gramercy_generate::strategies::lr_bfs::{LrBfs, LrBfsError};
use gramercy_generate::strategies::pop_edge::PopEdges;
use gramercy_language::Language;
use gramercy_lr::Construction::{self, Canonical, Lr0};

use crate::languages::yacc;
use crate::lr_checks::{all_candidates, pop_edge, push_edge};
use crate::paths::support::candidates;
use crate::support::{derivations, names};

fn traverse(language: &Language, construction: Construction) -> Result<LrBfs, LrBfsError> {
    LrBfs::new(language, construction, 200_000)
}

fn tests(mut traversal: LrBfs) -> Vec<Candidate> {
    candidates(&mut traversal)
}

fn texts(language: &Language, tests: &[Candidate]) -> BTreeSet<String> {
    let text = |test: &Candidate| names(language, &test.tokens).replace(['\'', ' '], "");
    tests.iter().map(text).collect()
}

#[test]
fn the_queue_grows_as_in_figure_2() {
    let language = yacc("D: D '[' D ']' | ;");
    let traversal = traverse(&language, Lr0).expect("it ends");
    assert_eq!(traversal.queue(), [1, 1, 1, 2, 2, 2, 3, 3, 3, 5, 5]);
    let expected = ["", "[[[]]]", "[[]]", "[]", "[][]"];
    let expected = BTreeSet::from(expected.map(str::to_owned));
    assert_eq!(texts(&language, &tests(traversal)), expected);
}

/// The traversal takes all edges, as the tests of pop-edge coverage do.
fn check(text: &str, construction: Construction) {
    let language = yacc(text);
    let tests = tests(traverse(&language, construction).expect("it ends"));
    for spec in [push_edge(construction), pop_edge(construction)] {
        let criterion = spec.build(&language).expect("small");
        let edges = PopEdges::new(&language, construction, Resolution::default(), 0);
        let (mut by_traversal, mut by_edges) = (TargetSet::new(), TargetSet::new());
        for test in &tests {
            criterion.cover(&Reading::of(&derivations(&language, test)), &mut by_traversal);
        }
        for test in all_candidates(&edges.expect("small")) {
            criterion.cover(&Reading::of(&derivations(&language, &test)), &mut by_edges);
        }
        assert_eq!(by_traversal, by_edges, "{text}: {spec}");
        assert_eq!(by_traversal.len(), criterion.coverable(), "{text}: {spec}");
    }
}

#[test]
fn small_grammars_are_covered() {
    for text in [
        "D: D '[' D ']' | ;",
        "S: A | B | C; A: x; B: x; C: x y | ;",
        "S: A; A: B | a; B: A | S | b;",
        "S: H S x | y; H: ;",
        "S: a S b | ;",
    ] {
        check(text, Lr0);
        check(text, Canonical);
    }
}

#[test]
fn a_traversal_that_grows_too_large_says_what_is_missing() {
    let language =
        yacc("E: E '+' T | T; T: T '*' F | F; F: '(' E ')' | '-' F | num '[' E ']' | num;");
    let error = traverse(&language, Lr0).expect_err("too much");
    let message = error.to_string();
    assert!(message.starts_with("the traversal was given up after 200000 paths: "), "{message}");
    assert!(message.contains(" by ") && message.contains("`pop-edge`"), "{message}");
}

#[test]
fn a_grammar_without_sentences_has_no_paths() {
    let traversal = traverse(&yacc("S: S a;"), Lr0).expect("nothing to do");
    assert!(tests(traversal).is_empty());
}

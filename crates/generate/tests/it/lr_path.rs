//! Sequences of pop edges: against all sentences up to a length, against pop-edge coverage, and replayed.

use gramercy_base::Set;
use gramercy_coverage::criteria::lr_path::LrPaths;
use gramercy_coverage::{Criterion, Reading, TargetSet};
use gramercy_derive::{Resolution, Ties};
use gramercy_generate::strategies::lr_path::LrPathTests;
use gramercy_generate::strategies::pop_edge::PopEdges;
use gramercy_grammar::{ProductionId, Symbol, Tree};
use gramercy_language::Language;
use gramercy_lr::Construction::{self, Canonical, Lr0};
use gramercy_parse::Derivations;

use crate::languages::{read, shared, yacc};
use crate::lr_checks::{all_candidates, by_edges, check_attempts, check_covers, lr_path};
use crate::pop_edge::HARD;
use crate::support::{examples, names};

fn tests<'v>(language: &'v Language, k: u32, construction: Construction) -> LrPathTests<'v> {
    let resolution = Resolution::default();
    LrPathTests::new(language, (k, construction), resolution, 0).expect("small")
}

fn check_replay(language: &Language, k: u32, construction: Construction) {
    let tests = tests(language, k, construction);
    check_covers(language, lr_path(k, construction), &tests);
}

#[test]
fn sequences_of_one_are_pop_edges() {
    for (name, language) in examples() {
        for resolution in [Resolution::default(), by_edges(Ties::Random { seed: 3, variant: 0 })] {
            let paths = LrPathTests::new(&language, (1, Lr0), resolution, 0).expect("small");
            let edges = PopEdges::new(&language, Lr0, resolution, 0).expect("small");
            assert_eq!(all_candidates(&paths), all_candidates(&edges), "{name}");
        }
    }
}

#[test]
fn every_sequence_is_taken_in_all_examples() {
    for (_, language) in examples() {
        for (k, construction) in [(1, Lr0), (2, Lr0), (2, Canonical), (3, Lr0)] {
            let paths = LrPaths::new(&language, k, construction).expect("small");
            if paths.targets() < 3_000 {
                check_replay(&language, k, construction);
            }
        }
    }
}

#[test]
fn every_sequence_is_taken_in_hard_grammars() {
    for (extension, text) in HARD {
        let language = read(&format!("a.{extension}"), text);
        for construction in [Lr0, Canonical] {
            (1..=4).for_each(|k| check_replay(&language, k, construction));
        }
    }
}

/// All derivations from the start symbol by at most this number of productions.
fn derivations(language: &Language, most: usize) -> Vec<Vec<ProductionId>> {
    let bnf = language.bnf();
    let start = (Vec::new(), vec![Symbol::Nonterminal(bnf.start())]);
    let (mut open, mut found) = (vec![start], Vec::new());
    while let Some((productions, mut rest)) = open.pop() {
        while matches!(rest.last(), Some(Symbol::Terminal(_))) {
            rest.pop();
        }
        let Some(Symbol::Nonterminal(next)) = rest.pop() else {
            found.push(productions);
            continue;
        };
        let nonterminals = |symbols: &[Symbol]| {
            symbols.iter().filter(|symbol| matches!(symbol, Symbol::Nonterminal(_))).count()
        };
        for &production in bnf.productions_of(next) {
            let mut rest = rest.clone();
            rest.extend(bnf.rhs(production).iter().rev());
            if productions.len() + 1 + nonterminals(&rest) <= most {
                open.push(([&productions[..], &[production]].concat(), rest));
            }
        }
    }
    found
}

/// A grammar, how many productions a derivation of it has at most, and for LR(0) and LR(1) the numbers
/// of sequences of 1, 2 and 3 edges.
type Case = (&'static str, usize, [u64; 3], [u64; 3]);

const CASES: [Case; 9] = [
    ("D: '[' D ']' D | ;", 13, [6, 10, 20], [10, 20, 44]),
    ("D: D '[' D ']' | ;", 13, [4, 8, 16], [6, 12, 24]),
    ("D: D D | '[' D ']' | ;", 9, [15, 60, 225], [24, 105, 414]),
    ("E: E '+' E | '(' E ')' | num;", 10, [9, 36, 135], [15, 66, 261]),
    ("S: A | B | C; A: x; B: x; C: x y | ;", 9, [7, 4, 0], [7, 4, 0]),
    ("S: H S x | y; H: ;", 13, [6, 8, 10], [9, 12, 15]),
    ("S: A; A: B | a; B: A | S | b;", 9, [6, 8, 11], [6, 8, 11]),
    ("S: a | U b C | C; C: c; U: U u;", 9, [3, 1, 0], [3, 1, 0]),
    ("S: a S b S | a S | c;", 10, [9, 24, 69], [15, 45, 141]),
];

/// Derivations take no sequence that is not counted; each that is counted has a test that takes it;
/// and numbers and sequences determine each other.
fn check_brute(text: &str, most: usize, construction: Construction, counts: [u64; 3]) {
    let language = yacc(text);
    let trees = derivations(&language, most).into_iter().map(|productions| {
        Derivations::of_tree(language.bnf(), &Tree::new(language.bnf(), productions))
    });
    let all: Vec<_> = trees.collect();
    for (k, count) in (1..=3).zip(counts) {
        let paths = LrPaths::new(&language, k, construction).expect("small");
        let mut covered = TargetSet::new();
        all.iter().for_each(|derivations| paths.cover(&Reading::of(derivations), &mut covered));
        // The most ambiguous grammars need larger trees for some of their sequences.
        let is_enough = count < 60;
        assert!(!is_enough || covered.len() == count, "{text} {construction:?}, K = {k}");
        assert_eq!(paths.targets(), count, "{text} {construction:?}, K = {k}");
        for rank in 0..count {
            assert_eq!(paths.paths().rank(&paths.paths().path(rank)), Some(rank));
        }
        let distinct: Set<_> = (0..count).map(|rank| paths.paths().path(rank)).collect();
        assert_eq!(distinct.len() as u64, count);
        check_replay(&language, k, construction);
    }
}

#[test]
fn small_derivations_take_the_sequences_that_are_counted() {
    for (text, most, lr0, lr1) in CASES {
        check_brute(text, most, Lr0, lr0);
        check_brute(text, most, Canonical, lr1);
    }
}

fn check_counts(file: &str, construction: Construction, counts: &[u64]) {
    let Some(language) = shared("pytomata", file) else { return };
    for (k, &count) in (1..).zip(counts) {
        let paths = LrPaths::new(&language, k, construction).expect("countable");
        assert_eq!(paths.targets(), count, "{file} {construction:?}, K = {k}");
        for rank in (0..count).step_by(usize::try_from(count / 50).expect("small") + 1) {
            assert_eq!(paths.paths().rank(&paths.paths().path(rank)), Some(rank));
        }
    }
}

#[test]
fn real_grammars_are_counted_before_anything_is_made() {
    check_counts("ampl20.y", Lr0, &[277, 2022, 16_630]);
    check_counts("ampl20.y", Canonical, &[998, 6916, 55_338]);
    check_counts("go.y", Lr0, &[4728, 224_664, 13_056_928]);
    check_counts("go.y", Canonical, &[30_011, 5_331_015]);
    check_counts("sqlite.y", Lr0, &[22_581, 2_546_712]);
}

#[test]
fn every_sequence_is_taken_in_a_real_grammar() {
    if let Some(language) = shared("pytomata", "ampl20.y") {
        check_replay(&language, 2, Lr0);
        check_replay(&language, 2, Canonical);
    }
}

/// A forest takes what its trees take together.
#[test]
fn forests_are_measured_as_all_their_trees() {
    let language = read("a.gram", r#"S := S S | "a" | "b" T | T S; T := "c" | "a";"#);
    let parser = language.parser().expect("small");
    let parsed = parser.parse(&mut parser.workspace(), "aabaa").expect("a sentence");
    let forest = Derivations::of_forest(parser.parser(), &parsed.forest);
    let names = |tree: &Tree| {
        let tokens: Vec<_> = tree.terminals(language.bnf()).collect();
        names(&language, &tokens).replace(['"', ' '], "")
    };
    let trees = derivations(&language, 10).into_iter();
    let trees = trees.map(|productions| Tree::new(language.bnf(), productions));
    let trees: Vec<_> = trees.filter(|tree| names(tree) == "aabaa").collect();
    assert!(trees.len() > 10);
    for k in 1..=3 {
        let paths = LrPaths::new(&language, k, Lr0).expect("small");
        let (mut by_forest, mut by_trees) = (TargetSet::new(), TargetSet::new());
        paths.cover(&Reading::of(&forest), &mut by_forest);
        for tree in &trees {
            paths.cover(&Reading::of(&Derivations::of_tree(language.bnf(), tree)), &mut by_trees);
        }
        assert_eq!(by_trees.missing_from(&by_forest), 0, "K = {k}");
        assert_eq!(by_forest.missing_from(&by_trees), 0, "K = {k}");
    }
}

#[test]
fn other_attempts_take_the_same_sequence() {
    for (extension, text) in HARD {
        let language = read(&format!("a.{extension}"), text);
        check_attempts(&language, lr_path(2, Lr0), &tests(&language, 2, Lr0));
    }
}

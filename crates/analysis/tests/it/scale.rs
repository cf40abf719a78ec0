//! Grammars of a hundred thousand rules: a quadratic algorithm would take minutes here, and a
//! recursive one would overflow the stack.

use gramercy_analysis::{
    Adjacency, Cyclic, Duplicates, First, Follow, Heights, KPaths, Last, LeftRecursive, Length,
    NodeHeights, Nullable, Precede, Productive, Reachable, ShortestYield, TerminalOrEnd, Useful,
    Viable,
};

use crate::Views;

const RULES: usize = 100_000;

/// The expected facts of the start symbol.
struct Expected {
    shortest: u64,
    height: u32,
    left_recursive: bool,
    cyclic: bool,
}

fn check(text: &str, expected: &Expected) {
    let Views { graph, bnf, .. } = &Views::of(text);
    let start = bnf.start();
    let (productive, nullable) = (Productive::of(bnf), Nullable::of(bnf));
    let useful = Useful::of(bnf, &productive);
    let first = First::of(bnf, &productive, &nullable);
    let last = Last::of(bnf, &productive, &nullable);
    let follow = Follow::of(bnf, &useful, &nullable, &first);
    let precede = Precede::of(bnf, &useful, &nullable, &last);
    assert!(precede.contains(start, TerminalOrEnd::end(bnf)));
    assert!(!Adjacency::of(bnf, &useful, &nullable, &first, &follow).is_empty());
    assert_eq!(Reachable::of(bnf).nonterminals().len(), bnf.nonterminals().len());
    assert_eq!(Cyclic::of(bnf, &nullable).contains(start), expected.cyclic);
    assert_eq!(LeftRecursive::of(bnf, &nullable).contains(start), expected.left_recursive);
    assert!(Duplicates::of(bnf).productions().is_empty());
    assert_eq!(Heights::of(bnf).height(start), Some(expected.height));
    assert!(NodeHeights::of(graph).height(graph.root()).is_some());
    let shortest = ShortestYield::of(bnf, Length::Terminals);
    assert_eq!(shortest.length(start), Some(expected.shortest));
    let viable = Viable::of(graph);
    let coverable = KPaths::coverable(graph, &viable, 5).expect("a small table").len();
    assert_eq!(KPaths::of(graph, 5).expect("a small table").len(), coverable);
}

/// The rule number `at` of many.
fn rules(rule: impl Fn(usize) -> String) -> String {
    (0..RULES).map(rule).collect()
}

#[test]
fn a_chain() {
    let text = rules(|at| format!("A{at}: A{} | a A{};", at + 1, at + 1)) + &last_rule("b");
    let height = u32::try_from(RULES + 1).expect("a small number");
    check(&text, &Expected { shortest: 1, height, left_recursive: false, cyclic: false });
}

#[test]
fn a_cycle() {
    let next = |at: usize, by: usize| (at + by) % RULES;
    let text = rules(|at| format!("A{at}: x A{} A{} | y;", next(at, 1), next(at, 7)));
    check(&text, &Expected { shortest: 1, height: 1, left_recursive: false, cyclic: false });
}

#[test]
fn all_nonterminals_are_nullable() {
    let text = rules(|at| format!("A{at}: A{} b A{} | ;", at + 1, at + 1)) + &last_rule("b |");
    check(&text, &Expected { shortest: 0, height: 1, left_recursive: false, cyclic: false });
}

#[test]
fn one_right_hand_side_with_many_symbols() {
    let all: String = (0..RULES).map(|at| format!("A{at} ")).collect();
    let text = format!("S: {all};") + &rules(|at| format!("A{at}: a | S | ;"));
    check(&text, &Expected { shortest: 0, height: 2, left_recursive: true, cyclic: true });
}

#[test]
fn many_recursive_alternatives() {
    let all: Vec<String> = (0..RULES).map(|at| format!("A{at}")).collect();
    let text = format!("S: {} | s;", all.join(" | ")) + &rules(|at| format!("A{at}: a S;"));
    check(&text, &Expected { shortest: 1, height: 1, left_recursive: false, cyclic: false });
}

fn last_rule(body: &str) -> String {
    format!("A{RULES}: {body};")
}

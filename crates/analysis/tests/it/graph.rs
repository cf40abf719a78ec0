//! Facts about the grammar graph: heights, viable edges, and k-paths.

use gramercy_analysis::{KPaths, NodeHeights, Viable};
use gramercy_base::{Id, Set};
use gramercy_grammar::{GrammarGraph, NodeId, NodeKind};
use proptest::prelude::*;

use crate::Views;
use crate::grammars::{ebnf_texts, for_random};

/// Figure 1 of Havrikov, Kampmann, Zeller, TOSEM.
const EXPRESSIONS: &str = "
    Expr: AddExpr;
    AddExpr: MultExpr | AddExpr ('+' | '-') MultExpr;
    MultExpr: UnaryExpr | MultExpr ('*' | '/' | '%') UnaryExpr;
    UnaryExpr: Identifier | '+' UnaryExpr | '-' UnaryExpr | '++' UnaryExpr | '--' UnaryExpr
             | '(' AddExpr ')' | DecDigits;
    DecDigits: DecDigit+;
    DecDigit: '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9';
    Identifier: x | y | z;";

fn check_counts(text: &str, nodes: usize, all: &[u128], coverable: &[u128]) {
    let graph = Views::of(text).graph;
    assert_eq!(graph.len(), nodes, "nodes of {text}");
    let viable = Viable::of(&graph);
    for (at, (&all, &coverable)) in all.iter().zip(coverable).enumerate() {
        let paths = KPaths::of(&graph, at + 1).expect("few paths");
        assert_eq!(paths.len(), all, "{}-paths of {text}", at + 1);
        let paths = KPaths::coverable(&graph, &viable, at + 1).expect("few paths");
        assert_eq!(paths.len(), coverable, "coverable {}-paths of {text}", at + 1);
    }
}

#[test]
fn the_path_counts_of_the_publication() {
    let counts = [39, 125, 523, 2331, 10245];
    check_counts(EXPRESSIONS, 54, &counts, &counts);
}

#[test]
fn small_path_counts() {
    // The root counts as a path only if it is symbolic.
    check_counts("S: a;", 1, &[1, 0], &[1, 0]);
    check_counts("S: A; A: a b;", 4, &[3, 2, 0], &[3, 2, 0]);
    // Equal alternatives are one node.
    check_counts("S: A | A | b; A: a;", 4, &[3, 1, 0], &[3, 1, 0]);
    // Next to an unproductive symbol nothing is coverable.
    check_counts("S: a | b U; U: U;", 6, &[4, 2, 2], &[1, 0, 0]);
    check_counts("S: A{0,0} b; A: a;", 5, &[3, 1], &[1, 0]);
    check_counts("S: U; U: U;", 2, &[2, 2, 2], &[0, 0, 0]);
    // An unreachable rule has nodes but no paths.
    check_counts("S: a; B: b c;", 4, &[1, 0], &[1, 0]);
    // The example of `viable`.
    check_counts("S: a U | b U?; U: U u;", 11, &[6], &[1]);
}

#[test]
fn counts_beyond_128_bits_are_refused() {
    let graph = Views::of("S: A; A: A A A A A A A A | a;").graph;
    assert!(KPaths::of(&graph, 40).is_ok());
    let error = KPaths::of(&graph, 60).expect_err("eight to the sixtieth");
    assert!(error.to_string().ends_with("paths"), "{error}");
    assert!(KPaths::of(&graph, usize::MAX).is_err());
}

/// All paths with k symbolic nodes from these nodes, each step taking an edge that `takes` allows.
fn enumerate(
    graph: &GrammarGraph,
    firsts: &[NodeId],
    k: usize,
    takes: &impl Fn(NodeId, NodeId) -> bool,
) -> Vec<Vec<NodeId>> {
    let mut paths: Vec<Vec<NodeId>> = firsts.iter().map(|&node| vec![node]).collect();
    for _ in 1..k {
        paths = paths
            .iter()
            .flat_map(|path| {
                let mut next = Vec::new();
                symbolic_below(graph, path[path.len() - 1], takes, &mut next);
                next.into_iter().map(|node| [&path[..], &[node]].concat())
            })
            .collect();
    }
    paths
}

fn symbolic_below(
    graph: &GrammarGraph,
    node: NodeId,
    takes: &impl Fn(NodeId, NodeId) -> bool,
    found: &mut Vec<NodeId>,
) {
    for &child in graph.children(node).iter().filter(|&&child| takes(node, child)) {
        if graph.kind(child).is_symbolic() {
            found.push(child);
        } else {
            symbolic_below(graph, child, takes, found);
        }
    }
}

/// The definition of a viable edge, taken literally.
fn is_viable(graph: &GrammarGraph, viable: &Viable, parent: NodeId, child: NodeId) -> bool {
    let others = || graph.children(parent).iter().filter(|&&other| other != child);
    viable.is_productive(child)
        && match graph.kind(parent) {
            NodeKind::Concatenation => others().all(|&other| viable.is_productive(other)),
            NodeKind::Quantifier { max, .. } => max.is_none_or(|max| max >= 1),
            _ => true,
        }
}

fn check_ranks(paths: &KPaths, expected: &[Vec<NodeId>]) -> Result<(), TestCaseError> {
    prop_assert_eq!(paths.len(), expected.len() as u128);
    for (rank, path) in expected.iter().enumerate() {
        prop_assert_eq!(paths.rank(path), Some(rank as u128));
        prop_assert_eq!(&paths.unrank(rank as u128), path);
    }
    Ok(())
}

#[test]
fn paths_are_counted_and_ranked_as_they_are_enumerated() {
    for_random(300, ebnf_texts(), |text| {
        let graph = Views::of(text).graph;
        let viable = Viable::of(&graph);
        let symbolic = |node: &NodeId| graph.kind(*node).is_symbolic();
        let firsts: Vec<_> = graph.ids().take(graph.reachable()).filter(symbolic).collect();
        let reached: Vec<_> =
            graph.ids().filter(|&id| viable.is_reached(id)).filter(symbolic).collect();
        for k in 1..=3 {
            let all = enumerate(&graph, &firsts, k, &|_, _| true);
            check_ranks(&KPaths::of(&graph, k).expect("few paths"), &all)?;
            let takes = |parent, child| is_viable(&graph, &viable, parent, child);
            let mut coverable = enumerate(&graph, &reached, k, &takes);
            coverable.retain(|path| viable.is_productive(path[k - 1]));
            let paths = KPaths::coverable(&graph, &viable, k).expect("few paths");
            check_ranks(&paths, &coverable)?;
            let known: Set<_> = coverable.iter().collect();
            for path in &all {
                prop_assert_eq!(paths.rank(path).is_some(), known.contains(path));
            }
        }
        Ok(())
    });
}

#[test]
fn foreign_paths_have_no_rank() {
    let graph = Views::of(EXPRESSIONS).graph;
    let paths = KPaths::of(&graph, 2).expect("few paths");
    let path = paths.unrank(7);
    assert_eq!(paths.rank(&path), Some(7));
    assert_eq!(paths.rank(&path[..1]), None);
    assert_eq!(paths.rank(&[path[1], path[0]]), None);
    assert_eq!(paths.rank(&[NodeId::from_index(1), NodeId::from_index(2)]), None);
}

#[test]
fn the_example_of_the_module_holds() {
    let graph = Views::of("Sum: Term ('+' Term)*; Term: '1' | '(' Sum ')';").graph;
    let paths = KPaths::of(&graph, 2).expect("few paths");
    assert_eq!((graph.len(), paths.len()), (12, 11));
    // The nodes are those of the example in the documentation of the graph.
    let [first, second, sum] = [1, 8, 10].map(NodeId::from_index);
    let starts = [first, second, sum].map(|node| paths.first_rank(node));
    assert_eq!(starts, [Some(0), Some(4), Some(8)]);
    assert_eq!(paths.rank(&[sum, second]), Some(10));
}

#[test]
fn heights_on_the_graph() {
    fn check(text: &str, root: Option<u32>) {
        let graph = Views::of(text).graph;
        assert_eq!(NodeHeights::of(&graph).height(graph.root()), root, "{text}");
    }
    check("S: a;", Some(0));
    check("S: a b;", Some(1));
    check("S: a* b;", Some(2));
    check("S: (a b)+;", Some(2));
    check("S: '(' S ')' | x y?;", Some(3));
    check("S: A | S S; A: B; B: b;", Some(3));
    check("S: S;", None);
    // From x upwards: an alternation and a reference for each of four rules.
    check(EXPRESSIONS, Some(8));
}

#[test]
fn heights_on_the_graph_are_a_least_fixpoint() {
    for_random(300, ebnf_texts(), |text| {
        let graph = Views::of(text).graph;
        let heights = NodeHeights::of(&graph);
        let mut expected = vec![None; graph.len()];
        loop {
            let before = expected.clone();
            for node in graph.ids() {
                expected[node.index()] = height(&graph, node, &before);
            }
            if expected == before {
                break;
            }
        }
        for node in graph.ids() {
            prop_assert_eq!(heights.height(node), expected[node.index()]);
        }
        Ok(())
    });
}

fn height(graph: &GrammarGraph, node: NodeId, known: &[Option<u32>]) -> Option<u32> {
    let mut children = graph.children(node).iter().map(|child| known[child.index()]);
    match graph.kind(node) {
        NodeKind::Leaf(_) => Some(0),
        NodeKind::Quantifier { min: 0, .. } => Some(1),
        NodeKind::Alternation => children.flatten().min().map(|height| height + 1),
        _ => children.try_fold(0, |highest, child| Some(highest.max(child? + 1))),
    }
}

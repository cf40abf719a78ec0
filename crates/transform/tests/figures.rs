//! The sizes of transformed grammars and their numbers of k-paths, against figures that were
//! computed independently with Tribble's definitions (Havrikov, Kampmann, Zeller, TOSEM).

use gramercy_base::{Id, Limits};
use gramercy_formats::{Disk, LoadOptions, load};
use gramercy_grammar::{Grammar, GrammarGraph, NodeId};
use gramercy_transform::Transformation;

/// The number of k-paths for k from 1 to 5: one for k = 1, then the sum over the next nodes.
fn kpaths(graph: &GrammarGraph) -> [u64; 5] {
    let reachable = || graph.ids().take(graph.reachable());
    let mut from = vec![1; graph.len()];
    std::array::from_fn(|_| {
        let symbolic = reachable().filter(|&node| graph.kind(node).is_symbolic());
        let total = symbolic.map(|node| from[node.index()]).sum();
        from = graph
            .ids()
            .map(|node| next_symbols(graph, node).iter().map(|next| from[next.index()]).sum())
            .collect();
        total
    })
}

/// The symbolic nodes that a node reaches through synthetic ones only.
fn next_symbols(graph: &GrammarGraph, node: NodeId) -> Vec<NodeId> {
    let (mut found, mut agenda) = (Vec::new(), graph.children(node).to_vec());
    while let Some(node) = agenda.pop() {
        if graph.kind(node).is_symbolic() {
            found.push(node);
        } else {
            agenda.extend(graph.children(node));
        }
    }
    found
}

fn load_shared(name: &str) -> Option<Grammar> {
    let path = gramercy_testkit::shared("tribble")?.join(format!("{name}.tribble"));
    Some(load(&path, &Disk, &LoadOptions::default()).grammar.expect("a grammar"))
}

/// Compares rules, nodes and k-paths of a transformed grammar.
fn check(name: &str, how: Transformation, expected: (usize, usize, [u64; 5])) {
    let Some(grammar) = load_shared(name) else { return };
    let grammar = how.apply(&grammar, &Limits::default()).expect("within the limits");
    let graph = grammar.graph();
    let figures = (grammar.rules().len(), graph.len(), kpaths(&graph));
    assert_eq!(figures, expected, "{name}, {}", how.as_str());
}

#[test]
fn regexes_unfold_as_in_tribble() {
    let check = |name, expected| check(name, Transformation::UnfoldRegexes, expected);
    check("json", (25, 295, [233, 466, 1050, 2115, 3796]));
    check("csv", (17, 126, [93, 110, 136, 205, 254]));
    check("iso8601", (62, 499, [373, 408, 534, 742, 797]));
    check("regex", (17, 219, [168, 341, 1354, 7038, 41433]));
    check("clojure", (71, 983, [777, 1676, 3458, 7017, 17144]));
}

#[test]
fn quantifiers_are_epsilonized_as_in_tribble() {
    let check = |name, expected| check(name, Transformation::EpsilonizeQuantifiers, expected);
    check("json", (17, 106, [76, 168, 331, 676, 1380]));
    check("csv", (13, 61, [37, 48, 61, 88, 68]));
}

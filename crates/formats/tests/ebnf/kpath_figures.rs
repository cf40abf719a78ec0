//! The sizes of grammar graphs and their numbers of k-paths, against figures that were computed
//! independently with the definitions of Havrikov, Kampmann, Zeller, TOSEM.

use gramercy_base::Id;
use gramercy_formats::{Disk, LoadOptions, Loaded, load};
use gramercy_grammar::{Grammar, GrammarGraph, NodeId};

/// Rules, nodes, and the number of k-paths for k from 1 to 5.
type Figures = (usize, usize, [u64; 5]);

fn figures(grammar: &Grammar) -> Figures {
    let graph = grammar.graph();
    (grammar.written_rules(), graph.len(), kpaths(&graph))
}

/// Counts paths: one for k = 1, then the sum over the next symbolic nodes.
pub(crate) fn kpaths(graph: &GrammarGraph) -> [u64; 5] {
    let symbolic: Vec<_> = graph.ids().filter(|&node| graph.kind(node).is_symbolic()).collect();
    let next: Vec<_> = symbolic.iter().map(|&node| symbolic_below(graph, node)).collect();
    let mut from = vec![1; graph.len()];
    std::array::from_fn(|_| {
        let reachable = symbolic.iter().filter(|node| node.index() < graph.reachable());
        let total = reachable.map(|node| from[node.index()]).sum();
        let mut longer = vec![0; graph.len()];
        for (node, next) in symbolic.iter().zip(&next) {
            longer[node.index()] = next.iter().map(|next| from[next.index()]).sum();
        }
        from = longer;
        total
    })
}

/// The symbolic nodes that a node reaches through synthetic ones only.
fn symbolic_below(graph: &GrammarGraph, node: NodeId) -> Vec<NodeId> {
    let (mut found, mut stack) = (Vec::new(), graph.children(node).to_vec());
    while let Some(node) = stack.pop() {
        if graph.kind(node).is_symbolic() {
            found.push(node);
        } else {
            stack.extend(graph.children(node));
        }
    }
    found
}

fn load_shared(file: &str, start: Option<&str>) -> Option<Loaded> {
    let path = gramercy_testkit::shared("tribble")?.join(file);
    let options = LoadOptions { start: start.map(Into::into), ..LoadOptions::default() };
    Some(load(&path, &Disk, &options))
}

fn check(file: &str, expected: Figures) {
    let Some(loaded) = load_shared(file, None) else { return };
    let grammar = loaded.grammar.unwrap_or_else(|| panic!("{file}: {:?}", loaded.diagnostics));
    assert_eq!(figures(&grammar), expected, "{file}");
}

#[test]
fn the_collection_has_the_sizes_of_its_own_tool() {
    check("arithmetic.tribble", (7, 57, [41, 140, 571, 2515, 11095]));
    check("clojure.tribble", (50, 255, [173, 325, 1012, 2689, 7236]));
    check("css_domato.tribble", (528, 11152, [8999, 47302, 244_441, 700_371, 1_992_384]));
    check("csv.tribble", (13, 49, [30, 43, 55, 76, 64]));
    check("iso8601.tribble", (28, 124, [70, 85, 87, 86, 48]));
    check("js.tribble", (238, 1694, [1224, 3549, 14954, 81175, 533_586]));
    check("json.tribble", (17, 103, [73, 162, 320, 654, 1336]));
    check("kotlin.tribble", (139, 1025, [638, 1450, 3435, 7814, 17804]));
    check("kotlin_generative.tribble", (139, 1029, [646, 1489, 3546, 8064, 18318]));
    check("regex.tribble", (12, 93, [61, 213, 1068, 6164, 36687]));
    check("regex_generative.tribble", (13, 93, [61, 95, 184, 387, 731]));
    check("tribble.tribble", (22, 157, [103, 266, 1134, 6274, 36865]));
    check("tribble_generative.tribble", (22, 154, [102, 146, 244, 489, 901]));
}

#[test]
fn several_roots_are_an_error_that_names_them() {
    let Some(loaded) = load_shared("js_generative.tribble", None) else { return };
    assert!(loaded.grammar.is_none());
    let errors: Vec<_> = loaded.diagnostics.iter().filter(|d| d.is_error()).collect();
    let [question] = errors[..] else { panic!("one question: {errors:?}") };
    assert_eq!(question.code.name, "several-starts");
    assert!(
        question.message.contains("`START`, `MultiLineNotForwardSlashOrAsteriskChar`"),
        "{}",
        question.message
    );
    let loaded = load_shared("js_generative.tribble", Some("START")).expect("it was there");
    let grammar = loaded.grammar.expect("it can be loaded");
    assert_eq!(figures(&grammar), (235, 1683, [1091, 3151, 14269, 80991, 538_430]));
}

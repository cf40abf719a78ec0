//! The picture of the grammar graph, after Figure 3 of Havrikov, Kampmann, Zeller, TOSEM.
//!
//! Alternations `|`, concatenations `~` and quantifiers are small circles; references and terminals
//! are boxes with their names and numbers. Every right-hand side is below its first reference, so
//! the solid edges form a tree; the edges of all other references are dashed. Linear.

use gramercy_base::{Id, Table};
use gramercy_grammar::{Grammar, GrammarGraph, NodeId, NodeKind, quantifier};

use crate::sketch::{Edge, Label, Look, Sketch, Stroke, Vertex, VertexId};

/// A picture of the grammar graph.
#[must_use]
pub fn grammar_graph(grammar: &Grammar, graph: &GrammarGraph) -> Sketch {
    let vertices = graph.ids().map(|node| vertex(grammar, graph.kind(node), node)).collect();
    let title = format!("Grammar graph of {}", grammar.name());
    Sketch { title, ordered: true, vertices, edges: edges(graph) }
}

fn vertex(grammar: &Grammar, kind: NodeKind, node: NodeId) -> Vertex {
    let numbered = |name: &str| Label::Numbered(name.into(), node.index());
    let (look, label) = match kind {
        NodeKind::Alternation => (Look::Synthetic, Label::Text("|".into())),
        NodeKind::Concatenation => (Look::Synthetic, Label::Text("~".into())),
        NodeKind::Quantifier { min, max } => (Look::Synthetic, Label::Text(quantifier(min, max))),
        NodeKind::Reference(rule) => (Look::Reference, numbered(&grammar.rules()[rule].name)),
        NodeKind::Leaf(terminal) => (Look::Terminal, numbered(&grammar.terminals()[terminal].name)),
    };
    Vertex { name: format!("n{}", node.index()), look, label }
}

fn edges(graph: &GrammarGraph) -> Vec<Edge> {
    // Nodes are numbered breadth first, so the first parent of a node is the one that reached it.
    let mut hangs: Table<NodeId, bool> = Table::filled(false, graph.len());
    let mut edges = Vec::new();
    let vertex = |node: NodeId| VertexId::from_index(node.index());
    for from in graph.ids() {
        for &to in graph.children(from) {
            let additional = hangs[to] || to <= from;
            hangs[to] = true;
            let stroke = if additional { Stroke::Dashed } else { Stroke::Solid };
            let (from, to) = (vertex(from), vertex(to));
            edges.push(Edge { from, to, stroke, label: String::new() });
        }
    }
    edges
}

//! Which nodes of the grammar graph derive something, and which edges occur in some derivation tree
//! (Havrikov, Kampmann, Zeller, TOSEM, section 3, extended to grammars that are not reduced).
//!
//! A node is *productive* if it derives a finite tree; an optional quantifier always does. An edge
//! u → v is *viable* if v is productive, the other children of u are productive where u is a
//! concatenation, and the maximum of u is at least 1 where u is a quantifier. A path is coverable
//! exactly if the root reaches its first node by viable edges, all its edges are viable and its
//! last node is productive. In a reduced grammar all edges are viable. Linear in the graph, except
//! for the queue of [`fixpoint`].
//!
//! Example: in `S: a U | b U?; U: U u;` the nodes of U are not productive. The edges of `a U` are
//! not viable, nor is the edge of `U?` to U, but `b` is coverable.

use gramercy_base::IdSet;
use gramercy_grammar::{GrammarGraph, NodeId, NodeKind, TerminalId};

use crate::and_or::{AndOr, DerivationId};
use crate::fixpoint::{self, Measure, Rules};

/// The productive nodes, and those that the root reaches by viable edges.
#[derive(Clone, Debug)]
pub struct Viable {
    productive: IdSet<NodeId>,
    /// Nodes without any viable edge.
    blocked: IdSet<NodeId>,
    reached: IdSet<NodeId>,
}

impl Viable {
    /// The viable part of a graph whose leaves all have some text.
    #[must_use]
    pub fn of(graph: &GrammarGraph) -> Self {
        Self::without(graph, |_| false)
    }

    /// The viable part of a graph in which `textless` terminals derive nothing, such as empty
    /// character classes and regular expressions of the empty language.
    pub fn without(graph: &GrammarGraph, textless: impl Fn(TerminalId) -> bool) -> Self {
        let productive = productive(graph, textless);
        let mut blocked = IdSet::new(graph.len());
        for node in graph.ids() {
            let is_blocked = match graph.kind(node) {
                NodeKind::Concatenation => {
                    graph.children(node).iter().any(|&child| !productive.contains(child))
                }
                NodeKind::Quantifier { max, .. } => max == Some(0),
                NodeKind::Alternation | NodeKind::Reference(_) | NodeKind::Leaf(_) => false,
            };
            if is_blocked {
                blocked.insert(node);
            }
        }
        let mut viable = Self { productive, blocked, reached: IdSet::new(graph.len()) };
        viable.reach(graph);
        viable
    }

    fn reach(&mut self, graph: &GrammarGraph) {
        let mut work = vec![graph.root()];
        self.reached.insert(graph.root());
        while let Some(node) = work.pop() {
            for &child in graph.children(node) {
                if self.edge(node, child) && self.reached.insert(child) {
                    work.push(child);
                }
            }
        }
    }

    /// Whether a node derives a finite tree.
    #[must_use]
    pub fn is_productive(&self, node: NodeId) -> bool {
        self.productive.contains(node)
    }

    /// Whether the edge from `parent` to its child `child` occurs in some finite tree whose root is
    /// `parent`.
    #[must_use]
    pub fn edge(&self, parent: NodeId, child: NodeId) -> bool {
        self.productive.contains(child) && !self.blocked.contains(parent)
    }

    /// Whether the root reaches a node by viable edges; always true for the root.
    #[must_use]
    pub fn is_reached(&self, node: NodeId) -> bool {
        self.reached.contains(node)
    }

    /// Whether some finite tree of the start rule contains the node.
    #[must_use]
    pub fn is_coverable(&self, node: NodeId) -> bool {
        self.is_reached(node) && self.is_productive(node)
    }
}

fn productive(graph: &GrammarGraph, textless: impl Fn(TerminalId) -> bool) -> IdSet<NodeId> {
    let steps = AndOr::of(graph);
    let mut productive = IdSet::new(graph.len());
    for (node, solved) in
        fixpoint::solve(&steps, &UsableSteps { graph, steps: &steps, textless }).iter()
    {
        if solved.is_some() {
            productive.insert(node);
        }
    }
    productive
}

struct UsableSteps<'a, F> {
    graph: &'a GrammarGraph,
    steps: &'a AndOr,
    textless: F,
}

impl<F: Fn(TerminalId) -> bool> Measure<DerivationId> for UsableSteps<'_, F> {
    type Cost = ();

    fn base(&self, step: DerivationId) -> Option<()> {
        match self.graph.kind(self.steps.head(step)) {
            NodeKind::Leaf(terminal) => (!(self.textless)(terminal)).then_some(()),
            _ => Some(()),
        }
    }

    fn add(&self, (): (), (): ()) {}
}

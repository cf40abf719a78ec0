//! The grammar graph as rules for [`fixpoint`](crate::fixpoint): the ways to derive a node from its
//! children. An alternation has one rule per child; an optional quantifier has a rule without
//! parts; every other node has one rule whose parts are all its children. Linear in the graph.

use gramercy_grammar::{GrammarGraph, NodeId, NodeKind};

use crate::Rows;
use crate::fixpoint::Rules;

gramercy_base::define_id!(pub(crate) struct DerivationId, "a way to derive a node from its children");

/// The rules of all nodes.
pub(crate) struct AndOr {
    nodes: usize,
    heads: Vec<NodeId>,
    parts: Rows<DerivationId, NodeId>,
}

impl AndOr {
    pub(crate) fn of(graph: &GrammarGraph) -> Self {
        let mut ways = Self { nodes: graph.len(), heads: Vec::new(), parts: Rows::new() };
        for node in graph.ids() {
            let children = graph.children(node);
            match graph.kind(node) {
                NodeKind::Alternation => {
                    children.iter().for_each(|&child| ways.push(node, &[child]));
                }
                NodeKind::Quantifier { min: 0, .. } => ways.push(node, &[]),
                NodeKind::Quantifier { .. }
                | NodeKind::Concatenation
                | NodeKind::Reference(_)
                | NodeKind::Leaf(_) => ways.push(node, children),
            }
        }
        ways
    }

    fn push(&mut self, head: NodeId, parts: &[NodeId]) {
        self.heads.push(head);
        self.parts.push(parts.iter().copied());
    }
}

impl Rules for AndOr {
    type Variable = NodeId;
    type Rule = DerivationId;

    fn variable_count(&self) -> usize {
        self.nodes
    }

    fn rule_count(&self) -> usize {
        self.heads.len()
    }

    fn head(&self, rule: DerivationId) -> NodeId {
        self.heads[gramercy_base::Id::index(rule)]
    }

    fn parts(&self, rule: DerivationId) -> impl Iterator<Item = NodeId> {
        self.parts.row(rule).iter().copied()
    }
}

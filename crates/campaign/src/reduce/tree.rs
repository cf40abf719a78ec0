//! The tree of an input as a flat list of nodes, with the leaves that they span.
//!
//! Nodes stand in preorder, so the nodes below a node follow it directly, and a subtree is a range of both lists.
//! Built in linear time with a stack of its own: a tree may be as deep as its input is long.
//!
//! Example: the tree of `[1,2]` with `list: "[" NUM ("," NUM)* "]"` has the leaves `[`, `1`, `,`, `2`, `]`; its nodes
//! are `list` over leaves 0..5, the repetition over 2..4, and the empty repetition over 2..2.

use std::ops::Range;

use gramercy_base::to_u32;
use gramercy_grammar::{NonterminalId, ProductionId};
use gramercy_parse::{Derivations, Derived, DerivedChild, DerivedId, TokenRange, TokenSpan};

use super::document::Leaf;

/// A node of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Node {
    /// What it derives.
    pub(super) symbol: NonterminalId,
    /// By which production.
    pub(super) production: ProductionId,
    /// Its first leaf.
    pub(super) first: u32,
    /// One past its last leaf.
    pub(super) last: u32,
    /// One past the last node below it.
    pub(super) end: u32,
}

impl Node {
    pub(super) fn leaves(&self) -> Range<u32> {
        self.first..self.last
    }

    pub(super) fn is_empty(&self) -> bool {
        self.first == self.last
    }
}

/// A tree; the root is the first node.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
}

enum Step {
    Child(DerivedChild),
    Close(usize),
}

impl Tree {
    /// The tree of derivations in which every node is derived in one way, with its leaves.
    pub(super) fn new(derivations: &Derivations, tokens: &[TokenSpan]) -> (Self, Vec<Leaf>) {
        let mut made = Self { nodes: Vec::with_capacity(derivations.len()) };
        let mut leaves: Vec<Leaf> = Vec::new();
        let mut stack = vec![Step::Child(DerivedChild::Node(derivations.root()))];
        while let Some(step) = stack.pop() {
            match step {
                Step::Child(DerivedChild::Terminal(terminal, range)) => {
                    let Some((start, end)) = bytes(tokens, range) else { continue };
                    let own = tokens[range.start as usize].terminal;
                    let gap = leaves.last().map_or(0, |leaf| leaf.end);
                    leaves.push(Leaf { terminal: own.unwrap_or(terminal), gap, start, end });
                }
                Step::Child(DerivedChild::Node(node)) => {
                    let (production, parts) = parts(derivations, node);
                    let first = to_u32(leaves.len());
                    if let Derived::Nonterminal(symbol) = derivations.label(node) {
                        stack.push(Step::Close(made.nodes.len()));
                        made.nodes.push(Node { symbol, production, first, last: first, end: 0 });
                    }
                    stack.extend(parts.into_iter().rev().map(Step::Child));
                }
                Step::Close(node) => {
                    let end = to_u32(made.nodes.len());
                    made.nodes[node].last = to_u32(leaves.len());
                    made.nodes[node].end = end;
                }
            }
        }
        (made, leaves)
    }

    /// The children of a node that are nodes themselves.
    pub(super) fn children(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let end = self.nodes[node].end as usize;
        let mut next = node + 1;
        std::iter::from_fn(move || {
            let child = next;
            (child < end).then(|| {
                next = self.nodes[child].end as usize;
                child
            })
        })
    }

    /// The leaves of a node that belong to none of its children.
    pub(super) fn own_leaves(&self, node: usize) -> Vec<u32> {
        let mut own = Vec::new();
        let mut at = self.nodes[node].first;
        for child in self.children(node) {
            own.extend(at..self.nodes[child].first);
            at = self.nodes[child].last;
        }
        own.extend(at..self.nodes[node].last);
        own
    }
}

/// All parts of a node, with those of the prefixes it is made of.
fn parts(derivations: &Derivations, node: DerivedId) -> (ProductionId, Vec<DerivedChild>) {
    let way = |node| derivations.ways(node).next().expect("invariant: a tree has one way a node");
    let last = way(node);
    let mut all: Vec<DerivedChild> = last.parts.iter().rev().copied().collect();
    let mut prefix = last.prefix;
    while let Some(node) = prefix {
        let way = way(node);
        all.extend(way.parts.iter().rev());
        prefix = way.prefix;
    }
    all.reverse();
    (last.production, all)
}

fn bytes(tokens: &[TokenSpan], range: TokenRange) -> Option<(u32, u32)> {
    let (first, last) = (range.start as usize, range.end as usize);
    (first < last).then(|| (tokens[first].start, tokens[last - 1].end))
}

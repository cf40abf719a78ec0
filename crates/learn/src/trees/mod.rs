//! Decision trees over a table of bits.
//!
//! In reading order: this module (what a tree is), [`cart`] (greedy), [`optimal`] (provably optimal, sparse),
//! `depth_two` (its inner solver).

pub mod cart;
mod depth_two;
pub mod optimal;

use crate::bits;
use crate::features::columns::Columns;

/// A node of a tree. Nodes refer to each other by their number; the root is number 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// No further question.
    Leaf {
        /// The inputs that arrive here and cover the target.
        covered: u32,
        /// The inputs that arrive here.
        total: u32,
    },
    /// A question about a column.
    Split {
        /// The column.
        column: usize,
        /// Where inputs without the feature go.
        absent: usize,
        /// Where inputs with the feature go.
        present: usize,
    },
}

/// A decision tree for one target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    /// The tree of one leaf.
    #[must_use]
    pub fn leaf() -> Self {
        Self { nodes: vec![Node::Leaf { covered: 0, total: 0 }] }
    }

    /// The tree that asks about a column first.
    #[must_use]
    pub fn split(column: usize, absent: &Tree, present: &Tree) -> Self {
        let mut nodes = vec![Node::Split { column, absent: 0, present: 0 }];
        let below = [absent, present].map(|tree| {
            let first = nodes.len();
            nodes.extend(tree.nodes.iter().map(|node| match *node {
                leaf @ Node::Leaf { .. } => leaf,
                Node::Split { column, absent, present } => {
                    Node::Split { column, absent: absent + first, present: present + first }
                }
            }));
            first
        });
        nodes[0] = Node::Split { column, absent: below[0], present: below[1] };
        Self { nodes }
    }

    /// The nodes; the root is the first.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The number of questions.
    #[must_use]
    pub fn splits(&self) -> usize {
        self.nodes.len() / 2
    }

    /// The same conditions with leaves that count these inputs. Leaves are then joined where both answers to a
    /// question lead to the same prediction.
    #[must_use]
    pub fn counted(&self, columns: &Columns, positives: &[u64], rows: &[u64]) -> Self {
        self.count_below(0, columns, positives, rows).0
    }

    /// Recursion goes no deeper than the tree.
    fn count_below(
        &self,
        at: usize,
        columns: &Columns,
        positives: &[u64],
        rows: &[u64],
    ) -> (Self, Option<bool>) {
        let (covered, total) = (bits::count_both(positives, rows), bits::count(rows));
        let joined = || Self { nodes: vec![Node::Leaf { covered, total }] };
        match self.nodes[at] {
            Node::Leaf { .. } => (joined(), Some(is_majority(covered, total))),
            Node::Split { column, absent, present } => {
                let has = columns.column(column);
                let absent =
                    self.count_below(absent, columns, positives, &bits::without(rows, has));
                let present = self.count_below(present, columns, positives, &bits::both(rows, has));
                match (absent.1, present.1) {
                    (Some(a), Some(b)) if a == b => (joined(), Some(a)),
                    _ => (Self::split(column, &absent.0, &present.0), None),
                }
            }
        }
    }

    /// The number of inputs that the tree predicts wrongly, by what its leaves count.
    #[must_use]
    pub fn errors(&self) -> u32 {
        let errors = self.nodes.iter().map(|node| match *node {
            Node::Leaf { covered, total } => covered.min(total - covered),
            Node::Split { .. } => 0,
        });
        errors.sum()
    }
}

/// Whether most inputs cover the target; equal numbers do not.
#[must_use]
pub fn is_majority(covered: u32, total: u32) -> bool {
    2 * u64::from(covered) > u64::from(total)
}

/// The answer of a tree over columns for an input of the table.
#[must_use]
pub fn leaf_of(tree: &Tree, columns: &Columns, row: usize) -> usize {
    let mut at = 0;
    while let Node::Split { column, absent, present } = tree.nodes[at] {
        at = if bits::contains(columns.column(column), row) { present } else { absent };
    }
    at
}

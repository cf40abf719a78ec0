//! How many derivation trees a forest holds.
//!
//! A sum over alternatives of products over children, each node once, children first. A cycle below
//! the root means infinitely many. Spellings of terminals are unambiguous, so they count as one.

use dashu_int::UBig;
use dashu_int::ops::BitTest;
use gramercy_base::Id;

use crate::budget::{Budget, InputLimit, InputLimits};
use crate::forest::{Child, Forest, ForestNodeId};

/// A number of trees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TreeCount {
    /// This number.
    Finite(UBig),
    /// Without end: some node can be derived from itself.
    Infinite,
}

impl TreeCount {
    /// Whether there is exactly one tree.
    #[must_use]
    pub fn is_one(&self) -> bool {
        matches!(self, TreeCount::Finite(count) if *count == UBig::ONE)
    }
}

impl std::fmt::Display for TreeCount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            TreeCount::Finite(count) => count.fmt(f),
            TreeCount::Infinite => f.write_str("infinity"),
        }
    }
}

/// A product that makes no number for what needs none.
fn product<'n>(mut factors: impl Iterator<Item = &'n UBig>) -> UBig {
    let (first, second) = match (factors.next(), factors.next()) {
        (None, _) => return UBig::ONE,
        (Some(only), None) => return only.clone(),
        (Some(first), Some(second)) => (first, second),
    };
    factors.fold(first * second, |product, factor| product * factor)
}

impl Forest {
    /// The number of derivation trees of the whole input; none if it was rejected. Where no node has
    /// two derivations it is one, because what was accepted has a tree.
    #[must_use]
    pub fn count_trees(&self) -> TreeCount {
        let counted = self.count_trees_within(&InputLimits::default());
        counted.expect("invariant: there are no limits to reach")
    }

    /// The same within limits.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn count_trees_within(&self, limits: &InputLimits) -> Result<TreeCount, InputLimit> {
        let Some(root) = self.root() else {
            return Ok(TreeCount::Finite(UBig::ZERO));
        };
        if self.is_surely_unambiguous() {
            return Ok(TreeCount::Finite(UBig::ONE));
        }
        let Some(order) = self.children_first(root) else {
            return Ok(TreeCount::Infinite);
        };
        let mut budget = Budget::new(limits);
        let mut bytes = self.len() * size_of::<UBig>();
        let mut counts = vec![UBig::ZERO; self.len()];
        for node in order {
            let mut sum = UBig::ZERO;
            for alternative in self.alternatives(node) {
                let factors = alternative.parts().filter_map(Child::as_node);
                sum += product(factors.map(|node| &counts[node.index()]));
                if budget.step()
                    && let Err(limit) = budget.check(bytes)
                {
                    return Err(limit);
                }
            }
            bytes += sum.bit_len() / 8;
            counts[node.index()] = sum;
        }
        Ok(TreeCount::Finite(std::mem::take(&mut counts[root.index()])))
    }

    /// The nodes below `root` and itself, every node after those below it; `None` if one is below
    /// itself.
    #[must_use]
    pub fn children_first(&self, root: ForestNodeId) -> Option<Vec<ForestNodeId>> {
        #[derive(Clone, Copy, PartialEq)]
        enum Seen {
            Not,
            Open,
            Done,
        }
        let mut seen = vec![Seen::Not; self.len()];
        let (mut order, mut stack) = (Vec::new(), vec![root]);
        while let Some(&node) = stack.last() {
            match seen[node.index()] {
                Seen::Done => {
                    stack.pop();
                }
                Seen::Open => {
                    stack.pop();
                    seen[node.index()] = Seen::Done;
                    order.push(node);
                }
                Seen::Not => {
                    seen[node.index()] = Seen::Open;
                    for alternative in self.alternatives(node) {
                        for child in alternative.parts().filter_map(Child::as_node) {
                            match seen[child.index()] {
                                Seen::Not => stack.push(child),
                                Seen::Open => return None,
                                Seen::Done => {}
                            }
                        }
                    }
                }
            }
        }
        Some(order)
    }
}

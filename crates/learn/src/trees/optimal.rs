//! Provably optimal sparse decision trees, by dynamic programming with bounds (Aglin, Nijssen, Schaus, "Learning
//! optimal decision trees using caching branch-and-bound search", AAAI 2020; Demirović et al., "MurTree: optimal
//! decision trees via dynamic programming and search", JMLR 2022; Lin et al., "Generalized and scalable optimal sparse
//! decision trees", ICML 2020).
//!
//! The cost of a tree is the number of inputs that it predicts wrongly plus a *leaf cost* for each question, so a
//! question must correct more inputs than it costs. The best tree for a set of inputs asks about some column first and
//! continues with the best trees of both sides; so every set of inputs is solved once and remembered. A branch is cut
//! off when
//! - its sides cost too much even if one question each would make them perfect;
//! - a column that differs on few inputs was a bad first question: moving d inputs to the other side changes the cost
//!   by at most d (similarity bound);
//! - the greedy tree, which is known first, is as good.
//!
//! Trees of two levels are solved for all pairs of columns at once: see `depth_two`. Columns that are equal, or the
//! opposite of each other, on the inputs of a node are one column there.
//!
//! Work is counted in words of bits that are looked at, not in time, so the result does not depend on the machine. When
//! the budget is spent, the best tree so far is the result, with a lower bound of what any tree costs.
//!
//! Example: the target is covered exactly if one of `a` and `b` is present, on 100 inputs each way. No first question
//! is better than another for the greedy learner; here all pairs are tried and the tree of three questions costs 3.

use gramercy_base::{Fingerprint, Map};

use super::cart::cart;
use super::depth_two::{DepthTwo, Local, Locals};
use super::{Node, Tree};
use crate::bits;
use crate::features::columns::Columns;

/// What an optimal tree is, and how long it is searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptimalOptions {
    /// The most questions on the way to a leaf.
    pub depth: u32,
    /// What a question costs, in inputs.
    pub leaf_cost: u64,
    /// The most words of bits that are looked at.
    pub budget: u64,
}

impl Default for OptimalOptions {
    fn default() -> Self {
        Self { depth: 3, leaf_cost: 1, budget: 2_000_000_000 }
    }
}

/// A tree with a proof of how good it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Optimal {
    /// The tree.
    pub tree: Tree,
    /// Its cost.
    pub cost: u64,
    /// No tree of this depth costs less.
    pub lower_bound: u64,
}

impl Optimal {
    /// By how much some other tree might be better; 0 if the tree is proved to be optimal.
    #[must_use]
    pub fn gap(&self) -> u64 {
        self.cost - self.lower_bound
    }
}

/// The best tree for a target that covers `positives`.
#[must_use]
pub fn optimal(columns: &Columns, positives: &[u64], options: OptimalOptions) -> Optimal {
    let rows = bits::all(columns.rows());
    let greedy = cart(columns, positives, &rows, options.depth);
    let greedy = greedy.counted(columns, positives, &rows);
    let greedy = pruned(&greedy, columns, positives, &rows, options.leaf_cost);
    let mut solver = Solver { columns, positives, options, work: 0, known: Map::default() };
    let found = solver.solve(&rows, options.depth, greedy.0);
    match found.tree {
        Some((cost, tree)) => {
            let tree = tree.counted(columns, positives, &rows);
            Optimal { tree, cost, lower_bound: found.lower.min(cost) }
        }
        None => Optimal {
            tree: greedy.1.counted(columns, positives, &rows),
            cost: greedy.0,
            lower_bound: found.lower.min(greedy.0),
        },
    }
}

/// The cheapest tree that is left of one when questions are taken away from below.
fn pruned(
    tree: &Tree,
    columns: &Columns,
    positives: &[u64],
    rows: &[u64],
    leaf_cost: u64,
) -> (u64, Tree) {
    let below = |at: usize| Tree { nodes: subtree(tree.nodes(), at) };
    let leaf = Sides::of(rows, positives).leaf();
    match tree.nodes()[0] {
        Node::Leaf { .. } => (leaf, Tree::leaf()),
        Node::Split { column, absent, present } => {
            let has = columns.column(column);
            let (without, with) = (bits::without(rows, has), bits::both(rows, has));
            let absent = pruned(&below(absent), columns, positives, &without, leaf_cost);
            let present = pruned(&below(present), columns, positives, &with, leaf_cost);
            let cost = absent.0 + present.0 + leaf_cost;
            match cost < leaf {
                true => (cost, Tree::split(column, &absent.1, &present.1)),
                false => (leaf, Tree::leaf()),
            }
        }
    }
}

/// The nodes below one of them, numbered anew.
fn subtree(nodes: &[Node], at: usize) -> Vec<Node> {
    match nodes[at] {
        leaf @ Node::Leaf { .. } => vec![leaf],
        Node::Split { column, absent, present } => {
            let absent = Tree { nodes: subtree(nodes, absent) };
            let present = Tree { nodes: subtree(nodes, present) };
            Tree::split(column, &absent, &present).nodes
        }
    }
}

/// How many inputs of a set cover the target, and how many do not.
#[derive(Clone, Copy)]
struct Sides {
    covered: u64,
    others: u64,
}

impl Sides {
    fn of(rows: &[u64], positives: &[u64]) -> Self {
        let covered = u64::from(bits::count_both(rows, positives));
        Self { covered, others: u64::from(bits::count(rows)) - covered }
    }

    /// The cost of a leaf.
    fn leaf(self) -> u64 {
        self.covered.min(self.others)
    }
}

/// What is known about the best tree of a set of inputs.
#[derive(Clone, Debug)]
struct Found {
    /// No tree costs less.
    lower: u64,
    /// The best tree, if it is below the bound that was asked for.
    tree: Option<(u64, Tree)>,
}

struct Solver<'s> {
    columns: &'s Columns,
    positives: &'s [u64],
    options: OptimalOptions,
    work: u64,
    known: Map<(u128, u32), Found>,
}

impl Solver<'_> {
    fn is_spent(&self) -> bool {
        self.work >= self.options.budget
    }

    /// The best tree of these rows that costs less than the bound.
    fn solve(&mut self, rows: &[u64], depth: u32, bound: u64) -> Found {
        let leaf = Sides::of(rows, self.positives).leaf();
        let as_leaf =
            |lower: u64| Found { lower, tree: (leaf < bound).then(|| (leaf, Tree::leaf())) };
        let leaf_cost = self.options.leaf_cost;
        if depth == 0 || leaf <= leaf_cost {
            return as_leaf(leaf);
        }
        // Every other tree costs at least one question.
        if bound <= leaf_cost {
            return Found { lower: leaf_cost.min(leaf), tree: None };
        }
        let key = (fingerprint(rows), depth);
        if let Some(found) = self.known.get(&key) {
            match &found.tree {
                Some((cost, _)) if *cost == found.lower => {
                    let tree = found.tree.clone().filter(|(cost, _)| *cost < bound);
                    return Found { lower: found.lower, tree };
                }
                _ if found.lower >= bound => return Found { lower: found.lower, tree: None },
                _ => {}
            }
        }
        let mut found = match depth {
            1 | 2 => self.shallow(rows, depth, bound.min(leaf)),
            _ => self.deep(rows, depth, bound.min(leaf)),
        };
        if found.tree.is_none() && leaf < bound {
            found = Found { lower: found.lower.min(leaf), tree: Some((leaf, Tree::leaf())) };
        }
        self.known.insert(key, found.clone());
        found
    }

    fn shallow(&mut self, rows: &[u64], depth: u32, bound: u64) -> Found {
        let locals = Locals::new(self.columns, self.positives, rows, &mut self.work);
        let left = self.options.budget.saturating_sub(self.work);
        let solver = DepthTwo { locals: &locals, leaf_cost: self.options.leaf_cost };
        let (found, work) = match depth {
            1 => solver.one_level(bound),
            _ => solver.two_levels(bound, left),
        };
        self.work += work;
        match found {
            Some((cost, tree, true)) => Found { lower: cost, tree: Some((cost, tree)) },
            Some((cost, tree, false)) => {
                Found { lower: self.options.leaf_cost.min(cost), tree: Some((cost, tree)) }
            }
            None if self.is_spent() => Found { lower: self.options.leaf_cost, tree: None },
            None => Found { lower: bound, tree: None },
        }
    }

    fn deep(&mut self, rows: &[u64], depth: u32, bound: u64) -> Found {
        let leaf_cost = self.options.leaf_cost;
        let locals = Locals::new(self.columns, self.positives, rows, &mut self.work);
        let (mut best, mut lower): (Option<(u64, Tree)>, u64) = (None, bound);
        let mut solved: Vec<(u32, u64)> = Vec::new();
        for Local { column, .. } in locals.by_impurity() {
            let most = best.as_ref().map_or(bound, |(cost, _)| *cost);
            if most <= leaf_cost {
                break;
            }
            if self.is_spent() {
                lower = lower.min(leaf_cost);
                break;
            }
            if self.is_similar(rows, column, &solved, most) {
                continue;
            }
            let found = self.with_first(rows, column as usize, depth, most);
            solved.push((column, found.lower));
            if let Some(tree) = found.tree {
                best = Some(tree);
            }
            lower = lower.min(found.lower);
        }
        let lower = best.as_ref().map_or(lower, |(cost, _)| lower.min(*cost));
        Found { lower, tree: best }
    }

    /// Whether a column cannot be better as the first question than one that was solved before.
    fn is_similar(&mut self, rows: &[u64], column: u32, solved: &[(u32, u64)], most: u64) -> bool {
        const LAST: usize = 64;
        let bits = self.columns.column(column as usize);
        solved.iter().rev().take(LAST).any(|&(other, cost)| {
            let other = self.columns.column(other as usize);
            self.work += rows.len() as u64;
            let differ = rows.iter().zip(bits.iter().zip(other));
            let differ: u32 = differ.map(|(rows, (a, b))| (rows & (a ^ b)).count_ones()).sum();
            cost.saturating_sub(u64::from(differ.min(bits::count(rows) - differ))) >= most
        })
    }

    /// The best tree with this first question that costs less than the bound.
    fn with_first(&mut self, rows: &[u64], column: usize, depth: u32, bound: u64) -> Found {
        let leaf_cost = self.options.leaf_cost;
        let has = self.columns.column(column);
        let (without, with) = (bits::without(rows, has), bits::both(rows, has));
        let least = |rows: &[u64]| Sides::of(rows, self.positives).leaf().min(leaf_cost);
        let (least_without, least_with) = (least(&without), least(&with));
        let lower = leaf_cost + least_without + least_with;
        if lower >= bound {
            return Found { lower, tree: None };
        }
        let absent = self.solve(&without, depth - 1, bound - leaf_cost - least_with);
        let lower = leaf_cost + absent.lower.max(least_without) + least_with;
        let Some((absent_cost, absent_tree)) = absent.tree else {
            return Found { lower, tree: None };
        };
        let present = self.solve(&with, depth - 1, bound - leaf_cost - absent_cost);
        let lower = leaf_cost + absent.lower.max(least_without) + present.lower.max(least_with);
        let Some((present_cost, present_tree)) = present.tree else {
            return Found { lower, tree: None };
        };
        let tree = Tree::split(column, &absent_tree, &present_tree);
        Found { lower, tree: Some((leaf_cost + absent_cost + present_cost, tree)) }
    }
}

fn fingerprint(rows: &[u64]) -> u128 {
    let mut print = Fingerprint::default();
    rows.iter().for_each(|&word| print.add(word));
    print.finish()
}

//! Greedy decision trees: CART with Gini impurity (Breiman, Friedman, Olshen, Stone, *Classification and Regression
//! Trees*, 1984).
//!
//! At each node every column is counted: how many inputs have it, and how many of these cover the target. The column
//! with the least weighted impurity becomes the question; among equals the first column wins, which is the shortest
//! path. Leaves may hold one input.
//!
//! Counting is the whole cost. Three things keep it low: only words of the bit sets that hold inputs of the node are
//! looked at; only the smaller child is counted and the other one is the difference; a column that is constant at a
//! node is not looked at below it. A level costs at most one pass over the table.
//!
//! Example: inputs `1`, `1+2`, `1*2`, `1*(2+3)`, where only the last covers the target. `(` splits off exactly the
//! last: impurity 0, and both sides become leaves.

use super::{Node, Tree};
use crate::bits;
use crate::features::columns::Columns;

/// A column with its counts at one node.
#[derive(Clone, Copy)]
struct Counted {
    column: u32,
    /// The inputs that have the feature.
    has: u32,
    /// Those of them that cover the target.
    covered: u32,
}

/// The inputs at one node.
struct NodeRows {
    rows: Vec<u64>,
    total: u32,
    covered: u32,
}

impl NodeRows {
    fn new(rows: Vec<u64>, positives: &[u64]) -> Self {
        let (total, covered) = (bits::count(&rows), bits::count_both(&rows, positives));
        Self { rows, total, covered }
    }

    fn is_pure(&self) -> bool {
        self.covered == 0 || self.covered == self.total
    }
}

/// The tree for a target that covers `positives`, learned from some of the rows.
#[must_use]
pub fn cart(columns: &Columns, positives: &[u64], rows: &[u64], max_depth: u32) -> Tree {
    weighted_cart(columns, positives, rows, max_depth, 1.0)
}

/// As [`cart`], where each input that covers the target counts as much as `weight` others.
#[must_use]
pub fn weighted_cart(
    columns: &Columns,
    positives: &[u64],
    rows: &[u64],
    max_depth: u32,
    weight: f64,
) -> Tree {
    let growing = Growing { columns, positives, weight };
    let part = NodeRows::new(rows.to_vec(), positives);
    let all = 0..u32::try_from(columns.len()).expect("invariant: columns fit in 32 bits");
    let counted = match max_depth == 0 || part.is_pure() {
        true => Vec::new(),
        false => growing.count(all, &part),
    };
    growing.grow(&part, counted, max_depth)
}

struct Growing<'g> {
    columns: &'g Columns,
    positives: &'g [u64],
    /// How much an input that covers the target counts.
    weight: f64,
}

impl Growing<'_> {
    /// Recursion goes no deeper than the requested depth.
    fn grow(&self, part: &NodeRows, counted: Vec<Counted>, depth: u32) -> Tree {
        let best = match depth == 0 || part.is_pure() {
            true => None,
            false => best(part, &counted, self.weight),
        };
        let Some(best) = best else {
            let leaf = Node::Leaf { covered: part.covered, total: part.total };
            return Tree { nodes: vec![leaf] };
        };
        let has = self.columns.column(best.column as usize);
        let present = NodeRows::new(bits::both(&part.rows, has), self.positives);
        let absent = NodeRows::new(bits::without(&part.rows, has), self.positives);
        let (of_present, of_absent) = match depth == 1 {
            true => (Vec::new(), Vec::new()),
            false => self.share(&counted, &present, &absent),
        };
        drop(counted);
        let present = self.grow(&present, of_present, depth - 1);
        let absent = self.grow(&absent, of_absent, depth - 1);
        Tree::split(best.column as usize, &absent, &present)
    }

    /// The counts of both children: the smaller one is counted, the other one is what remains.
    fn share(
        &self,
        counted: &[Counted],
        present: &NodeRows,
        absent: &NodeRows,
    ) -> (Vec<Counted>, Vec<Counted>) {
        let columns = counted.iter().map(|counted| counted.column);
        let is_present_smaller = present.total <= absent.total;
        let smaller = if is_present_smaller { present } else { absent };
        let small = self.count(columns, smaller);
        let rest = |(all, small): (&Counted, &Counted)| Counted {
            column: all.column,
            has: all.has - small.has,
            covered: all.covered - small.covered,
        };
        let large: Vec<Counted> = counted.iter().zip(&small).map(rest).collect();
        let (of_present, of_absent) =
            if is_present_smaller { (small, large) } else { (large, small) };
        (varying(of_present, present), varying(of_absent, absent))
    }

    fn count(&self, columns: impl Iterator<Item = u32>, part: &NodeRows) -> Vec<Counted> {
        let words = part.rows.iter().zip(self.positives).enumerate();
        let words: Vec<(usize, u64, u64)> = words
            .filter(|(_, (rows, _))| **rows != 0)
            .map(|(at, (&rows, &positives))| (at, rows, rows & positives))
            .collect();
        let count = |column: u32| {
            let bits = self.columns.column(column as usize);
            let (mut has, mut covered) = (0, 0);
            for &(at, rows, positives) in &words {
                has += (bits[at] & rows).count_ones();
                covered += (bits[at] & positives).count_ones();
            }
            Counted { column, has, covered }
        };
        columns.map(count).collect()
    }
}

/// The columns that are not constant at a node.
fn varying(mut counted: Vec<Counted>, part: &NodeRows) -> Vec<Counted> {
    match part.is_pure() {
        true => Vec::new(),
        false => {
            counted.retain(|counted| counted.has > 0 && counted.has < part.total);
            counted
        }
    }
}

/// The column with the least impurity of its two sides, weighted by their inputs.
fn best(part: &NodeRows, counted: &[Counted], weight: f64) -> Option<Counted> {
    let mut best: Option<(f64, Counted)> = None;
    for &counted in counted {
        if counted.has == 0 || counted.has == part.total {
            continue;
        }
        let absent = (part.covered - counted.covered, part.total - counted.has);
        let present = impurity(counted.covered, counted.has, weight);
        let absent = impurity(absent.0, absent.1, weight);
        let sum = present + absent;
        // Sums that differ by rounding only are equal.
        if best.is_none_or(|(least, _)| sum < least - 1e-9) {
            best = Some((sum, counted));
        }
    }
    best.map(|(_, counted)| counted)
}

/// The Gini impurity times the weight of the inputs: 2 p q / (p + q), where p and q are the weights of both classes.
fn impurity(covered: u32, total: u32, weight: f64) -> f64 {
    let (p, q) = (f64::from(covered) * weight, f64::from(total - covered));
    2.0 * p * q / (p + q)
}

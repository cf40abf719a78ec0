//! The best trees of one and two levels for a set of inputs, by counting all pairs of columns.
//!
//! The inputs of a node are packed together, those that cover the target first, and columns that tell the same about
//! them are merged. For every pair of columns i and j one count is needed: the inputs that have both. The inputs on all
//! four sides follow from it by subtraction, and with them the cost of j below i and of i below j on either side. So
//! the best second question of each side of each first question is known after one pass over all pairs.
//!
//! Quadratic in the number of different columns, times the number of packed words.

use gramercy_base::{Fingerprint, Set};

use super::Tree;
use crate::bits;
use crate::features::columns::Columns;

/// A column as it is on the inputs of one node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Local {
    /// Its number in the whole table.
    pub(super) column: u32,
    /// The inputs that have it and cover the target.
    covered: u32,
    /// The inputs that have it and do not cover the target.
    others: u32,
}

/// The different columns on the inputs of one node.
pub(super) struct Locals {
    all: Vec<Local>,
    /// The packed bits of each column: first those that cover the target, padded to whole words, then the others.
    bits: Vec<u64>,
    /// Words of inputs that cover the target, and of all inputs.
    covered_words: usize,
    words: usize,
    covered: u32,
    others: u32,
}

impl Locals {
    /// The columns that are not constant on these rows; of those that are equal or opposite only the first.
    pub(super) fn new(columns: &Columns, positives: &[u64], rows: &[u64], work: &mut u64) -> Self {
        let covered: Vec<usize> = bits::ones(&bits::both(rows, positives)).collect();
        let others: Vec<usize> = bits::ones(&bits::without(rows, positives)).collect();
        let covered_words = bits::words(covered.len());
        let words = covered_words + bits::words(others.len());
        let mut made = Self {
            all: Vec::new(),
            bits: Vec::new(),
            covered_words,
            words,
            covered: u32::try_from(covered.len()).expect("invariant: rows fit in 32 bits"),
            others: u32::try_from(others.len()).expect("invariant: rows fit in 32 bits"),
        };
        let order: Vec<(usize, usize)> = covered
            .iter()
            .copied()
            .zip(0..)
            .chain(others.iter().copied().zip(covered_words * 64..))
            .collect();
        let full = [bits::all(covered.len()), bits::all(others.len())].concat();
        let (mut seen, mut packed) = (Set::default(), vec![0; words]);
        for column in 0..columns.len() {
            let from = columns.column(column);
            *work += rows.len() as u64;
            let has = bits::count_both(from, rows);
            if has == 0 || has as usize == order.len() {
                continue;
            }
            packed.fill(0);
            for &(row, to) in &order {
                packed[to / 64] |= (from[row / 64] >> (row % 64) & 1) << (to % 64);
            }
            *work += order.len() as u64 / 8;
            if seen.insert(up_to_negation(&packed, &full, order.first().map_or(0, |first| first.1)))
            {
                let covered = bits::count(&packed[..covered_words]);
                let others = bits::count(&packed[covered_words..]);
                let column = u32::try_from(column).expect("invariant: columns fit in 32 bits");
                made.all.push(Local { column, covered, others });
                made.bits.extend_from_slice(&packed);
            }
        }
        made
    }

    fn column(&self, at: usize) -> &[u64] {
        &self.bits[at * self.words..(at + 1) * self.words]
    }

    /// The columns, those first that separate best by one question.
    pub(super) fn by_impurity(&self) -> Vec<Local> {
        let mut order = self.all.clone();
        let impurity = |covered: u32, others: u32| {
            let (p, n) = (f64::from(covered), f64::from(others));
            if p + n > 0.0 { p * n / (p + n) } else { 0.0 }
        };
        let of = |local: &Local| {
            impurity(local.covered, local.others)
                + impurity(self.covered - local.covered, self.others - local.others)
        };
        order.sort_by(|a, b| of(a).total_cmp(&of(b)).then(a.column.cmp(&b.column)));
        order
    }
}

/// A fingerprint that a column and its opposite share.
fn up_to_negation(packed: &[u64], full: &[u64], first: usize) -> u128 {
    let is_negated = bits::contains(packed, first);
    let mut print = Fingerprint::default();
    for (&word, &full) in packed.iter().zip(full) {
        print.add(if is_negated { !word & full } else { word });
    }
    print.finish()
}

/// The best second question on one side of a first one.
#[derive(Clone, Copy)]
struct Second {
    errors: u32,
    column: u32,
}

/// A tree with its cost, and whether it is proved to be the best.
type Best = Option<(u64, Tree, bool)>;

/// Finds the best trees of one and two levels.
pub(super) struct DepthTwo<'l> {
    pub(super) locals: &'l Locals,
    pub(super) leaf_cost: u64,
}

impl DepthTwo<'_> {
    /// The best tree with one question that costs less than the bound, and the work that it took.
    pub(super) fn one_level(&self, bound: u64) -> (Best, u64) {
        let Locals { all, covered, others, .. } = self.locals;
        let mut best: Best = None;
        for local in all {
            let present = local.covered.min(local.others);
            let absent = (covered - local.covered).min(others - local.others);
            let cost = self.leaf_cost + u64::from(present) + u64::from(absent);
            if cost < best.as_ref().map_or(bound, |(cost, ..)| *cost) {
                let tree = Tree::split(local.column as usize, &Tree::leaf(), &Tree::leaf());
                best = Some((cost, tree, true));
            }
        }
        (best, all.len() as u64)
    }

    /// The best tree with at most three questions that costs less than the bound, and the work that it took.
    pub(super) fn two_levels(&self, bound: u64, budget: u64) -> (Best, u64) {
        let Locals { all, covered_words, words, covered, others, .. } = self.locals;
        let (covered, others) = (*covered, *others);
        let none = Second { errors: u32::MAX, column: u32::MAX };
        let mut seconds = vec![[none; 2]; all.len()];
        let (mut work, mut is_complete) = (0, true);
        for (i, a) in all.iter().enumerate() {
            if work >= budget {
                is_complete = false;
                break;
            }
            work += (i * words) as u64;
            let (bits_a, mut of_a) = (self.locals.column(i), seconds[i]);
            for (j, b) in all[..i].iter().enumerate() {
                let bits_b = self.locals.column(j);
                let both_covered =
                    bits::count_both(&bits_a[..*covered_words], &bits_b[..*covered_words]);
                let both_others =
                    bits::count_both(&bits_a[*covered_words..], &bits_b[*covered_words..]);
                let both = both_covered.min(both_others);
                let only_a = (a.covered - both_covered).min(a.others - both_others);
                let only_b = (b.covered - both_covered).min(b.others - both_others);
                let neither = (covered + both_covered - a.covered - b.covered)
                    .min(others + both_others - a.others - b.others);
                improve(&mut of_a[1], both + only_a, b.column);
                improve(&mut of_a[0], only_b + neither, b.column);
                improve(&mut seconds[j][1], both + only_b, a.column);
                improve(&mut seconds[j][0], only_a + neither, a.column);
            }
            seconds[i] = of_a;
        }
        let mut best: Best = None;
        for (local, seconds) in all.iter().zip(&seconds) {
            let present = self.side(local.covered.min(local.others), seconds[1]);
            let absent = (covered - local.covered).min(others - local.others);
            let absent = self.side(absent, seconds[0]);
            let cost = self.leaf_cost + present.0 + absent.0;
            if cost < best.as_ref().map_or(bound, |(cost, ..)| *cost) {
                let tree = Tree::split(local.column as usize, &absent.1, &present.1);
                best = Some((cost, tree, is_complete));
            }
        }
        (best, work)
    }

    /// The better of a leaf and of one more question.
    fn side(&self, leaf: u32, second: Second) -> (u64, Tree) {
        let split = self.leaf_cost + u64::from(second.errors);
        match split < u64::from(leaf) {
            true => (split, Tree::split(second.column as usize, &Tree::leaf(), &Tree::leaf())),
            false => (u64::from(leaf), Tree::leaf()),
        }
    }
}

fn improve(second: &mut Second, errors: u32, column: u32) {
    if errors < second.errors || (errors == second.errors && column < second.column) {
        *second = Second { errors, column };
    }
}

//! How probable it is that some number of independent trees cover all elements.
//!
//! With few classes of elements this is exact, by inclusion and exclusion: Σ over sets S of classes of
//! (−1)^|S| · (probability that one tree covers none of S)^N. Otherwise it is between bounds that always hold:
//! 1 − Σ (1 − q(f))^N from below, and the least 1 − (1 − q(f))^N from above, where q(f) is the probability that one
//! tree covers f. Both are increasing in N.

use gramercy_analysis::counts::{Restriction, Short};
use gramercy_base::{IdSet, LimitReached};

use super::super::elements::Elements;
use super::probabilities::{Probabilities, sum};
use super::program::Solution;

/// The probability that trees cover everything, by their number.
#[derive(Clone, Debug)]
pub struct Covering {
    /// For each class that not all trees cover, the probability that one tree does.
    single: Vec<f64>,
    /// For each set of those classes, as bits, the probability that one tree covers none; if they are few.
    none: Option<Vec<f64>>,
}

/// The most classes with an exact probability: their sets are counted one by one.
const MOST_EXACT: usize = 8;
/// The largest number of trees that is looked for.
const MOST_TREES: u64 = 1 << 60;

/// A probability with bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounded {
    /// It is at least this.
    pub least: f64,
    /// It is at most this.
    pub most: f64,
}

impl Covering {
    /// Of plain uniform trees.
    ///
    /// # Errors
    /// If tables take more memory than allowed.
    pub(super) fn plain(elements: &Elements, known: &Probabilities) -> Result<Self, LimitReached> {
        let open = open(known);
        let single = open.iter().map(|&class| known.p[class]).collect();
        let none = none_of_sets(elements, known, &open)?;
        Ok(Self { single, none })
    }

    /// Of trees that are drawn by a plan.
    ///
    /// # Errors
    /// If tables take more memory than allowed.
    pub(super) fn biased(
        elements: &Elements,
        known: &Probabilities,
        solution: &Solution,
        covered: &[f64],
    ) -> Result<Self, LimitReached> {
        let open = open(known);
        let single = open.iter().map(|&class| covered[class]).collect();
        let none = none_of_sets(elements, known, &open)?.map(|none| {
            let of_set = |set: usize| {
                let share = |(class, pi): (usize, &f64)| match open
                    .iter()
                    .position(|&of| of == class)
                {
                    // A class that all trees cover asks for nothing.
                    None => pi * none[set],
                    Some(bit) => pi * (none[set] - none[set | 1 << bit]).max(0.0) / known.p[class],
                };
                solution.pi.iter().enumerate().map(share).sum::<f64>().clamp(0.0, 1.0)
            };
            (0..none.len()).map(of_set).collect()
        });
        Ok(Self { single, none })
    }

    /// Whether probabilities are exact.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.none.is_some()
    }

    /// The probability that some number of trees cover everything.
    #[must_use]
    pub fn probability(&self, trees: u64) -> Bounded {
        if self.single.is_empty() && trees > 0 {
            return Bounded { least: 1.0, most: 1.0 };
        }
        if let Some(none) = &self.none {
            let term = |(set, none): (usize, &f64)| {
                let sign = if set.count_ones() % 2 == 0 { 1.0 } else { -1.0 };
                sign * power(*none, trees)
            };
            let exact = none.iter().enumerate().map(term).sum::<f64>().clamp(0.0, 1.0);
            return Bounded { least: exact, most: exact };
        }
        let missed = || self.single.iter().map(|q| power(1.0 - q, trees));
        let least = (1.0 - missed().sum::<f64>()).max(0.0);
        Bounded { least, most: 1.0 - missed().fold(0.0, f64::max) }
    }

    /// The least number of trees that cover everything with a probability of at least this; `None` if no number does,
    /// or one that is beyond reason. With bounds, the numbers at which the upper and the lower one reach it.
    #[must_use]
    pub fn trees_for(&self, confidence: f64) -> (Option<u64>, Option<u64>) {
        let first = |reaches: &dyn Fn(u64) -> bool| {
            let mut high = 1_u64;
            while !reaches(high) {
                high = high.checked_mul(2).filter(|&high| high <= MOST_TREES)?;
            }
            let mut low = high / 2;
            while low + 1 < high {
                let middle = low + (high - low) / 2;
                match reaches(middle) {
                    true => high = middle,
                    false => low = middle,
                }
            }
            Some(high)
        };
        (
            first(&|trees| self.probability(trees).most >= confidence),
            first(&|trees| self.probability(trees).least >= confidence),
        )
    }
}

#[expect(clippy::cast_precision_loss, reason = "numbers of trees beyond 2^53 need no precision")]
fn power(base: f64, exponent: u64) -> f64 {
    // By logarithms: bases are near 1 where elements are rare.
    if base <= 0.0 {
        return if exponent == 0 { 1.0 } else { 0.0 };
    }
    (exponent as f64 * base.ln()).exp()
}

/// The classes that not all trees cover.
fn open(known: &Probabilities) -> Vec<usize> {
    (0..known.classes()).filter(|&class| known.p[class] < 1.0).collect()
}

/// For each set of classes, the probability that a uniform tree covers none of them; if they are few.
fn none_of_sets(
    elements: &Elements,
    known: &Probabilities,
    open: &[usize],
) -> Result<Option<Vec<f64>>, LimitReached> {
    if open.len() > MOST_EXACT {
        return Ok(None);
    }
    let space = &*elements.space;
    let total = sum(space, &space.tables(&Short, &Restriction::All)?);
    let mut none = Vec::with_capacity(1 << open.len());
    for set in 0..1_usize << open.len() {
        let mut excluded = IdSet::new(space.forms().cfg().production_count());
        for (_, &class) in open.iter().enumerate().filter(|(bit, _)| set >> bit & 1 == 1) {
            let productions = &elements.list[known.first_of[class]].productions;
            excluded.union_with(productions.words());
        }
        let tables = space.tables(&Short, &Restriction::Without(&excluded))?;
        none.push(sum(space, &tables).ratio(&total).min(1.0));
    }
    Ok(Some(none))
}

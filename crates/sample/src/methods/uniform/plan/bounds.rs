//! How probable it is that some number of independent trees cover all elements.
//!
//! With few classes of elements this is exact, by inclusion and exclusion: the probability that N trees miss something
//! is Σ over non-empty sets S of classes of (−1)^(|S|+1) · (1 − s(S))^N, where s(S) is the probability that one tree
//! covers some of S. Otherwise it is between bounds that always hold: at least the greatest (1 − q(f))^N and at most
//! Σ (1 − q(f))^N, where q(f) is the probability that one tree covers f. Both decrease with N.
//!
//! Elements can be so rare that 1 − q rounds to 1. So s and q are counted without a subtraction from 1, powers are
//! computed as exp(N · ln(1 − q)) with `ln_1p`, and what is small is kept: the probability that something is missed
//! for many trees, and that everything is covered for few.
//!
//! Example: one element with q = 5.7e-18 is covered with probability 0.99 by N = ln 0.01 / ln(1 − q) = 8.1e17 trees.
//!
//! Cost: one table for each set of at most [`MOST_EXACT`] classes; each probability takes time in the number of sets
//! or classes, and a number of trees is found by at most 256 of them.

use gramercy_analysis::counts::{Restriction, Short};
use gramercy_base::{IdSet, LimitReached};
use gramercy_grammar::ProductionId;

use super::super::elements::Elements;
use super::probabilities::{Probabilities, SMALL, sum};
use super::program::Solution;

/// The probability that trees cover everything, by their number.
#[derive(Clone, Debug)]
pub struct Covering {
    /// For each class that not all trees cover, the probability that one tree does.
    single: Vec<f64>,
    /// For each set of those classes, as bits, the probability that one tree covers some of it; if they are few.
    some: Option<Vec<f64>>,
}

/// The most classes with an exact probability: their sets are counted one by one.
pub const MOST_EXACT: usize = 8;

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
        let some = match open.len() > MOST_EXACT {
            true => None,
            false => Some(Sets { elements, known, open: &open }.covered_by_uniform_trees()?),
        };
        Ok(Self { single, some })
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
        plain: &Self,
    ) -> Result<Self, LimitReached> {
        let open = open(known);
        let single = open.iter().map(|&class| covered[class]).collect();
        let Some(some) = &plain.some else { return Ok(Self { single, some: None }) };
        let sets = Sets { elements, known, open: &open };
        let mut planned = vec![0.0; some.len()];
        for (class, &pi) in solution.pi.iter().enumerate().filter(|(_, pi)| **pi > 0.0) {
            for (set, planned) in planned.iter_mut().enumerate() {
                *planned += pi * sets.covered_with(class, set, some)?;
            }
        }
        planned.iter_mut().for_each(|planned| *planned = planned.min(1.0));
        Ok(Self { single, some: Some(planned) })
    }

    /// Whether probabilities are exact.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.some.is_some()
    }

    /// The probability that some number of trees cover everything.
    #[must_use]
    pub fn probability(&self, trees: u128) -> Bounded {
        if self.single.is_empty() && trees > 0 {
            return Bounded { least: 1.0, most: 1.0 };
        }
        let rarest = self.single.iter().copied().fold(1.0, f64::min);
        let most = 1.0 - missed(rarest, trees);
        // Near 0 this is more precise than the difference.
        let most = if most < 0.5 { covered(rarest, trees) } else { most };
        let missing = self.missing(trees).most;
        match self.is_exact() {
            true if self.single.len() == 1 => Bounded { least: most, most },
            true => {
                let exact = (1.0 - missing).clamp(0.0, most);
                Bounded { least: exact, most: exact }
            }
            false => Bounded { least: 1.0 - missing, most },
        }
    }

    /// The probability that some number of trees leave something uncovered.
    fn missing(&self, trees: u128) -> Bounded {
        let each = || self.single.iter().map(|&q| missed(q, trees));
        let (least, most) = (each().fold(0.0, f64::max), each().sum::<f64>().min(1.0));
        let Some(some) = &self.some else { return Bounded { least, most } };
        let term = |(set, some): (usize, &f64)| {
            let sign = if set.count_ones() % 2 == 1 { 1.0 } else { -1.0 };
            sign * missed(*some, trees)
        };
        let exact = some.iter().enumerate().skip(1).map(term).sum::<f64>();
        // The bounds hold in any case, so rounding of the sum does not pass them.
        let exact = exact.clamp(least, most);
        Bounded { least: exact, most: exact }
    }

    /// The least number of trees that cover everything with a probability of at least this; `None` if it has more than
    /// 38 digits. With bounds, the numbers at which the upper and the lower one reach it.
    #[must_use]
    pub fn trees_for(&self, confidence: f64) -> (Option<u128>, Option<u128>) {
        let allowed = 1.0 - confidence;
        (
            first(|trees| self.missing(trees).least <= allowed),
            first(|trees| self.missing(trees).most <= allowed),
        )
    }
}

/// The first positive number that satisfies a monotone condition.
fn first(reaches: impl Fn(u128) -> bool) -> Option<u128> {
    let mut high = 1_u128;
    while !reaches(high) {
        high = high.checked_mul(2)?;
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
}

/// The logarithm of the probability that trees all miss what one of them covers with a probability.
#[expect(clippy::cast_precision_loss, reason = "numbers of trees beyond 2^53 need no precision")]
fn log_missed(probability: f64, trees: u128) -> f64 {
    // 0 · ln 0 is not a number.
    if trees == 0 { 0.0 } else { trees as f64 * (-probability.min(1.0)).ln_1p() }
}

fn missed(probability: f64, trees: u128) -> f64 {
    log_missed(probability, trees).exp()
}

fn covered(probability: f64, trees: u128) -> f64 {
    -log_missed(probability, trees).exp_m1()
}

/// Sets of classes that not all trees cover, as bits.
struct Sets<'s> {
    elements: &'s Elements,
    known: &'s Probabilities,
    open: &'s [usize],
}

impl Sets<'_> {
    /// For each set, the probability that a uniform tree covers some of it.
    fn covered_by_uniform_trees(&self) -> Result<Vec<f64>, LimitReached> {
        let space = &*self.elements.space;
        let all = space.tables(&Short, &Restriction::All)?;
        let total = sum(space, &all);
        let mut some = Vec::with_capacity(1 << self.open.len());
        for set in 0..1_usize << self.open.len() {
            let wanted = self.productions(set);
            let without = space.tables(&Short, &Restriction::Without(&wanted, &all))?;
            let with = space.tables(&Short, &Restriction::With(&wanted, &all, &without))?;
            some.push(sum(space, &with).ratio(&total).min(1.0));
        }
        Ok(some)
    }

    /// The probability that a uniform tree that covers a class covers some of a set, given what uniform trees cover.
    fn covered_with(&self, class: usize, set: usize, some: &[f64]) -> Result<f64, LimitReached> {
        let p = self.known.p[class];
        match self.open.iter().position(|&of| of == class) {
            // A class that all trees cover asks for nothing.
            None => Ok(some[set]),
            Some(bit) if set >> bit & 1 == 1 => Ok(1.0),
            Some(bit) if p >= SMALL => {
                let either = some[set | 1 << bit];
                Ok(((p + some[set] - either) / p).clamp(0.0, 1.0))
            }
            // Of a rare class that difference has no precision: its trees without the set are counted.
            Some(_) => {
                let wanted = &self.elements.list[self.known.first_of[class]].productions;
                let with = |space: &super::super::space::TreeSpace| {
                    let all = space.tables(&Short, &Restriction::All)?;
                    let without = space.tables(&Short, &Restriction::Without(wanted, &all))?;
                    let with = Restriction::With(wanted, &all, &without);
                    Ok(sum(space, &space.tables(&Short, &with)?))
                };
                let space = &*self.elements.space;
                let alone = with(&space.without(&self.productions(set)))?.ratio(&with(space)?);
                Ok((1.0 - alone).clamp(0.0, 1.0))
            }
        }
    }

    /// The productions that cover some class of a set.
    fn productions(&self, set: usize) -> IdSet<ProductionId> {
        let mut productions = IdSet::new(self.elements.space.forms().cfg().production_count());
        for (_, &class) in self.open.iter().enumerate().filter(|(bit, _)| set >> bit & 1 == 1) {
            let of_class = &self.elements.list[self.known.first_of[class]].productions;
            productions.union_with(of_class.words());
        }
        productions
    }
}

/// The classes that not all trees cover.
fn open(known: &Probabilities) -> Vec<usize> {
    (0..known.classes()).filter(|&class| known.p[class] < 1.0).collect()
}

#[cfg(test)]
mod tests {
    use super::{Bounded, Covering};

    fn one(q: f64) -> Covering {
        Covering { single: vec![q], some: Some(vec![0.0, q]) }
    }

    /// ln 0.01 / ln(1 − q), which is 4.605… / q for small q.
    #[test]
    fn rare_elements_need_many_trees() {
        for (q, expected) in [(5.7e-18, 8.079_2e17), (1e-30, 4.605_17e30), (1e-37, 4.605_17e37)] {
            let (least, certain) = one(q).trees_for(0.99);
            assert_eq!(least, certain);
            let found = certain.expect("it has fewer than 39 digits") as f64;
            assert!((found / expected - 1.0).abs() < 1e-4, "{q}: {found}");
        }
        assert_eq!(one(1e-39).trees_for(0.99), (None, None));
        // Small enough to be looked at: 1 − (1 − 0.3)^N ≥ 0.99 from N = 13 on.
        assert_eq!(one(0.3).trees_for(0.99).1, Some(13));
        assert_eq!(one(1.0).trees_for(0.99).1, Some(1));
    }

    #[test]
    fn small_probabilities_keep_their_digits() {
        let Bounded { least, most } = one(1e-20).probability(10);
        assert!((most / 1e-19 - 1.0).abs() < 1e-9, "{most}");
        assert!(least <= most);
        let many = Covering { single: vec![1e-20; 20], some: None };
        assert_eq!(many.probability(10).least, 0.0);
        assert!((many.probability(10).most / 1e-19 - 1.0).abs() < 1e-9);
        // Twenty elements are missed at most twenty times as often as one.
        let (least, certain) = many.trees_for(0.99);
        let ratio = certain.expect("few digits") as f64 / least.expect("few digits") as f64;
        assert!((ratio - (2000.0_f64).ln() / (100.0_f64).ln()).abs() < 1e-6, "{ratio}");
    }
}

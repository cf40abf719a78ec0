//! Suites for small sets of targets (paper 001 §4.4): for every size from 1 on, for the first few
//! subsets of that size, the tests that cover these targets. Their coverage ranges from almost nothing
//! to all, so that it can be compared with what programs make of them.
//!
//! Subsets are listed in the order of their targets' ranks; none is held but the one in hand.

use gramercy_base::{LimitReached, Limits};
use gramercy_coverage::{TargetId, Views};

use super::{KPathOptions, KPathStrategy};
use crate::draft::Draft;
use crate::strategy::Sequential;

/// A subset of targets, and the tests that cover it.
#[derive(Clone, Debug)]
pub struct Forest {
    /// The targets asked for.
    pub targets: Vec<TargetId>,
    /// The tests; they may cover more.
    pub tests: Vec<Draft>,
}

/// Which subsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForestOptions {
    /// Sizes from 1 up to this one.
    pub largest: usize,
    /// So many subsets of each size.
    pub each: usize,
}

impl Default for ForestOptions {
    fn default() -> Self {
        Self { largest: 20, each: 20 }
    }
}

/// Makes the forests one by one, until one cannot be made or `consume` says that it is enough.
///
/// # Errors
/// If there are more paths than the limit on targets.
pub fn forests(
    views: &Views<'_>,
    paths: &KPathOptions,
    options: ForestOptions,
    limits: &Limits,
    mut consume: impl FnMut(Forest),
) -> Result<(), LimitReached> {
    let all: Vec<TargetId> = {
        let strategy = KPathStrategy::new(views, paths.clone(), limits)?;
        // The first subsets of n targets out of very many lie among the first n + each ones.
        strategy.missing().iter().take(options.largest.saturating_add(options.each)).collect()
    };
    for size in 1..=options.largest.min(all.len()) {
        for subset in Subsets::new(all.len(), size).take(options.each) {
            let targets: Vec<TargetId> = subset.iter().map(|&at| all[at]).collect();
            let wanted = Some(targets.iter().copied().collect());
            let options = KPathOptions { wanted, ..paths.clone() };
            let mut strategy = KPathStrategy::new(views, options, limits)?;
            let (mut tests, mut draft) = (Vec::new(), Draft::default());
            while strategy.next(&mut draft) {
                tests.push(std::mem::take(&mut draft));
            }
            consume(Forest { targets, tests });
        }
    }
    Ok(())
}

/// The subsets of the numbers below a bound, of one size, in lexicographic order.
struct Subsets {
    bound: usize,
    next: Option<Vec<usize>>,
}

impl Subsets {
    fn new(bound: usize, size: usize) -> Self {
        Self { bound, next: (size <= bound).then(|| (0..size).collect()) }
    }
}

impl Iterator for Subsets {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        let current = self.next.take()?;
        let mut next = current.clone();
        let size = next.len();
        // The last number that can still grow does; those behind it follow.
        let grows = (0..size).rev().find(|&at| next[at] + size - at < self.bound);
        if let Some(at) = grows {
            let from = next[at] + 1;
            next[at..].iter_mut().zip(from..).for_each(|(number, next)| *number = next);
            self.next = Some(next);
        }
        Some(current)
    }
}

#[cfg(test)]
mod tests {
    use super::Subsets;

    #[test]
    fn subsets_come_in_order_and_each_once() {
        let subsets: Vec<Vec<usize>> = Subsets::new(4, 2).collect();
        assert_eq!(subsets, [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
        assert_eq!(Subsets::new(3, 3).count(), 1);
        assert_eq!(Subsets::new(2, 3).count(), 0);
    }
}

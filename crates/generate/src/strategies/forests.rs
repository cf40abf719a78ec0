//! Subsets of targets of growing size (Havrikov, Kampmann, Zeller, TOSEM, section 4.4): for every size from 1 on, the
//! first few subsets of that size. The suites for them, *forests*, cover from almost nothing to all, so that coverage
//! can be compared with what programs make of the tests.
//!
//! Subsets are listed in the order of their targets' ranks; none is held but the one in hand.

use gramercy_coverage::TargetId;

/// Which subsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForestOptions {
    /// Sizes from 1 up to this one.
    pub largest: usize,
    /// The number of subsets of each size.
    pub each: usize,
}

impl Default for ForestOptions {
    fn default() -> Self {
        Self { largest: 20, each: 20 }
    }
}

/// The subsets of some targets, given in ascending order, smaller ones first.
pub fn subsets(
    targets: impl IntoIterator<Item = TargetId>,
    options: ForestOptions,
) -> impl Iterator<Item = Vec<TargetId>> {
    // The first subsets of n targets out of very many lie among the first n + each ones.
    let enough = options.largest.saturating_add(options.each);
    let all: Vec<TargetId> = targets.into_iter().take(enough).collect();
    (1..=options.largest.min(all.len())).flat_map(move |size| {
        let of_size = Subsets::new(all.len(), size).take(options.each);
        let ranks = |subset: Vec<usize>| subset.into_iter().map(|at| all[at]).collect();
        of_size.map(ranks).collect::<Vec<Vec<TargetId>>>()
    })
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
        // The last number that can still grow does; those after it follow.
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
    use super::{ForestOptions, Subsets, subsets};

    #[test]
    fn subsets_come_in_order_and_each_once() {
        let subsets: Vec<Vec<usize>> = Subsets::new(4, 2).collect();
        assert_eq!(subsets, [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
        assert_eq!(Subsets::new(3, 3).count(), 1);
        assert_eq!(Subsets::new(2, 3).count(), 0);
    }

    #[test]
    fn the_first_subsets_of_many_are_those_of_all() {
        let options = ForestOptions { largest: 3, each: 4 };
        let few: Vec<_> = subsets(0..7, options).collect();
        assert_eq!(few, subsets(0..1_000_000_000_000, options).collect::<Vec<_>>());
        assert_eq!(few.len(), 12);
        assert_eq!(few[11], [0, 1, 5]);
        let all: Vec<_> = subsets([5, 9], options).collect();
        assert_eq!(all, [&[5][..], &[9], &[5, 9]]);
    }
}

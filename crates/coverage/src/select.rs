//! A small subset of tests that covers all that they cover together: greedy set cover.
//!
//! Lazy greedy: a test's gain only falls while others are chosen, so the one with the greatest known
//! gain is counted again, and chosen if it is still ahead. The greedy choice is at most
//! 1 + ½ + … + 1/d times as large as the smallest possible one, d being the most targets that one
//! test covers; no better bound holds for any fast method. Ties go to the test listed first.

use std::collections::BinaryHeap;

use crate::targets::TargetSet;

/// A chosen subset.
#[derive(Clone, Debug, PartialEq)]
pub struct Selection {
    /// The chosen tests, in the order of choice.
    pub chosen: Vec<usize>,
    /// For each of them, how many targets it was the first to cover.
    pub gains: Vec<u64>,
    /// Upper bound for the ratio to the smallest selection.
    pub bound: f64,
}

/// A subset of tests that covers what all of them cover, over several criteria at once.
#[must_use]
pub fn select(tests: &[Vec<TargetSet>]) -> Selection {
    let criteria = tests.first().map_or(0, Vec::len);
    let mut covered = vec![TargetSet::new(); criteria];
    greedy(
        tests.len(),
        &mut covered,
        |covered, at| {
            covered.iter().zip(&tests[at]).map(|(covered, test)| covered.missing_from(test)).sum()
        },
        |covered, at| {
            for (covered, test) in covered.iter_mut().zip(&tests[at]) {
                covered.union_with(test);
            }
        },
    )
}

/// The greedy selection among `tests` tests, whose gains only fall: `gain` tells how many targets a test
/// covers that are not covered yet, `take` covers them.
pub fn greedy<C>(
    tests: usize,
    covered: &mut C,
    gain: impl Fn(&C, usize) -> u64,
    mut take: impl FnMut(&mut C, usize),
) -> Selection {
    let mut heap: BinaryHeap<(u64, std::cmp::Reverse<usize>)> = (0..tests)
        .map(|at| (gain(covered, at), std::cmp::Reverse(at)))
        .filter(|(gain, _)| *gain > 0)
        .collect();
    let most = heap.peek().map_or(0, |(gain, _)| *gain);
    let mut selection = Selection { chosen: Vec::new(), gains: Vec::new(), bound: harmonic(most) };
    while let Some((_, at)) = heap.pop() {
        let now = gain(covered, at.0);
        if now == 0 {
            continue;
        }
        // Still ahead of everything that the others were last known to gain?
        if heap.peek().is_some_and(|next| (now, at) < *next) {
            heap.push((now, at));
            continue;
        }
        take(covered, at.0);
        selection.chosen.push(at.0);
        selection.gains.push(now);
    }
    selection
}

/// 1 + ½ + … + 1/n: how far the greedy choice is from the smallest, where a test adds at most n targets.
#[expect(clippy::cast_precision_loss, reason = "a bound for people")]
fn harmonic(most: u64) -> f64 {
    match most {
        0 => 1.0,
        // Beyond this the sum and its estimate agree to ten digits.
        most if most > 1_000_000 => (most as f64).ln() + 0.577_215_664_901_532_9,
        most => (1..=most).map(|n| 1.0 / n as f64).sum(),
    }
}

#[cfg(test)]
mod tests {
    use super::select;
    use crate::targets::TargetSet;

    fn check(tests: &[&[u64]], chosen: &[usize], gains: &[u64]) {
        let tests: Vec<Vec<TargetSet>> =
            tests.iter().map(|test| vec![test.iter().copied().collect()]).collect();
        let selection = select(&tests);
        assert_eq!((&selection.chosen[..], &selection.gains[..]), (chosen, gains));
    }

    #[test]
    fn the_greatest_gain_is_chosen_and_ties_go_to_the_first() {
        check(&[&[1], &[1, 2], &[3, 4, 5], &[2, 3]], &[2, 1], &[3, 2]);
        check(&[&[1], &[2], &[1]], &[0, 1], &[1, 1]);
        check(&[&[], &[]], &[], &[]);
        check(&[], &[], &[]);
    }
}

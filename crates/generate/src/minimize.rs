//! Leaves out tests that a suite can do without: greedy set cover over what was made.
//!
//! What a test covers is kept as a list, not as a bit set, since tests are many and each covers a small
//! part. The choice is the lazy greedy one of [`select`](gramercy_coverage::select), with its bound:
//! at most 1 + ½ + … + 1/d times as many tests as the fewest possible, d being the most targets of
//! one test. Any criteria, several at once. Memory is eight bytes for each target of each test.

use gramercy_coverage::select::{Selection, greedy};
use gramercy_coverage::{TargetId, TargetSet};

/// What the tests of a suite cover.
#[derive(Clone, Debug, Default)]
pub struct Minimizer {
    /// For each test and each criterion, the targets.
    tests: Vec<Vec<Box<[TargetId]>>>,
    given: Vec<TargetSet>,
}

impl Minimizer {
    /// No tests yet, but some targets that need none: a set for each criterion.
    #[must_use]
    pub fn new(given: Vec<TargetSet>) -> Self {
        Self { tests: Vec::new(), given }
    }

    /// Adds the next test, with what it covers of each criterion.
    ///
    /// # Panics
    /// If these are not as many criteria as were given.
    pub fn add(&mut self, covered: &[TargetSet]) {
        assert_eq!(covered.len(), self.given.len(), "invariant: criteria are the same throughout");
        self.tests.push(covered.iter().map(|covered| covered.iter().collect()).collect());
    }

    /// The tests to keep, by their numbers in the order of choice.
    #[must_use]
    pub fn select(&self) -> Selection {
        let mut covered = self.given.clone();
        let gain = |covered: &[TargetSet], at: usize| -> u64 {
            let pairs = covered.iter().zip(&self.tests[at]);
            let missing = pairs.map(|(covered, test)| {
                test.iter().filter(|&&target| !covered.contains(target)).count() as u64
            });
            missing.sum()
        };
        greedy(
            self.tests.len(),
            &mut covered,
            |covered, at| gain(covered, at),
            |covered, at| {
                for (covered, test) in covered.iter_mut().zip(&self.tests[at]) {
                    covered.extend(test.iter().copied());
                }
            },
        )
    }
}

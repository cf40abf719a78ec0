//! Several variants of one strategy, one after the other: suites whose ties are broken in several ways,
//! merged into one.

use gramercy_derive::candidate::Candidate;
use gramercy_derive::strategy::{Indexed, Propose};

/// Strategies with equally many tests each.
#[derive(Clone, Debug)]
pub struct Variants<S> {
    all: Vec<S>,
    each: u64,
}

impl<S: Indexed> Variants<S> {
    /// These variants.
    ///
    /// # Panics
    /// If their numbers of tests differ.
    #[must_use]
    pub fn new(all: Vec<S>) -> Self {
        let each = all.first().map_or(0, Indexed::count);
        assert!(all.iter().all(|one| one.count() == each), "invariant: variants have equal counts");
        Self { all, each }
    }
}

impl<S: Indexed> Indexed for Variants<S> {
    fn count(&self) -> u64 {
        self.each.saturating_mul(self.all.len() as u64)
    }

    fn proposer(&self) -> Box<dyn Propose + '_> {
        let mut all: Vec<_> = self.all.iter().map(Indexed::proposer).collect();
        Box::new(move |number, attempt, candidate: &mut Candidate| {
            let variant = usize::try_from(number / self.each);
            let variant = variant.expect("invariant: one of the variants");
            all[variant].propose(number % self.each, attempt, candidate)
        })
    }
}

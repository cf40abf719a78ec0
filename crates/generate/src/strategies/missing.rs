//! A strategy without the tests for what is covered already, or not wanted.

use crate::strategies::CriterionRequest;
use gramercy_derive::candidate::Candidate;
use gramercy_derive::strategy::{Indexed, Propose};

/// The tests of another strategy, but for those made for targets that need none.
pub struct Missing<'s> {
    strategy: Box<dyn Indexed + 's>,
    request: CriterionRequest,
}

impl<'s> Missing<'s> {
    /// A strategy for one criterion, and what is wanted of it.
    #[must_use]
    pub fn new(strategy: Box<dyn Indexed + 's>, request: CriterionRequest) -> Self {
        Self { strategy, request }
    }
}

impl Indexed for Missing<'_> {
    fn count(&self) -> u64 {
        self.strategy.count()
    }

    fn proposer(&self) -> Box<dyn Propose + '_> {
        let mut all = self.strategy.proposer();
        Box::new(move |number, attempt, candidate: &mut Candidate| {
            all.propose(number, attempt, candidate)
                && candidate.goal.is_none_or(|goal| self.request.wants(goal.target))
        })
    }
}

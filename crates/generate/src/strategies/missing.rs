//! A strategy without the tests for what is covered already, or not wanted.

use crate::draft::Draft;
use crate::strategies::Wishes;
use crate::strategy::Indexed;

/// The tests of another strategy, but for those made for targets that need none.
pub struct Missing<S> {
    strategy: S,
    wishes: Wishes,
}

impl<S> Missing<S> {
    /// A strategy for one criterion, and what is wanted of it.
    #[must_use]
    pub fn new(strategy: S, wishes: Wishes) -> Self {
        Self { strategy, wishes }
    }
}

impl<S: Indexed> Indexed for Missing<S> {
    fn count(&self) -> u64 {
        self.strategy.count()
    }

    fn make(&self, number: u64, attempt: u32, draft: &mut Draft) -> bool {
        self.strategy.make(number, attempt, draft)
            && draft.goal.is_none_or(|goal| self.wishes.wants(goal.target))
    }
}

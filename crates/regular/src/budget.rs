//! The remaining budget for the construction of one automaton. Every step that allocates asks here
//! first, so an expression that would need too much memory or time ends in [`LimitReached`] within
//! a fraction of a second.

use gramercy_base::{LimitReached, Limits};

/// Steps are the unit of memory and time: an entry of a state set, an edge, a visit of a node. Real
/// expressions need a few per state.
const STEPS_PER_STATE: usize = 8;

/// Counts the costs of one expression.
pub(crate) struct Budget {
    states: usize,
    positions: usize,
    steps: usize,
}

impl Budget {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self { states: limits.states, positions: 0, steps: 0 }
    }

    /// Adds a node of the nondeterministic automaton. Repetitions are copies of their body.
    pub(crate) fn position(&mut self) -> Result<(), LimitReached> {
        self.positions += 1;
        within(
            self.positions,
            self.states,
            "positions of a regular expression with its repetitions",
        )
    }

    /// Checks the number of states of an automaton.
    pub(crate) fn states(&self, states: usize) -> Result<(), LimitReached> {
        within(states, self.states, "states of the automaton of a regular expression")
    }

    /// Adds steps.
    pub(crate) fn steps(&mut self, steps: usize) -> Result<(), LimitReached> {
        self.steps += steps;
        let limit = self.states.saturating_mul(STEPS_PER_STATE);
        within(self.steps, limit, "steps to build the automaton of a regular expression")
    }
}

fn within(count: usize, limit: usize, what: &'static str) -> Result<(), LimitReached> {
    if count <= limit { Ok(()) } else { Err(LimitReached { what, limit, option: None }) }
}

//! Bounds on what may grow.

use clap::Args;
use gramercy::base::Limits;

/// The limits of commands that build automata.
#[derive(Args)]
pub(crate) struct LimitArgs {
    /// Give up on an automaton with more states than this
    #[arg(long, value_name = "N", default_value_t = Limits::default().states)]
    max_states: usize,
}

impl LimitArgs {
    /// The limits, ready for use.
    pub(crate) fn limits(&self) -> Limits {
        Limits { states: self.max_states, ..Limits::default() }
    }
}

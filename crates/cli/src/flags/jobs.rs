//! How many inputs are worked on at the same time.

use clap::Args;

use super::suite;

/// Threads of commands that read inputs.
#[derive(Args)]
pub(crate) struct JobArgs {
    /// How many inputs to read at the same time [default: the number of processors]
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
}

impl JobArgs {
    /// The number of threads.
    pub(crate) fn jobs(&self) -> usize {
        suite::jobs(self.jobs)
    }
}

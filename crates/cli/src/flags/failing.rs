//! Tests that fail and pass, for commands that look for the cause.

use std::path::PathBuf;

use clap::{Args, ValueHint};

/// Failing and passing inputs, or the tests of a campaign.
#[derive(Args)]
pub(crate) struct FailingArgs {
    /// Inputs that fail
    #[arg(
        long, value_name = "INPUT", num_args = 1.., required_unless_present = "db",
        value_hint = ValueHint::AnyPath
    )]
    pub(crate) failing: Vec<String>,
    /// Inputs that pass; a patch has to keep them
    #[arg(long, value_name = "INPUT", num_args = 1.., value_hint = ValueHint::AnyPath)]
    pub(crate) passing: Vec<String>,
    /// Take the tests of this campaign's database, as its program judged them
    #[arg(long, value_name = "FILE", conflicts_with = "failing", value_hint = ValueHint::FilePath)]
    pub(crate) db: Option<PathBuf>,
    /// Of the campaign, only this group of findings
    #[arg(long, value_name = "N", requires = "db")]
    pub(crate) group: Option<usize>,
}

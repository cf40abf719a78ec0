//! What is to be small about a test, apart from what it is made for.

use clap::Args;
use gramercy::analysis::shortest_yield::Length;
use gramercy::derive::{Embedding, Resolution, Ties};

use super::named;

/// The options that decide which tree around a target is the cheapest.
#[derive(Args)]
pub(crate) struct ResolutionArgs {
    /// What to minimize in the rest of a test: its text, or its tree
    #[arg(long, value_name = "HOW", default_value = "shortest", value_parser = named::<Embedding>())]
    pub(crate) embedding: Embedding,
    /// What the length of a text is measured in
    #[arg(
        long = "yield", id = "yield", value_name = "WHAT", default_value = "tokens",
        value_parser = named::<Length>()
    )]
    pub(crate) length: Length,
}

impl ResolutionArgs {
    /// The resolution that breaks ties in a way.
    pub(crate) fn with(&self, ties: Ties) -> Resolution {
        Resolution { embedding: self.embedding, length: self.length, ties }
    }
}

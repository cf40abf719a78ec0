//! What is to be small about a test, apart from what it is made for.

use clap::{Args, ValueEnum};
use gramercy::analysis::shortest_yield::Length;
use gramercy::generate::{Embedding, Resolution, Ties};

/// The options that decide which tree around a target is the cheapest.
#[derive(Args)]
pub(crate) struct ResolutionArgs {
    /// What is to be small about the rest of a test: its text, or its tree
    #[arg(long, value_name = "HOW", default_value = "shortest")]
    embedding: Small,
    /// What the length of a text is measured in
    #[arg(long = "yield", value_name = "WHAT", default_value = "tokens")]
    yields: Yield,
}

#[derive(Clone, Copy, ValueEnum)]
enum Small {
    Shortest,
    Shallowest,
}

#[derive(Clone, Copy, ValueEnum)]
enum Yield {
    Tokens,
    Edges,
}

impl ResolutionArgs {
    /// The resolution that breaks ties in a way.
    pub(crate) fn with(&self, ties: Ties) -> Resolution {
        Resolution {
            embedding: match self.embedding {
                Small::Shortest => Embedding::Shortest,
                Small::Shallowest => Embedding::Shallowest,
            },
            length: match self.yields {
                Yield::Tokens => Length::Terminals,
                Yield::Edges => Length::LrEdges,
            },
            ties,
        }
    }

    /// The arguments that decide the same.
    pub(crate) fn arguments(&self) -> [String; 2] {
        let embedding = self.embedding.to_possible_value().expect("invariant: all have names");
        let yields = self.yields.to_possible_value().expect("invariant: all have names");
        [format!("--embedding={}", embedding.get_name()), format!("--yield={}", yields.get_name())]
    }
}

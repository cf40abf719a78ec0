//! What counts as cheap, and which of several equally cheap things is taken.
//!
//! The papers leave ties open. Here they go to the production that comes first in an order of all
//! productions: file order, or one that is drawn from a seed. A drawn order is fixed for a suite, so
//! a *resolution* is a consistent set of choices, and several can be merged into one suite.

use gramercy_analysis::shortest_yield::Length;
use gramercy_base::named::{Choice, Named, choice};
use gramercy_base::{Draw, Id};
use gramercy_grammar::ProductionId;

/// What the rest of a test is made as small as possible in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Embedding {
    /// The length of the sentence.
    #[default]
    Shortest,
    /// The height of the tree.
    Shallowest,
}

impl Named for Embedding {
    const CHOICES: &'static [Choice<Self>] = &[
        choice(Self::Shortest, "shortest", "the text is as short as possible"),
        choice(Self::Shallowest, "shallowest", "the tree is as shallow as possible"),
    ];
}

/// How ties are broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Ties {
    /// By file order.
    #[default]
    First,
    /// By an order drawn from a seed, one for each variant.
    Random {
        /// The seed.
        seed: u64,
        /// Which of several resolutions.
        variant: u64,
    },
}

/// All that decides which tree is the cheapest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resolution {
    /// What is small.
    pub embedding: Embedding,
    /// What length is measured in, where length is what counts.
    pub length: Length,
    /// How ties are broken.
    pub ties: Ties,
}

impl Default for Resolution {
    fn default() -> Self {
        let (embedding, ties) = (Embedding::default(), Ties::default());
        Self { embedding, length: Length::Terminals, ties }
    }
}

impl Ties {
    /// The place of a production, or of one of its positions, in the order: the lowest wins.
    #[must_use]
    pub fn place(self, production: ProductionId, position: usize) -> (u64, usize, usize) {
        let index = production.index();
        match self {
            Ties::First => (0, index, position),
            Ties::Random { seed, variant } => {
                let drawn = Draw::new([seed, variant, index as u64, position as u64]).number();
                (drawn, index, position)
            }
        }
    }
}

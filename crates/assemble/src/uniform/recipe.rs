//! Which uniform tests are made.

use gramercy_analysis::counts::SizeUnit;
use gramercy_base::named::{Choice, Named, choice};
use gramercy_sample::methods::uniform::SizeRange;
use serde::{Deserialize, Serialize};

use crate::named;

/// Exactly uniform random tests.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Uniform {
    /// What sizes are measured in.
    #[serde(with = "named::choice")]
    pub unit: SizeUnit,
    /// The least size.
    pub least: usize,
    /// The greatest size.
    pub most: usize,
    /// What is equally likely.
    #[serde(with = "named::choice")]
    pub over: Over,
    /// Which of the trees are taken.
    pub selection: Selection,
    /// The memory for tables with numbers of trees, in MiB.
    pub memory: usize,
}

impl Default for Uniform {
    fn default() -> Self {
        Self {
            unit: SizeUnit::Nodes,
            least: 50,
            most: 50,
            over: Over::Trees,
            selection: Selection::Independent,
            memory: 2048,
        }
    }
}

impl Uniform {
    /// The sizes.
    #[must_use]
    pub fn range(&self) -> SizeRange {
        SizeRange { unit: self.unit, least: self.least, most: self.most }
    }
}

/// What is equally likely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// Every derivation tree.
    Trees,
    /// Every word.
    Words,
}

impl Named for Over {
    const CHOICES: &'static [Choice<Self>] = &[
        choice(Self::Trees, "trees", "every derivation tree has the same probability"),
        choice(Self::Words, "words", "every string of terminals has the same probability"),
    ];
}

/// Which trees are taken.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Selection {
    /// Each is drawn anew.
    Independent,
    /// All differ.
    Distinct,
    /// All there are, in order.
    All,
    /// Those of these ranks, as decimal numbers.
    Ranks(Vec<String>),
    /// Each covers an element of these kinds, which is drawn so that all elements are covered soon.
    Biased(Biased),
    /// Each is drawn by a Boltzmann sampler, whose sizes are within a share of the requested one.
    Boltzmann(Boltzmann),
}

/// What biased tests cover.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Biased {
    /// Kinds of elements, joined with `+`.
    pub cover: String,
    /// The most elements that are planned for.
    pub max_elements: usize,
}

/// How a Boltzmann sampler is tuned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Boltzmann {
    /// How far sizes may be from the requested one, as a share of it.
    pub tolerance: f64,
    /// Symbols, each with the share of the size that it makes up in the mean.
    pub frequencies: Vec<(String, f64)>,
}

//! How a suite of tests that must fail is made.

use gramercy_analysis::shortest_yield::Length;
use gramercy_coverage::CriterionSpec;
use gramercy_derive::Embedding;
use gramercy_mutate::criteria::NegativeSpec;
use gramercy_mutate::{CheckName, Family, Select};
use serde::{Deserialize, Serialize};

use crate::named;
use crate::recipe::{Recipe, TieBreak};

/// Tests that must fail.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Negative {
    /// The operators that change base tests; none means that criteria are covered.
    #[serde(with = "named::list")]
    pub mutate: Vec<Family>,
    /// The negative criteria that the suite covers, where no operator is named.
    #[serde(with = "named::list")]
    pub cover: Vec<NegativeSpec>,
    /// The tests that are changed; by default what suits the operators.
    pub of: Option<Bases>,
    /// How it is decided that a mutant is not in the language.
    #[serde(with = "named::choice")]
    pub check: CheckName,
    /// Which mutants are kept, if not all.
    #[serde(with = "named::optional_text")]
    pub select: Option<Select>,
    /// How many changes a mutant has.
    pub order: u32,
    /// Whether the base tests are part of the suite.
    pub with_positives: bool,
    /// What is small about base tests.
    #[serde(with = "named::choice")]
    pub embedding: Embedding,
    /// What the length of a base test is measured in.
    #[serde(rename = "yield", with = "named::choice")]
    pub length: Length,
    /// Which of equally cheap choices is taken.
    #[serde(with = "named::choice")]
    pub ties: TieBreak,
    /// Base tests with more tokens are left out.
    pub max_tokens: Option<usize>,
}

/// Tests that are changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bases {
    /// The suite for criteria.
    Criteria(#[serde(with = "named::list")] Vec<CriterionSpec>),
    /// Inputs: files, folders, patterns, archives or NDJSON.
    Corpus(Vec<String>),
    /// The suite of another recipe.
    Recipe(Box<Recipe>),
}

impl Default for Negative {
    fn default() -> Self {
        let cover = NegativeSpec::parse_list("item-edit+lexeme-error");
        Self {
            mutate: Vec::new(),
            cover: cover.expect("invariant: both are criteria"),
            of: None,
            check: CheckName::Exact,
            select: None,
            order: 1,
            with_positives: false,
            embedding: Embedding::default(),
            length: Length::Terminals,
            ties: TieBreak::First,
            max_tokens: None,
        }
    }
}

impl Negative {
    /// What the suite is made for, as the user names it.
    #[must_use]
    pub fn name(&self) -> String {
        let names: Vec<String> = match &self.mutate[..] {
            [] => self.cover.iter().map(ToString::to_string).collect(),
            mutate => mutate.iter().map(ToString::to_string).collect(),
        };
        names.join("+")
    }
}

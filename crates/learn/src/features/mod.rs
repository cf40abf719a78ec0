//! Features of inputs: what can be asked about an input with yes or no.
//!
//! In reading order: this module (what a feature is), [`extract`] (the features of one input), [`columns`] (the
//! features of all inputs as a table of bits).

pub mod columns;
pub mod extract;

use std::fmt;
use std::str::FromStr;

use gramercy_base::{Id, LimitReached};
use gramercy_coverage::{CriterionSpec, pattern};
use gramercy_grammar::{NodeId, ProductionId};
use gramercy_language::Language;
use serde::{Deserialize, Serialize};

/// A question about an input.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Feature {
    /// Whether a tree of the input contains this path of the grammar graph, given by the numbers of its nodes.
    Path(Box<[u32]>),
    /// Whether the input covers a target of a criterion.
    Covers {
        /// The criterion's name.
        criterion: String,
        /// The target's rank.
        rank: u64,
    },
    /// Whether a number of the input has at least this value.
    AtLeast {
        /// Which number.
        of: Quantity,
        /// The least value.
        least: u64,
    },
}

/// A number that every input has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Quantity {
    /// Bytes of its text.
    Bytes,
    /// Tokens, or characters where there is no lexer.
    Tokens,
    /// Uses of a production, given by its number.
    Uses(u32),
}

impl Feature {
    /// The order in which features are preferred where they tell the same: short paths first.
    #[must_use]
    pub fn order(&self) -> (u8, usize, &[u32], &str, u64) {
        match self {
            Self::Path(path) => (0, path.len(), path, "", 0),
            Self::Covers { criterion, rank } => (1, 0, &[], criterion, *rank),
            Self::AtLeast { of, least } => {
                let (kind, number) = match of {
                    Quantity::Bytes => (2, 0),
                    Quantity::Tokens => (3, 0),
                    Quantity::Uses(production) => (4, *production as usize),
                };
                (kind, number, &[], "", *least)
            }
        }
    }

    /// The nodes of a path.
    #[must_use]
    pub fn path(&self) -> Option<Vec<NodeId>> {
        match self {
            Self::Path(path) => {
                Some(path.iter().map(|&node| NodeId::from_index(node as usize)).collect())
            }
            _ => None,
        }
    }

    /// Whether the feature can be asked about inputs of this language: its numbers exist.
    #[must_use]
    pub fn fits(&self, language: &Language) -> bool {
        match self {
            Self::Path(path) => {
                let nodes = language.graph().len();
                let is_node = |&node: &u32| {
                    (node as usize) < nodes
                        && language.graph().kind(NodeId::from_index(node as usize)).is_symbolic()
                };
                !path.is_empty() && path.iter().all(is_node)
            }
            Self::Covers { criterion, rank } => {
                let spec = CriterionSpec::parse_list(criterion).ok();
                let built = spec.and_then(|specs| specs.first()?.build(language).ok());
                built.is_some_and(|criterion| *rank < criterion.targets())
            }
            Self::AtLeast { of: Quantity::Uses(production), .. } => {
                (*production as usize) < language.bnf().production_count()
            }
            Self::AtLeast { .. } => true,
        }
    }

    /// The feature in the grammar's words.
    #[must_use]
    pub fn describe(&self, language: &Language) -> String {
        match self {
            Self::Path(_) => {
                pattern::of_path(language, &self.path().expect("invariant: it is a path"))
            }
            Self::Covers { criterion, rank } => {
                let specs = CriterionSpec::parse_list(criterion).ok();
                let built = specs.and_then(|specs| specs.first()?.build(language).ok());
                built.map_or_else(String::new, |criterion| criterion.describe(*rank))
            }
            Self::AtLeast { of: Quantity::Bytes, least } => format!("at least {least} bytes"),
            Self::AtLeast { of: Quantity::Tokens, least } => format!("at least {least} tokens"),
            Self::AtLeast { of: Quantity::Uses(production), least } => {
                let id = ProductionId::from_index(*production as usize);
                format!("at least {least} times {}", pattern::production(language, id))
            }
        }
    }
}

/// Which features are looked at.
#[derive(Clone, Debug, PartialEq)]
pub struct FeatureSet {
    /// Paths of at most this many symbolic nodes; 0 for none.
    pub longest_path: u32,
    /// Targets of these criteria.
    pub criteria: Vec<CriterionSpec>,
    /// The size in bytes and tokens.
    pub sizes: bool,
    /// The number of uses of each production.
    pub counts: bool,
}

impl FeatureSet {
    /// The paths of at most this many symbolic nodes.
    #[must_use]
    pub fn paths(longest_path: u32) -> Self {
        Self { longest_path, criteria: Vec::new(), sizes: false, counts: false }
    }

    /// Whether the grammar has all of these features within the limits.
    ///
    /// # Errors
    /// If a criterion has too many targets.
    pub fn check(&self, language: &Language) -> Result<(), LimitReached> {
        self.criteria.iter().try_for_each(|spec| spec.build(language).map(drop))
    }
}

impl fmt::Display for FeatureSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if self.longest_path > 0 {
            parts.push(format!("paths:{}", self.longest_path));
        }
        parts.extend(self.criteria.iter().map(ToString::to_string));
        parts.extend(self.sizes.then(|| "sizes".to_owned()));
        parts.extend(self.counts.then(|| "counts".to_owned()));
        f.write_str(&parts.join("+"))
    }
}

impl FromStr for FeatureSet {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut set = Self::paths(0);
        for part in text.split('+') {
            match part.trim() {
                "sizes" => set.sizes = true,
                "counts" => set.counts = true,
                "productions" => set.criteria.push(criterion("rule")?),
                "lexemes" => set.criteria.push(criterion("lexeme:1")?),
                other => match other.strip_prefix("paths:") {
                    Some(longest) => set.longest_path = path_length(longest)?,
                    None => set.criteria.push(criterion(other)?),
                },
            }
        }
        Ok(set)
    }
}

fn path_length(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(length @ 1..=16) => Ok(length),
        _ => Err(format!("`{text}` is no length of paths: use a number from 1 to 16")),
    }
}

fn criterion(text: &str) -> Result<CriterionSpec, String> {
    let known = "paths:K, productions, lexemes, sizes, counts, or a criterion such as step:2";
    let unknown = |error| format!("`{text}` is no kind of feature ({error}); there are {known}");
    let specs = CriterionSpec::parse_list(text).map_err(unknown)?;
    specs.into_iter().next().ok_or_else(|| format!("there are {known}"))
}

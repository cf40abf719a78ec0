//! How tests that must fail are made.

use std::path::Path;
use std::str::FromStr;

use clap::{Args, ValueHint};
use gramercy::assemble::Manifest;
use gramercy::assemble::recipe::{Bases, Tests};
use gramercy::base::Limits;
use gramercy::coverage::{CriterionSpec, SpecError};
use gramercy::mutate::criteria::NegativeSpec;
use gramercy::mutate::{CheckName, Family, Select};

use super::{GrammarArgs, named};
use crate::commands::suites::load_manifest;
use crate::console::Console;
use crate::outcome::Failure;

const HEADING: &str = "Negative tests";

/// The options of every command that makes negative tests, beside their criteria.
#[derive(Args)]
pub(crate) struct MutationArgs {
    /// Operators that change base tests, joined with +: word, rule, edge, stack, character, encoding
    #[arg(long, value_name = "NAMES", help_heading = HEADING)]
    mutate: Option<Families>,
    /// Base tests to change: criteria such as pop-edge:lr0, a manifest, or inputs [default: what suits the operators]
    #[arg(
        long, value_name = "WHAT", requires = "mutate", value_hint = ValueHint::AnyPath,
        help_heading = HEADING
    )]
    of: Vec<String>,
    /// How it is decided that a mutant is not in the language
    #[arg(
        long, value_name = "HOW", default_value = "exact", value_parser = named::<CheckName>(),
        help_heading = HEADING
    )]
    pub(crate) check: CheckName,
    /// Keep few mutants: one per `item`, operator and class; one per `pair` of neighbours at the error; or at most N per
    /// base test
    #[arg(long, value_name = "item|pair|N", requires = "mutate", help_heading = HEADING)]
    pub(crate) select: Option<Select>,
    /// How many changes a mutant has: 1 or 2
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = HEADING)]
    pub(crate) order: u32,
}

/// Several negative criteria joined with `+`.
#[derive(Clone)]
pub(crate) struct NegativeCriteria(pub(crate) Vec<NegativeSpec>);

impl NegativeCriteria {
    /// All criteria of an option that may be given several times, each once.
    pub(crate) fn joined(options: &[Self]) -> Vec<NegativeSpec> {
        let mut joined: Vec<NegativeSpec> = Vec::new();
        for spec in options.iter().flat_map(|criteria| &criteria.0) {
            if !joined.contains(spec) {
                joined.push(*spec);
            }
        }
        joined
    }
}

impl FromStr for NegativeCriteria {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        NegativeSpec::parse_list(text).map(Self)
    }
}

/// Several families of operators joined with `+`.
#[derive(Clone)]
struct Families(Vec<Family>);

impl FromStr for Families {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.split('+').map(str::parse).collect::<Result<_, _>>().map(Self)
    }
}

impl MutationArgs {
    /// The operators that were named.
    pub(crate) fn families(&self) -> Vec<Family> {
        self.mutate.as_ref().map_or_else(Vec::new, |families| families.0.clone())
    }

    /// What is changed: a name that is a criterion is one, even if there is a file of that name.
    pub(crate) fn bases(
        &self,
        grammar: &GrammarArgs,
        limits: Limits,
        console: &Console,
    ) -> Result<Option<Bases>, Failure> {
        let [only] = &self.of[..] else {
            return Ok((!self.of.is_empty()).then(|| Bases::Corpus(self.of.clone())));
        };
        match CriterionSpec::parse_list(only) {
            Ok(cover) => return Ok(Some(Bases::Criteria(cover))),
            // A mistake in a criterion's name is told as one, unless inputs are there.
            Err(error) if !Path::new(only).exists() && !only.contains(['/', '*', '.']) => {
                return Err(clap::Error::raw(
                    clap::error::ErrorKind::InvalidValue,
                    format!("--of: {error}\n"),
                )
                .into());
            }
            Err(_) => {}
        }
        let path = Path::new(only);
        let is_manifest = path.extension().is_some_and(|extension| extension == "json")
            && Manifest::read(path).is_ok();
        if !is_manifest {
            return Ok(Some(Bases::Corpus(self.of.clone())));
        }
        let is_ours = |tests: &Tests| !matches!(tests, Tests::Negative(_));
        let (_, recipe) = load_manifest(path, grammar, limits, is_ours, console)?;
        Ok(Some(Bases::Recipe(Box::new(recipe))))
    }
}

//! `gramercy negate`: tests that must fail.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::{Args, ValueHint};
use gramercy::assemble::Manifest;
use gramercy::assemble::recipe::{Bases, Negative, Recipe, Tests};
use gramercy::base::Limits;
use gramercy::coverage::{CriterionSpec, SpecError};
use gramercy::mutate::criteria::{NegativeSpec, REGISTRY};
use gramercy::mutate::{CheckName, Family, Select};

use super::suites::{Order, Wanted, load_manifest};
use crate::console::Console;
use crate::flags::{
    DestinationArgs, GrammarArgs, JsonArgs, LexemeArgs, LoadedGrammar, ResolutionArgs, SuiteArgs,
    named,
};
use crate::outcome::{Failure, Outcome};

/// Make tests that must fail: each provably outside the language
#[derive(Args)]
#[command(after_help = format!("\
Every test carries the place of its first error, what could have come there, the class of the error,
how it was made, and the sentence it was made from. See them with --format ndjson.

{}
Examples:
  gramercy negate grammar.g4
  gramercy negate grammar.g4 --format ndjson
  gramercy negate grammar.g4 --with-positives -o suite/ --ext json
  gramercy negate grammar.y --mutate edge --of pop-edge:lr0 --check pairs --unique --count
  gramercy negate grammar.g4 --mutate word+character --of examples/ --select pair
  gramercy negate grammar.g4 --mutate encoding -o bytes/
  gramercy negate grammar.y --cover error-entry:lr0 --format ndjson", criteria_help()))]
pub(crate) struct Negate {
    #[command(flatten)]
    grammar: GrammarArgs,
    /// Negative criteria to cover, joined with +
    #[arg(
        long,
        value_name = "CRITERIA",
        default_value = "item-edit+lexeme-error",
        conflicts_with = "mutate"
    )]
    cover: NegativeCriteria,
    /// Operators that change base tests, joined with +: word, rule, edge, stack, character, encoding
    #[arg(long, value_name = "NAMES")]
    mutate: Option<Families>,
    /// Base tests to change: criteria such as pop-edge:lr0, a manifest, or inputs [default: what suits the operators]
    #[arg(long, value_name = "WHAT", requires = "mutate", value_hint = ValueHint::AnyPath)]
    of: Vec<String>,
    /// How it is decided that a mutant is not in the language
    #[arg(long, value_name = "HOW", default_value = "exact", value_parser = named::<CheckName>())]
    check: CheckName,
    /// Keep few mutants: one per `item`, operator and class; one per `pair` of neighbours at the error; or at most N per
    /// base test
    #[arg(long, value_name = "item|pair|N", requires = "mutate")]
    select: Option<Select>,
    /// How many changes a mutant has: 1 or 2
    #[arg(long, value_name = "N", default_value_t = 1)]
    order: u32,
    /// Put the base tests into the suite too: tests to accept beside tests to reject
    #[arg(long)]
    with_positives: bool,
    #[command(flatten)]
    resolution: ResolutionArgs,
    #[command(flatten)]
    suite: SuiteArgs,
    #[command(flatten)]
    lexemes: LexemeArgs,
    /// Recreate the suite described by this manifest
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    from: Option<PathBuf>,
    #[command(flatten)]
    destination: DestinationArgs,
    #[command(flatten)]
    json: JsonArgs,
}

/// Several negative criteria joined with `+`.
#[derive(Clone)]
struct NegativeCriteria(Vec<NegativeSpec>);

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

/// The negative criteria, as a help text lists them.
fn criteria_help() -> String {
    let usage = |entry: &gramercy::mutate::criteria::Entry| match entry.takes_automaton {
        true => format!("{}:A", entry.name),
        false => entry.name.to_owned(),
    };
    let line = |entry| format!("  {:14}  {}\n", usage(entry), entry.help);
    let lines: String = REGISTRY.iter().map(line).collect();
    format!("Negative criteria, joined with +; A is an automaton of lr0, lalr, lr1:\n{lines}")
}

impl Negate {
    pub(crate) fn run(&self, console: &mut Console) -> Result<Outcome, Failure> {
        let limits = Limits::default();
        let (loaded, recipe) = match &self.from {
            Some(path) => {
                let is_ours = |tests: &Tests| matches!(tests, Tests::Negative(_));
                load_manifest(path, &self.grammar, limits, is_ours, console)?
            }
            None => {
                let loaded = self.grammar.load(limits, console)?;
                let recipe = self.recipe(&loaded, limits, console)?;
                (loaded, recipe)
            }
        };
        let order = Order {
            loaded: &loaded,
            recipe: &recipe,
            destination: &self.destination,
            jobs: self.suite.jobs(),
            wanted: match (self.suite.count, self.json.json) {
                (false, _) => Wanted::Tests,
                (true, false) => Wanted::Count,
                (true, true) => Wanted::JsonCount,
            },
        };
        order.run(console)
    }

    /// The recipe that the flags describe.
    fn recipe(
        &self,
        loaded: &LoadedGrammar,
        limits: Limits,
        console: &Console,
    ) -> Result<Recipe, Failure> {
        let tests = Negative {
            mutate: self.mutate.as_ref().map_or_else(Vec::new, |families| families.0.clone()),
            cover: self.cover.0.clone(),
            of: self.bases(limits, console)?,
            check: self.check,
            select: self.select,
            order: self.order,
            with_positives: self.with_positives,
            embedding: self.resolution.embedding,
            length: self.resolution.length,
            ties: self.suite.ties,
            max_tokens: self.suite.max_tokens,
        };
        Ok(Recipe {
            tests: Tests::Negative(tests),
            seed: self.suite.seed,
            limit: self.suite.limit,
            shard: self.suite.shard,
            unique: self.suite.unique,
            max_bytes: self.suite.max_bytes,
            report: Vec::new(),
            text: self.lexemes.recipe(loaded.grammar())?,
        })
    }

    /// What is changed: a name that is a criterion is one, even if there is a file of that name.
    fn bases(&self, limits: Limits, console: &Console) -> Result<Option<Bases>, Failure> {
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
        let (_, recipe) = load_manifest(path, &self.grammar, limits, is_ours, console)?;
        Ok(Some(Bases::Recipe(Box::new(recipe))))
    }
}

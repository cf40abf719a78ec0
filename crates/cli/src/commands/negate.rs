//! `gramercy negate`: tests that must fail.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use gramercy::assemble::recipe::{Negative, Recipe, Tests};
use gramercy::base::Limits;
use gramercy::mutate::criteria::REGISTRY;

use super::suites::{Order, Wanted, load_manifest, refuse_ignored};
use crate::console::Console;
use crate::flags::{
    DestinationArgs, GrammarArgs, JsonArgs, LexemeArgs, LoadedGrammar, MutationArgs,
    NegativeCriteria, ResolutionArgs, SuiteArgs,
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
    /// Negative criteria to cover, joined with + or in several options
    #[arg(
        long,
        value_name = "CRITERIA",
        default_value = "item-edit+lexeme-error",
        conflicts_with = "mutate"
    )]
    cover: Vec<NegativeCriteria>,
    #[command(flatten)]
    mutation: MutationArgs,
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
        let (given, from) = (self.grammar.given(), self.from.as_deref());
        refuse_ignored(given, from, &self.destination, self.suite.count)?;
        let limits = Limits::default();
        let (loaded, recipe) = match &self.from {
            Some(path) => {
                let is_ours = |tests: &Tests| matches!(tests, Tests::Negative(_));
                let (loaded, recipe) =
                    load_manifest(path, &self.grammar, limits, is_ours, console)?;
                (loaded, Recipe { shard: self.suite.shard.or(recipe.shard), ..recipe })
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
            wanted: Wanted::new(self.suite.count, &self.json),
            only: None,
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
            mutate: self.mutation.families(),
            cover: NegativeCriteria::joined(&self.cover),
            of: self.mutation.bases(&self.grammar, limits, console)?,
            check: self.mutation.check,
            select: self.mutation.select,
            order: self.mutation.order,
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
            accepted_by_tool: self.suite.accepted_by_tool,
            report: Vec::new(),
            text: self.lexemes.recipe(loaded.grammar())?,
        })
    }
}

//! `gramercy target`: inputs that are predicted to reach a target.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use gramercy::assemble::recipe::{Guided, Recipe, Tests};
use gramercy::assemble::{Shard, random};
use gramercy::base::Limits;

use super::learning;
use super::suites::{Order, Wanted, refuse_ignored};
use crate::console::Console;
use crate::flags::{DestinationArgs, GrammarArgs, JsonArgs, LexemeArgs, jobs, shard};
use crate::outcome::{Failure, Outcome};

const HEADING: &str = "Suite options";

/// Make tests that a model predicts to reach a target
#[derive(Args)]
#[command(after_help = "\
All tests differ. The first ones are the smallest that fulfil the conditions of the target; later ones are drawn with \
more and more room.

Examples:
  gramercy target grammar.gram --model model.json parse_number -n 20
  gramercy target grammar.gram --model model.json parse_number -n 100 --format ndjson
  gramercy target grammar.g4 --model model.json visitCall -n 50 -o tests/ --ext js")]
pub(crate) struct Target {
    #[command(flatten)]
    grammar: GrammarArgs,
    /// The file of the model
    #[arg(long, value_name = "MODEL", value_hint = ValueHint::FilePath)]
    model: PathBuf,
    /// The target to reach
    #[arg(value_name = "TARGET")]
    target: String,
    /// How many tests to make
    #[arg(
        long = "tests", short = 'n', value_name = "N", default_value_t = random::TESTS,
        help_heading = HEADING
    )]
    tests: u64,
    /// Seed of everything that is drawn
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = HEADING)]
    seed: u64,
    /// Keep part I of N of the suite; `auto` asks the job scheduler's environment
    #[arg(long, value_name = "I/N", value_parser = shard, help_heading = HEADING)]
    shard: Option<Shard>,
    /// Leave out tests with more bytes than this
    #[arg(long, value_name = "N", help_heading = HEADING)]
    max_bytes: Option<usize>,
    #[command(flatten)]
    lexemes: LexemeArgs,
    /// How many tests to make at the same time [default: the number of processors]
    #[arg(long, value_name = "N", help_heading = HEADING)]
    jobs: Option<usize>,
    /// Only print how many tests there are
    #[arg(long, help_heading = HEADING)]
    count: bool,
    #[command(flatten)]
    destination: DestinationArgs,
    #[command(flatten)]
    json: JsonArgs,
}

impl Target {
    pub(crate) fn run(&self, console: &mut Console) -> Result<Outcome, Failure> {
        refuse_ignored(self.grammar.given(), None, &self.destination, self.count)?;
        let (reading, model) = learning::load(&self.grammar, &self.model, console)?;
        if model.target(&self.target).is_none() {
            return Err(learning::unknown_target(&model, &self.target));
        }
        drop((reading, model));
        let loaded = self.grammar.load(Limits::default(), console)?;
        let guided =
            Guided { model: self.model.display().to_string(), target: self.target.clone() };
        let recipe = Recipe {
            tests: Tests::Guided(guided),
            seed: self.seed,
            limit: Some(self.tests),
            shard: self.shard,
            unique: true,
            max_bytes: self.max_bytes,
            accepted_by_tool: false,
            report: Vec::new(),
            text: self.lexemes.recipe(loaded.grammar())?,
        };
        let wanted = match (self.count, self.json.json) {
            (false, _) => Wanted::Tests,
            (true, false) => Wanted::Count,
            (true, true) => Wanted::JsonCount,
        };
        let order = Order {
            loaded: &loaded,
            recipe: &recipe,
            destination: &self.destination,
            jobs: jobs(self.jobs),
            wanted,
        };
        order.run(console)
    }
}

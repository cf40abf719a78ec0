//! `gramercy target`: inputs that are predicted to reach a target.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use gramercy::assemble::recipe::{Guided, Recipe, Tests};
use gramercy::assemble::{Shard, Tests as Suite, random};
use gramercy::base::{Diagnostic, Limits, Named, Sources};
use gramercy::campaign::collect::Provenance;
use gramercy::learn::model::{Known, Model, ModelNode, Status};
use gramercy::learn::refine::RefineOptions;
use gramercy::learn::train::{Balance, Learner};
use gramercy::learn::{Dataset, Observed, TrainOptions};

use super::collecting::{self, Collecting};
use super::learning;
use super::reading::Reading;
use super::suites::{Order, Wanted, refuse_ignored};
use crate::codes;
use crate::console::Console;
use crate::flags::{
    CollectArgs, DestinationArgs, GrammarArgs, JsonArgs, LexemeArgs, LoadedGrammar, jobs, shard,
};
use crate::outcome::{Failure, Outcome};

const HEADING: &str = "Suite options";

/// Make tests that a model predicts to reach a target
#[derive(Args)]
#[command(after_help = "\
All tests differ. The first ones are the smallest that fulfil the conditions of the target; later ones are drawn with \
more and more room.

With --verify the program runs on them, and only those are kept that reach the target. With --refine, inputs on both \
sides of each condition are run first and the model is learned again, until nothing changes or the budget ends. How \
the program is run is known from `learn --collect`, or given as for that command.

Examples:
  gramercy target grammar.gram --model model.json parse_number -n 20
  gramercy target grammar.gram --model model.json parse_number -n 100 --format ndjson
  gramercy target grammar.gram --model model.json parse_number -n 20 --verify
  gramercy target grammar.gram --model model.json parse_number --refine --max-runs 500
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
    /// Run the program, and keep only tests that reach the target
    #[arg(long)]
    verify: bool,
    /// First generate inputs that could refute the conditions of the target, run the program, and learn again
    #[arg(long)]
    refine: bool,
    /// The file of the refined model [default: that of the model]
    #[arg(long, value_name = "MODEL", requires = "refine", value_hint = ValueHint::FilePath)]
    refined: Option<PathBuf>,
    #[command(flatten)]
    collecting: CollectArgs,
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
        let loaded = self.grammar.load(Limits::default(), console)?;
        let mut collecting = match self.verify || self.refine {
            true => Some(self.collecting(&model)?),
            false => None,
        };
        let mut path = self.model.clone();
        if let (Some((collecting, inputs)), true) = (&mut collecting, self.refine) {
            path = self.refined.clone().unwrap_or(path);
            let known = collecting.known(inputs.as_deref())?;
            self.refine(&reading, &model, (collecting, known), &path, console)?;
        }
        let recipe = self.recipe(&loaded, &path)?;
        let verified = match (&mut collecting, self.verify) {
            (Some((collecting, _)), true) => {
                Some(self.verify(&loaded, &recipe, collecting, console)?)
            }
            _ => None,
        };
        let wanted = Wanted::new(self.count, &self.json);
        let order = Order {
            loaded: &loaded,
            recipe: &recipe,
            destination: &self.destination,
            jobs: jobs(self.jobs),
            wanted,
            only: verified.as_ref().map(|verified| &verified.reaching),
        };
        let outcome = order.run(console)?;
        let is_wrong = verified.is_some_and(|verified| verified.reaching.len() < verified.tests);
        Ok(if is_wrong { Outcome::Found } else { outcome })
    }

    fn recipe(&self, loaded: &LoadedGrammar, model: &Path) -> Result<Recipe, Failure> {
        let guided = Guided { model: model.display().to_string(), target: self.target.clone() };
        Ok(Recipe {
            tests: Tests::Guided(guided),
            seed: self.seed,
            limit: Some(self.tests),
            shard: self.shard,
            unique: true,
            max_bytes: self.max_bytes,
            accepted_by_tool: false,
            report: Vec::new(),
            text: self.lexemes.recipe(loaded.grammar())?,
        })
    }

    /// The program that is run: the given one, or that of the model, with the inputs that the model was learned from.
    fn collecting(&self, model: &Model) -> Result<(Collecting, Option<Vec<String>>), Failure> {
        let given = self.collecting.spec(|program| program, Default::default(), &[]);
        let known = model.program.as_ref().map(|program| {
            serde_json::from_value::<Provenance>(program.clone()).map_err(|error| {
                let message = format!("the model does not say how the program is run: {error}");
                Failure::refused(Diagnostic::new(codes::BAD_MODEL, message))
            })
        });
        let (spec, inputs) = match (given, known) {
            (Some(_), _) if self.collecting.command.is_empty() => {
                return Err(Failure::usage("--collect needs a program, such as `-- ./parser {}`"));
            }
            (Some(spec), _) => (spec, None),
            (None, Some(known)) => {
                let Provenance { spec, inputs } = known?;
                (spec, Some(inputs))
            }
            (None, None) => {
                let message = "the model does not say how the program is run";
                let help = "learn it with --collect, or give --collect PRESET -- COMMAND here";
                let diagnostic = Diagnostic::new(codes::BAD_MODEL, message).help(help);
                return Err(Failure::refused(diagnostic));
            }
        };
        let cache = self.collecting.cache.clone();
        let cache = cache.unwrap_or_else(|| collecting::cache_of(&self.model));
        Ok((Collecting::new(spec, &cache, jobs(self.jobs))?, inputs))
    }

    /// Learns the target again from all runs and from new ones, and writes the model.
    fn refine(
        &self,
        reading: &Reading,
        model: &Model,
        (collecting, known): (&mut Collecting, Vec<Observed>),
        path: &Path,
        console: &Console,
    ) -> Result<(), Failure> {
        let options = learned_with(model, jobs(self.jobs))?;
        let mut dataset = Dataset::new(&reading.language, reading.parser(), options)?;
        dataset.add(known);
        if dataset.inputs().is_empty() {
            let message = "the database of runs has no run of this program";
            let help =
                "learn with --collect and the same command, or name the database with --cache";
            let diagnostic = Diagnostic::new(codes::BAD_BEHAVIOUR, message).help(help);
            return Err(Failure::refused(diagnostic));
        }
        let options = RefineOptions {
            targets: vec![self.target.clone()],
            runs: self.collecting.max_runs,
            ..RefineOptions::default()
        };
        let text = self.lexemes.recipe(reading.grammar())?;
        let refined = collecting.refine(&mut dataset, &text, &options, console)?;
        console.say(&format!("{}\n", collecting::in_words(&refined)));
        let mut model = refined.model;
        model.program = collecting.provenance(dataset.inputs());
        console.say(&format!("{}\n", leaves(&model, &self.target)));
        std::fs::write(path, model.to_json()).map_err(|error| Failure::unwritable(path, &error))
    }

    /// Runs the program on all tests.
    fn verify(
        &self,
        loaded: &LoadedGrammar,
        recipe: &Recipe,
        collecting: &mut Collecting,
        console: &Console,
    ) -> Result<Verified, Failure> {
        let (mut ids, mut inputs) = (Vec::new(), Vec::new());
        for test in Suite::new(&loaded.language, recipe) {
            let failure = |error| crate::render::suite_errors::failure(error, &loaded.language);
            let test = test.map_err(failure)?;
            let text = test.text.unwrap_or_default().into_owned();
            ids.push(test.id);
            inputs.push((format!("`{text}`"), text));
        }
        let collected = collecting.run(&inputs, console)?;
        let reached: BTreeSet<&str> = collected
            .observed
            .iter()
            .filter(|input| input.report.covers(&self.target))
            .map(|input| &*input.text)
            .collect();
        let is_reaching = |(_, (_, text)): &(u64, &(String, String))| reached.contains(&**text);
        let reaching: BTreeSet<u64> =
            ids.iter().copied().zip(&inputs).filter(is_reaching).map(|(id, _)| id).collect();
        let message = format!("{} of {} tests reach `{}`", reaching.len(), ids.len(), self.target);
        match reaching.len() == ids.len() {
            true => console.say(&format!("{message}\n")),
            false => {
                let help = "learn the conditions again with --refine";
                let warning = Diagnostic::new(codes::UNREACHED, message).help(help);
                console.report(&[warning], &Sources::new());
            }
        }
        Ok(Verified { tests: ids.len(), reaching })
    }
}

/// What the program did on the tests.
struct Verified {
    tests: usize,
    /// The numbers of the tests that reach the target.
    reaching: BTreeSet<u64>,
}

/// The options that a model was learned with.
fn learned_with(model: &Model, jobs: usize) -> Result<TrainOptions, Failure> {
    let damaged = |what: String| Failure::refused(Diagnostic::new(codes::BAD_MODEL, what));
    let options = &model.options;
    Ok(TrainOptions {
        features: model.feature_set().map_err(|error| damaged(error.to_string()))?,
        trees: model.counted_trees(),
        learner: Learner::from_name(&options.learner).unwrap_or(Learner::Cart),
        balance: Balance::from_name(&options.balance).unwrap_or(Balance::None),
        depth: options.depth,
        seed: options.seed,
        jobs,
        ..TrainOptions::default()
    })
}

/// What tests showed about the leaves of a target.
fn leaves(model: &Model, target: &str) -> String {
    let Some(Known::Tree(tree)) = model.target(target) else {
        return format!("`{target}` has no condition any more");
    };
    let count = |wanted: Status| {
        let is_wanted =
            |node: &&ModelNode| matches!(node, ModelNode::Leaf(leaf) if leaf.status == wanted);
        tree.tree.iter().filter(is_wanted).count()
    };
    format!(
        "leaves of `{target}`: {} confirmed, {} refuted, {} untested",
        count(Status::Confirmed),
        count(Status::Refuted),
        count(Status::Untested)
    )
}

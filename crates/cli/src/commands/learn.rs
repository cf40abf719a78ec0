//! `gramercy learn`: which features of inputs reach which code.

mod inputs;
pub(super) mod reports;

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueHint};
use gramercy::base::{Diagnostic, Limits, Named, Sources};
use gramercy::learn::behaviour::Observed;
use gramercy::learn::model::{Model, TargetModel};
use gramercy::learn::readers::{Granularity, REGISTRY, ndjson};
use gramercy::learn::refine::RefineOptions;
use gramercy::learn::train::{Balance, FEW_SAMPLES, Learner};
use gramercy::learn::{Dataset, FeatureSet, TrainOptions};
use gramercy::suite::Corpus;
use serde::Serialize;

use super::collecting::{self, Collecting};
use super::learning;
use super::reading::Reading;
use crate::codes;
use crate::console::Console;
use crate::flags::{
    CollectArgs, GrammarArgs, JobArgs, JsonArgs, LexemeArgs, OracleArgs, ProgramArgs, TreesArgs,
    named, one_of,
};
use crate::outcome::{Failure, Outcome};
use crate::render::json;
use crate::render::numbers::grouped;

/// Learn which features of inputs reach which code of a program
#[derive(Args)]
#[command(after_help = "\
Behaviour is a file with one JSON object per line: {\"input\": TEXT, \"covered\": [NAMES], \"calls\": {NAME: N}}; \
`file` instead of `input` names a file with the input, and `report` instead of `covered` names a coverage report. Or \
--reports names a folder with one coverage report for each input of --corpus: the report of `a.json` is called \
`a.json.info`, `a.info`, or the same with another extension. Or --db names the database of a campaign, and what is \
learned is why tests fail. Or --collect runs a program on the inputs of --corpus, or on random ones.

The exit code is 1 if the grammar rejects an input; the model is learned from the others.

Examples:
  gramercy learn grammar.gram --behaviour runs.ndjson -o model.json
  gramercy learn grammar.gram --behaviour runs.ndjson -o model.json --learner optimal --depth 3
  gramercy learn grammar.g4 --corpus inputs/ --reports coverage/ --targets lines -o model.json
  gramercy learn grammar.gram --db campaign.db -o model.json
  gramercy learn grammar.gram --collect gcc -o model.json -- ./parser {}
  gramercy learn grammar.gram --collect coverage.py --random 500 -o model.json -- python3 parser.py {}
  gramercy learn grammar.gram --collect verdict --refine -o model.json -- ./parser {}
  gramercy explain grammar.gram --model model.json parse_number")]
pub(crate) struct Learn {
    #[command(flatten)]
    grammar: GrammarArgs,
    /// What the program did on each input, as NDJSON
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, required_unless_present_any = ["reports", "db", "collect"])]
    behaviour: Vec<PathBuf>,
    /// Inputs that --reports has coverage reports for, or that --collect runs the program on
    #[arg(long, value_name = "CORPUS", value_hint = ValueHint::AnyPath)]
    corpus: Vec<String>,
    /// A folder with a coverage report for each input of --corpus
    #[arg(long, value_name = "FOLDER", requires = "corpus", value_hint = ValueHint::DirPath)]
    reports: Option<PathBuf>,
    /// The database of a campaign, to learn why tests fail
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    db: Option<PathBuf>,
    /// The program of the campaign, by its name [default: the first]
    #[arg(long, value_name = "NAME", requires = "db")]
    subject: Option<String>,
    /// With --db or --collect verdict, output of the program that is a target: a regular expression
    #[arg(long, value_name = "PATTERN")]
    message: Vec<String>,
    /// With --collect, how many random inputs to run the program on, unless there is a --corpus
    #[arg(long, value_name = "N", default_value_t = 1000)]
    random: u64,
    /// With --collect, generate inputs that could refute what was learned, run them and learn again
    #[arg(long, requires = "collect")]
    refine: bool,
    /// Write what the program did on each input, as NDJSON
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    write_behaviour: Option<PathBuf>,
    /// The format of coverage reports [default: by their content]
    #[arg(long, value_name = "NAME", value_parser = one_of(FORMATS, |name| name))]
    format: Option<&'static str>,
    /// What counts as a target in coverage reports
    #[arg(long, value_name = "KIND", default_value = "functions", value_parser = named::<Granularity>())]
    targets: Granularity,
    /// The file of the model
    #[arg(long, short, value_name = "MODEL", value_hint = ValueHint::FilePath)]
    output: PathBuf,
    /// The longest paths that are features
    #[arg(long, value_name = "K", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=16))]
    k: u32,
    /// Features, joined with `+`: paths:K, productions, lexemes, sizes, counts, or a criterion [default: paths of --k]
    #[arg(long, value_name = "KINDS")]
    features: Option<FeatureSet>,
    #[command(flatten)]
    trees: TreesArgs,
    /// How trees are learned
    #[arg(long, value_name = "NAME", default_value = "cart", value_parser = named::<Learner>())]
    learner: Learner,
    /// The most questions on the way to a leaf [default: 5, for optimal trees 3]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=8))]
    depth: Option<u32>,
    /// How classes of different size are balanced for greedy trees
    #[arg(long, value_name = "HOW", default_value = "none", value_parser = named::<Balance>())]
    balance: Balance,
    /// What a question of an optimal tree costs, in wrongly predicted inputs
    #[arg(long, value_name = "N", default_value_t = TrainOptions::default().leaf_cost)]
    leaf_cost: u64,
    /// The most work for one optimal tree, in words of 64 inputs
    #[arg(long, value_name = "N", default_value_t = TrainOptions::default().budget)]
    budget: u64,
    /// Seed of everything that is drawn
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    collecting: CollectArgs,
    #[command(flatten)]
    program: ProgramArgs,
    #[command(flatten)]
    oracle: OracleArgs,
    #[command(flatten)]
    lexemes: LexemeArgs,
    #[command(flatten)]
    jobs: JobArgs,
    #[command(flatten)]
    json: JsonArgs,
}

/// The names of all formats of reports.
const FORMATS: &[&str] = &{
    let mut names = [""; REGISTRY.len()];
    let mut at = 0;
    while at < names.len() {
        names[at] = REGISTRY[at].name;
        at += 1;
    }
    names
};

impl Learn {
    pub(crate) fn run(&self, console: &mut Console) -> Result<Outcome, Failure> {
        self.refuse_ignored()?;
        let reading = Reading::new(&self.grammar, Limits::default(), console)?;
        let options = self.options(&reading);
        let mut collecting = self.collecting(options.jobs)?;
        let observed = self.observed(&reading, collecting.as_mut(), console)?;
        let mut dataset = Dataset::new(&reading.language, reading.parser(), options)?;
        let rejected = dataset.add(observed);
        learning::report_rejected(&reading, &rejected, console);
        if dataset.inputs().is_empty() {
            return Err(bad_behaviour("no input is left to learn from".to_owned()));
        }
        let mut model = match (&mut collecting, self.refine) {
            (Some(collecting), true) => {
                let options =
                    RefineOptions { runs: self.collecting.max_runs, ..RefineOptions::default() };
                let text = inputs::text(self, reading.grammar())?;
                let refined = collecting.refine(&mut dataset, &text, &options, console)?;
                console.say(&format!("{}\n", collecting::in_words(&refined)));
                refined.model
            }
            _ => dataset.train(),
        };
        model.program = collecting.and_then(|collecting| collecting.provenance(dataset.inputs()));
        std::fs::write(&self.output, model.to_json())
            .map_err(|error| Failure::unwritable(&self.output, &error))?;
        self.write_behaviour(&dataset)?;
        self.warn(&model, console);
        self.show(&model, &dataset, rejected.len(), console)?;
        Ok(if rejected.is_empty() { Outcome::Clean } else { Outcome::Found })
    }

    /// Refuses options that would be ignored.
    fn refuse_ignored(&self) -> Result<(), Failure> {
        let has_program = self.collecting.collect.is_some();
        let message = if !has_program && !self.collecting.command.is_empty() {
            "a program is only run with --collect"
        } else if has_program && self.collecting.command.is_empty() {
            "--collect needs a program, such as `-- ./parser {}`"
        } else if !self.corpus.is_empty() && self.reports.is_none() && !has_program {
            "--corpus goes with --reports or --collect"
        } else {
            return Ok(());
        };
        Err(Failure::usage(message))
    }

    /// The program that is run, if one is.
    fn collecting(&self, jobs: usize) -> Result<Option<Collecting>, Failure> {
        let apply = |program| self.program.apply(program);
        let (oracle, _) = self.oracle.apply(Default::default(), None)?;
        let Some(mut spec) = self.collecting.spec(apply, oracle, &self.message) else {
            return Ok(None);
        };
        spec.format = self.format.map(str::to_owned);
        spec.granularity = self.targets;
        let cache = self.collecting.cache.clone();
        let cache = cache.unwrap_or_else(|| collecting::cache_of(&self.output));
        Collecting::new(spec, &cache, jobs).map(Some)
    }

    fn write_behaviour(&self, dataset: &Dataset<'_>) -> Result<(), Failure> {
        let Some(path) = &self.write_behaviour else { return Ok(()) };
        let mut lines: String = String::new();
        for input in dataset.inputs() {
            lines.push_str(&ndjson::line(input));
            lines.push('\n');
        }
        std::fs::write(path, lines).map_err(|error| Failure::unwritable(path, &error))
    }

    fn options(&self, reading: &Reading) -> TrainOptions {
        let default_depth = match self.learner {
            Learner::Cart => 5,
            Learner::Optimal => 3,
        };
        TrainOptions {
            features: self.features.clone().unwrap_or_else(|| FeatureSet::paths(self.k)),
            trees: self.trees.counted(reading.grammar()),
            learner: self.learner,
            balance: self.balance,
            depth: self.depth.unwrap_or(default_depth),
            leaf_cost: self.leaf_cost.max(1),
            budget: self.budget,
            seed: self.seed,
            jobs: self.jobs.jobs(),
        }
    }

    /// What the program did on all inputs, from files, from a campaign and from runs.
    fn observed(
        &self,
        reading: &Reading,
        collecting: Option<&mut Collecting>,
        console: &Console,
    ) -> Result<Vec<Observed>, Failure> {
        let kind = reports::ReportKind { format: self.format, granularity: self.targets };
        let mut observed = Vec::new();
        for file in &self.behaviour {
            observed.extend(reports::read_behaviour(file, kind)?);
        }
        if let Some(folder) = &self.reports {
            let corpus = Corpus::new(&self.corpus).with_encoding(self.grammar.encoding());
            observed.extend(reports::read_folder(&corpus, folder, kind, console)?);
        }
        if let Some(db) = &self.db {
            observed.extend(inputs::from_campaign(self, db, console)?);
        }
        if let Some(collecting) = collecting {
            let texts = inputs::texts(self, &reading.language, console)?;
            let collected = collecting.run(&texts, console)?;
            if collected.observed.is_empty() {
                let reason = collected.failed.first().map_or("there is none", |(_, why)| why);
                let message = format!("nothing is known about any input: {reason}");
                return Err(bad_behaviour(message));
            }
            observed.extend(collected.observed);
        }
        Ok(observed)
    }

    fn warn(&self, model: &Model, console: &Console) {
        let mut warnings = Vec::new();
        let few = model.targets.iter().filter(|target| target.few_samples.is_some()).count();
        if few > 0 {
            let message = format!(
                "{} targets are covered by fewer than {} inputs, or by all but fewer than that",
                grouped(few as u64),
                FEW_SAMPLES
            );
            let help = "what is learned about them is a guess; add inputs";
            warnings.push(Diagnostic::new(codes::FEW_SAMPLES, message).help(help));
        }
        let open = model.targets.iter().filter(|target| target.optimality_gap.is_some()).count();
        if open > 0 {
            let message =
                format!("the trees of {} targets may not be optimal", grouped(open as u64));
            let help = "raise the work for each tree with --budget, or ask for less with --depth";
            warnings.push(Diagnostic::new(codes::NOT_OPTIMAL, message).help(help));
        }
        if model.targets.is_empty() {
            let message =
                "no target is covered by some inputs and not by others: nothing is learned";
            warnings.push(Diagnostic::new(codes::FEW_SAMPLES, message));
        }
        console.report(&warnings, &Sources::new());
    }

    fn show(
        &self,
        model: &Model,
        dataset: &Dataset<'_>,
        rejected: usize,
        console: &mut Console,
    ) -> Result<(), Failure> {
        let summary = Summary::of(model, dataset.repeated(), rejected);
        if self.json.json {
            return Ok(json::write(console.out(), &summary)?);
        }
        let Summary { inputs, features, different_features, targets, always, never, .. } = summary;
        let out = console.out();
        writeln!(out, "inputs    {}", grouped(inputs as u64))?;
        let (all, different) = (grouped(features as u64), grouped(different_features as u64));
        writeln!(out, "features  {all}, of which {different} differ")?;
        writeln!(
            out,
            "targets   {} learned, {} always covered, {} never covered",
            grouped(targets as u64),
            grouped(always as u64),
            grouped(never as u64)
        )?;
        writeln!(out, "trees     {:.1} questions on average", summary.mean_questions)?;
        writeln!(out, "accuracy  {:.3} on these inputs", summary.accuracy)?;
        Ok(())
    }
}

/// What was learned, in numbers.
#[derive(Serialize)]
struct Summary {
    inputs: usize,
    rejected: usize,
    repeated: usize,
    features: usize,
    different_features: usize,
    targets: usize,
    always: usize,
    never: usize,
    mean_questions: f64,
    accuracy: f64,
    learner: &'static str,
}

impl Summary {
    #[expect(clippy::cast_precision_loss, reason = "numbers of inputs are far below 2^53")]
    fn of(model: &Model, repeated: usize, rejected: usize) -> Self {
        let targets = model.targets.len();
        let questions: usize = model.targets.iter().map(TargetModel::splits).sum();
        let wrong: u32 = model
            .targets
            .iter()
            .flat_map(|target| target.conjunctions())
            .map(|(_, leaf)| leaf.covered.min(leaf.total - leaf.covered))
            .sum();
        let pairs = (targets * model.inputs.count).max(1);
        Self {
            inputs: model.inputs.count,
            rejected,
            repeated,
            features: model.observed_features,
            different_features: model.different_features,
            targets,
            always: model.always.len(),
            never: model.never.len(),
            mean_questions: questions as f64 / targets.max(1) as f64,
            accuracy: 1.0 - f64::from(wrong) / pairs as f64,
            learner: if model.options.learner == Learner::Cart.name() { "cart" } else { "optimal" },
        }
    }
}

/// Behaviour that cannot be used.
fn bad_behaviour(message: String) -> Failure {
    Failure::refused(Diagnostic::new(codes::BAD_BEHAVIOUR, message))
}

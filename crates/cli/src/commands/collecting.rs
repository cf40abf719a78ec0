//! What the commands share that run a program to learn from it.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use gramercy::assemble::recipe::TextRecipe;
use gramercy::assemble::{plan, random};
use gramercy::base::{Diagnostic, Sources};
use gramercy::campaign::collect::cache::{Cache, input_key};
use gramercy::campaign::collect::{CollectError, CollectSpec, Collected, Collector, Provenance};
use gramercy::language::Language;
use gramercy::learn::refine::{self, Ended, RefineError, RefineOptions, Refined};
use gramercy::learn::target::probes::Prober;
use gramercy::learn::{Dataset, Observed};
use gramercy::subject::{Launched, LauncherCommand, Program, Subject, SubjectError};

use super::campaigns::{bad_database, cannot_run};
use crate::codes;
use crate::console::Console;
use crate::interrupt::Interrupt;
use crate::outcome::Failure;
use crate::progress::Progress;
use crate::render::numbers::grouped;
use crate::render::suite_errors;

/// How many inputs without behaviour are named.
const NAMED: usize = 5;

/// A program that is run to learn from it.
pub(super) struct Collecting {
    collector: Collector,
    cache: Cache,
    launcher: LauncherCommand,
}

/// The database of runs that belongs to a model.
pub(super) fn cache_of(model: &Path) -> PathBuf {
    PathBuf::from(format!("{}.runs.db", model.display()))
}

impl Collecting {
    /// A program with the database of its runs.
    pub(super) fn new(spec: CollectSpec, cache: &Path, jobs: usize) -> Result<Self, Failure> {
        let collector = Collector::new(spec, jobs).map_err(failed)?;
        let cache = Cache::open(cache, &collector.key()).map_err(|error| bad_database(&error))?;
        let launcher = LauncherCommand::this_program().map_err(|error| cannot_run(&error))?;
        Ok(Self { collector, cache, launcher })
    }

    /// How behaviour was collected and of which inputs, as models hold it.
    pub(super) fn provenance(&self, inputs: &[Observed]) -> Option<serde_json::Value> {
        let spec = self.collector.spec().clone();
        let inputs = inputs.iter().map(|input| input_key(&input.text)).collect();
        serde_json::to_value(Provenance { spec, inputs }).ok()
    }

    /// The runs of the program on these inputs; all that are known if there is no list.
    pub(super) fn known(&self, inputs: Option<&[String]>) -> Result<Vec<Observed>, Failure> {
        let known = match inputs {
            Some(inputs) => self.cache.of(inputs),
            None => self.cache.all(),
        };
        known.map_err(|error| bad_database(&error))
    }

    /// Runs the program on inputs, each a name and a text, with a line of progress.
    pub(super) fn run(
        &mut self,
        inputs: &[(String, String)],
        console: &Console,
    ) -> Result<Collected, Failure> {
        let launcher = &self.launcher;
        let make = |program: &Program| -> Result<Box<dyn Subject + Send>, SubjectError> {
            Ok(Box::new(Launched::new(launcher.clone(), program.clone())?))
        };
        let mut line = Progress::of("runs", console.is_quiet());
        let interrupt = Interrupt::listen();
        let mut watch = |done: usize, all: usize| {
            line.show(done as u64, done as u64, Some(all as u64));
            if interrupt.is_wanted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let ran = self.collector.run(inputs, &make, Some(&mut self.cache), &mut watch);
        line.clear();
        drop(interrupt);
        let collected = ran.map_err(failed)?;
        report_failed(&collected.failed, console);
        Ok(collected)
    }

    /// Refines what is learned from a dataset.
    pub(super) fn refine(
        &mut self,
        dataset: &mut Dataset<'_>,
        text: &TextRecipe,
        options: &RefineOptions,
        console: &Console,
    ) -> Result<Refined, Failure> {
        let language = dataset.language();
        let refused = |error| suite_errors::failure(error, language);
        let mut writer = plan::writer(language, text).map_err(refused)?;
        let writable: Language = random::drawn_language(language, &mut writer);
        let mut prober = Prober::new(&writable, writer, dataset.options().seed);
        let mut run = |texts: Vec<String>| {
            let named = |text: String| (format!("`{text}`"), text);
            let inputs: Vec<(String, String)> = texts.into_iter().map(named).collect();
            self.run(&inputs, console).map(|collected| collected.observed)
        };
        let refined = refine::refine(dataset, &mut prober, options, &mut run);
        refined.map_err(|error| match error {
            RefineError::Run(failure) => failure,
            RefineError::Limit(limit) => limit.into(),
            RefineError::Verify(error) => {
                Failure::refused(Diagnostic::new(codes::BAD_MODEL, error.to_string()))
            }
        })
    }
}

/// One line about a refinement.
pub(super) fn in_words(refined: &Refined) -> String {
    let why = match refined.ended {
        Ended::Settled => "settled: the last rounds changed nothing",
        Ended::NothingToTry => "no further input puts a condition to the test",
        Ended::Budget => "the budget is used up",
    };
    let (rounds, runs) = (refined.rounds, grouped(refined.runs as u64));
    format!("refined in {rounds} rounds with {runs} runs; {why}")
}

/// Warns of inputs of which nothing is known.
fn report_failed(failures: &[(String, String)], console: &Console) {
    let warning = |(name, reason): &(String, String)| {
        let message = format!("nothing is known about {name}: {reason}");
        Diagnostic::new(codes::LEFT_OUT, message)
    };
    let mut warnings: Vec<Diagnostic> = failures.iter().take(NAMED).map(warning).collect();
    if failures.len() > NAMED {
        let more = grouped((failures.len() - NAMED) as u64);
        let message = format!("nothing is known about {more} more inputs");
        warnings.push(Diagnostic::new(codes::LEFT_OUT, message));
    }
    console.report(&warnings, &Sources::new());
}

fn failed(error: CollectError) -> Failure {
    match error {
        CollectError::Subject(error) => cannot_run(&error),
        CollectError::Cache(error) => bad_database(&error),
        CollectError::Pattern(error) => {
            Failure::refused(Diagnostic::new(codes::BAD_PATTERN, error.to_string()))
        }
        CollectError::Broken(_) => {
            Failure::Exhausted(Box::new(Diagnostic::new(codes::CANNOT_RUN, error.to_string())))
        }
        CollectError::NoExport => Failure::usage(&CollectError::NoExport.to_string()),
        CollectError::Interrupted => Failure::Interrupted,
    }
}

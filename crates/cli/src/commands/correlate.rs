//! `gramercy correlate`: does covering more of the grammar cover more of the program?

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueHint};
use gramercy::base::Limits;
use gramercy::learn::correlate::{CorrelateOptions, Correlation, correlate};
use gramercy::learn::readers::Granularity;
use gramercy::learn::{Dataset, FeatureSet, TrainOptions};
use serde::Serialize;

use super::learn::reports::{ReportKind, read_behaviour};
use super::learning;
use super::reading::Reading;
use crate::console::Console;
use crate::flags::{GrammarArgs, JobArgs, JsonArgs, TreesArgs, named};
use crate::outcome::{Failure, Outcome};
use crate::render::numbers::grouped;
use crate::render::table::Table;
use crate::render::{json, scatter};

/// Correlate the coverage of k-paths with that of a program
#[derive(Args)]
#[command(after_help = "\
Suites of growing size are put together from the inputs: for each size, several random sets of paths, and an input for \
each path. Spearman's rho says how monotonic the relation between both coverages is, p how likely such a value is \
without any relation.

Examples:
  gramercy correlate grammar.gram --behaviour runs.ndjson
  gramercy correlate grammar.gram --behaviour runs.ndjson --k 3 --plot correlation.svg --json")]
pub(crate) struct Correlate {
    #[command(flatten)]
    grammar: GrammarArgs,
    /// What the program did on each input, as NDJSON
    #[arg(long, value_name = "FILE", required = true, value_hint = ValueHint::FilePath)]
    behaviour: Vec<PathBuf>,
    /// What counts as a target in coverage reports that the behaviour names
    #[arg(long, value_name = "KIND", default_value = "branches", value_parser = named::<Granularity>())]
    targets: Granularity,
    /// The longest paths
    #[arg(long, value_name = "K", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=16))]
    k: u32,
    /// How many suites of each size
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    subsets: u32,
    /// Seed of everything that is drawn
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Draw the coverages of all suites, as SVG
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    plot: Option<PathBuf>,
    #[command(flatten)]
    trees: TreesArgs,
    #[command(flatten)]
    jobs: JobArgs,
    #[command(flatten)]
    json: JsonArgs,
}

impl Correlate {
    pub(crate) fn run(&self, console: &mut Console) -> Result<Outcome, Failure> {
        let reading = Reading::new(&self.grammar, Limits::default(), console)?;
        let kind = ReportKind { format: None, granularity: self.targets };
        let mut observed = Vec::new();
        for file in &self.behaviour {
            observed.extend(read_behaviour(file, kind)?);
        }
        let trees = self.trees.counted(reading.grammar());
        let (features, jobs) = (FeatureSet::paths(self.k), self.jobs.jobs());
        let options = TrainOptions { features, trees, jobs, ..TrainOptions::default() };
        let mut dataset = Dataset::new(&reading.language, reading.parser(), options)?;
        let rejected = dataset.add(observed);
        learning::report_rejected(&reading, &rejected, console);
        let options = CorrelateOptions { longest: self.k, subsets: self.subsets, seed: self.seed };
        let found = correlate(&dataset.behaviour(), &dataset.columns().into_paths(), &options);
        if let Some(path) = &self.plot {
            std::fs::write(path, scatter::svg(&found))
                .map_err(|error| Failure::unwritable(path, &error))?;
        }
        self.show(&found, console)?;
        Ok(if rejected.is_empty() { Outcome::Clean } else { Outcome::Found })
    }

    fn show(&self, found: &[Correlation], console: &mut Console) -> Result<(), Failure> {
        if self.json.json {
            let lengths = found.iter().map(Length::of).collect();
            return Ok(json::write(console.out(), &Report { lengths })?);
        }
        let mut table = Table::of_numbers(["k", "paths", "suites", "rho", "p"]);
        for correlation in found {
            let (rho, p) = match correlation.spearman {
                Some(found) => (format!("{:.6}", found.rho), p_value(found.p_value)),
                None => ("-".to_owned(), "-".to_owned()),
            };
            table.row([
                correlation.k.to_string(),
                grouped(correlation.paths as u64),
                grouped(correlation.suites.len() as u64),
                rho,
                p,
            ]);
        }
        let text = table.render(console.out_palette());
        Ok(console.out().write_all(text.as_bytes())?)
    }
}

fn p_value(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("{p:.3}") }
}

#[derive(Serialize)]
struct Report {
    lengths: Vec<Length>,
}

#[derive(Serialize)]
struct Length {
    k: u32,
    paths: usize,
    suites: usize,
    rho: Option<f64>,
    p: Option<f64>,
}

impl Length {
    fn of(correlation: &Correlation) -> Self {
        Self {
            k: correlation.k,
            paths: correlation.paths,
            suites: correlation.suites.len(),
            rho: correlation.spearman.map(|found| found.rho),
            p: correlation.spearman.map(|found| found.p_value),
        }
    }
}

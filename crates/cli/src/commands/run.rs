//! `gramercy run`: a campaign of tests against a program.

use std::io::Write;
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Args, ValueHint};
use gramercy::base::Limits;
use gramercy::campaign::Outcome as Ended;
use gramercy::campaign::presets::PRESETS;

use super::campaigns::{Database, Order, preset, subject};
use crate::console::Console;
use crate::flags::{GrammarArgs, JsonArgs, OracleArgs, ProgramArgs, TestArgs, jobs};
use crate::outcome::{Failure, Outcome};
use crate::report::ReportArgs;

const CAMPAIGN: &str = "Campaign options";

/// Run a program on tests, and keep and group every verdict
#[derive(Args)]
#[command(mut_arg("grammar", |grammar| {
    // Presets are listed without a grammar.
    grammar.index(1).required(false).default_value_if("presets", "true", "-")
}))]
#[command(after_help = "\
A test reaches the program as the file {}, without {} on standard input, with --argument as an argument, or with
--persistent one after the other to one process. Verdicts are kept in the database of --db, which --resume
continues. Exit code 1 means findings, 3 that the program cannot be run.

Examples:
  gramercy run json.g4 -- jq . {}
  gramercy run json.g4 --preset jq --cover kpath:3 --db jq.db --report report.html
  gramercy run json.g4 --db jq.db --resume --preset jq --cover kpath:3
  gramercy run sql.g4 --random 1000 --accept-output no.such.table -- sqlite3 :memory:
  gramercy run json.g4 --from negative.ndjson --position line.(?<line>[0-9]+) -- ./parser {}
  gramercy run json.g4 --persistent --random 100000 -- python3 harness.py
  gramercy run json.g4 --shard 1/4 --db part-1.db -- ./parser {}
  gramercy run --presets")]
pub(crate) struct Run {
    #[command(flatten)]
    grammar: GrammarArgs,
    #[command(flatten)]
    tests: TestArgs,
    #[command(flatten)]
    program: ProgramArgs,
    #[command(flatten)]
    oracle: OracleArgs,
    /// Call and understand the program as this preset does
    #[arg(long, value_name = "NAME", help_heading = "Oracle options")]
    preset: Option<String>,
    /// List the presets
    #[arg(long, help_heading = "Oracle options")]
    presets: bool,
    /// Database to keep everything in [default: a temporary one]
    #[arg(long, value_name = "FILE", help_heading = CAMPAIGN, value_hint = ValueHint::FilePath)]
    db: Option<PathBuf>,
    /// Continue the campaign of the database
    #[arg(long, requires = "db", help_heading = CAMPAIGN)]
    resume: bool,
    /// Replace a database that is there already
    #[arg(long, help_heading = CAMPAIGN, conflicts_with = "resume")]
    force: bool,
    /// How many tests to run at the same time [default: the number of processors]
    #[arg(long, value_name = "N", help_heading = CAMPAIGN)]
    jobs: Option<usize>,
    /// How often to run a finding again, to see whether it is steady
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = CAMPAIGN)]
    reruns: u32,
    /// Stop if more than this share of the tests ends alike before the program read anything
    #[arg(long, value_name = "F", default_value_t = 0.5, value_parser = crate::flags::factor, help_heading = CAMPAIGN)]
    broken_share: f64,
    /// Stop after this number of different findings
    #[arg(long, value_name = "N", help_heading = CAMPAIGN)]
    max_groups: Option<usize>,
    #[command(flatten)]
    report: ReportArgs,
    #[command(flatten)]
    json: JsonArgs,
    /// The program and its arguments
    #[arg(last = true, index = 2, value_name = "COMMAND")]
    command: Vec<String>,
}

impl Run {
    pub(crate) fn run(&self, console: &mut Console) -> Result<Outcome, Failure> {
        if self.presets {
            return list_presets(console);
        }
        let loaded = self.grammar.load(Limits::default(), console)?;
        let preset = self.preset.as_deref().map(preset).transpose()?;
        if self.command.is_empty() && preset.is_none() {
            let message = "name a program, such as `-- jq . {}`, or a --preset\n";
            return Err(clap::Error::raw(ErrorKind::MissingRequiredArgument, message).into());
        }
        let subject = subject(None, &self.command, preset, &self.program, &self.oracle)?;
        let order = Order {
            loaded: &loaded,
            source: self.tests.source(&self.grammar, &loaded, console)?,
            subjects: vec![subject],
            jobs: jobs(self.jobs),
            reruns: self.reruns,
            broken_share: self.broken_share,
            max_groups: self.max_groups,
            database: Database::new(self.db.as_deref(), self.resume, self.force)?,
        };
        let ran = order.run(console)?;
        self.report.write(&ran.report, console)?;
        self.report.show(&ran.report, self.json.json, console)?;
        Ok(match ran.ended {
            Ended::Interrupted => Outcome::Interrupted,
            Ended::Broken(_) => return Err(Failure::NotRun),
            _ if ran.report.total().findings() > 0 => Outcome::Found,
            _ => Outcome::Clean,
        })
    }
}

fn list_presets(console: &mut Console) -> Result<Outcome, Failure> {
    let width = PRESETS.iter().map(|preset| preset.name.len()).max().unwrap_or(0);
    for preset in PRESETS {
        writeln!(console.out(), "{:width$}  {}", preset.name, preset.help)?;
    }
    Ok(Outcome::Clean)
}

//! The commands, a file each: its flags and what it does with them.

mod automata;
pub(crate) mod campaigns;
mod check;
mod collecting;
mod compare;
mod completions;
mod convert;
mod correlate;
mod count;
mod diff;
pub(crate) mod expectations;
mod explain;
mod generate;
mod graph;
mod init;
mod inputs;
mod learn;
mod learning;
mod localize;
mod man;
mod measure;
mod merge;
mod negate;
mod parse;
mod predict;
mod random;
mod reading;
mod reduce;
mod repair;
mod run;
mod stats;
pub(crate) mod suites;
mod target;
mod uniform;

use clap::Subcommand;

use crate::console::Console;
use crate::outcome::{Failure, Outcome};

/// What to do.
#[derive(Subcommand)]
pub(crate) enum Command {
    Stats(stats::Stats),
    Check(Box<check::Check>),
    Convert(convert::Convert),
    Graph(graph::Graph),
    Parse(Box<parse::Parse>),
    Measure(Box<measure::MeasureCommand>),
    Generate(Box<generate::Generate>),
    Random(Box<random::Random>),
    Negate(Box<negate::Negate>),
    Count(count::Count),
    Compare(compare::Compare),
    Run(Box<run::Run>),
    Diff(Box<diff::Diff>),
    Reduce(Box<reduce::Reduce>),
    Localize(Box<localize::Localize>),
    Repair(Box<repair::Repair>),
    Merge(merge::Merge),
    Init(init::Init),
    Learn(Box<learn::Learn>),
    Explain(explain::Explain),
    Predict(predict::Predict),
    Target(Box<target::Target>),
    Correlate(correlate::Correlate),
    Completions(completions::Completions),
    Man(man::Man),
}

impl Command {
    /// Does it.
    pub(crate) fn run(&self, console: &mut Console) -> Result<Outcome, Failure> {
        match self {
            Command::Stats(command) => command.run(console),
            Command::Check(command) => command.run(console),
            Command::Convert(command) => command.run(console),
            Command::Graph(command) => command.run(console),
            Command::Parse(command) => command.run(console),
            Command::Measure(command) => command.run(console),
            Command::Generate(command) => command.run(console),
            Command::Random(command) => command.run(console),
            Command::Negate(command) => command.run(console),
            Command::Count(command) => command.run(console),
            Command::Compare(command) => command.run(console),
            Command::Run(command) => command.run(console),
            Command::Diff(command) => command.run(console),
            Command::Reduce(command) => command.run(console),
            Command::Localize(command) => command.run(console),
            Command::Repair(command) => command.run(console),
            Command::Merge(command) => command.run(console),
            Command::Init(command) => command.run(console),
            Command::Learn(command) => command.run(console),
            Command::Explain(command) => command.run(console),
            Command::Predict(command) => command.run(console),
            Command::Target(command) => command.run(console),
            Command::Correlate(command) => command.run(console),
            Command::Completions(command) => command.run(console),
            Command::Man(command) => command.run(console),
        }
    }
}

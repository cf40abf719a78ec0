//! The arguments of all commands. Each flag has one definition, which feeds parser, help,
//! completions, manual and the keys of `gramercy.toml`; what several commands share is a group here,
//! the rest stands with its command.

mod collect;
mod corpus;
mod criteria;
mod destination;
mod drawing;
mod exempt;
mod failing;
mod given;
mod grammar;
mod input_limits;
mod jobs;
mod lexemes;
mod limits;
mod negative;
mod oracle;
mod output;
mod program;
mod resolution;
mod suite;
mod test_source;
mod transformations;
mod trees;
mod uniform;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ColorChoice, Parser};

use gramercy::Construction;
use gramercy::base::named::{Choice, Named};

use crate::commands::Command;

pub(crate) use collect::CollectArgs;
pub(crate) use corpus::CorpusArgs;
pub(crate) use criteria::{
    Criteria, MeasuredCriterion, criteria, joined as joined_criteria, measured_criteria,
    specs as criterion_specs,
};
pub(crate) use destination::DestinationArgs;
pub(crate) use drawing::{AlternativeArgs, DrawingArgs, factor, not_negative};
pub(crate) use exempt::ExemptArgs;
pub(crate) use failing::FailingArgs;
pub(crate) use given::Given;
pub(crate) use grammar::{GrammarArgs, GrammarOptions, LoadedGrammar};
pub(crate) use input_limits::InputLimitArgs;
pub(crate) use jobs::JobArgs;
pub(crate) use lexemes::{LexemeArgs, template as lexeme_template};
pub(crate) use limits::LimitArgs;
pub(crate) use negative::{MutationArgs, NegativeCriteria};
pub(crate) use oracle::OracleArgs;
pub(crate) use output::{JsonArgs, OutputArgs};
pub(crate) use program::{ProgramArgs, duration};
pub(crate) use resolution::ResolutionArgs;
pub(crate) use suite::{SuiteArgs, jobs, seed, shard};
pub(crate) use test_source::TestArgs;
pub(crate) use transformations::TransformationArgs;
pub(crate) use trees::{Trees, TreesArgs};
pub(crate) use uniform::{Sizes, UniformArgs};

/// The most bytes of a file of options: defaults, texts of tokens, exempt targets.
pub(crate) const SMALL_FILE: usize = 16 << 20;

/// The heading under which help lists what every command has.
const GLOBAL: &str = "Global options";

/// Grammar-based testing: look at a grammar, and make tests from it
#[derive(Parser)]
#[command(
    name = "gramercy",
    version,
    max_term_width = 100,
    subcommand_required = true,
    arg_required_else_help = true,
    after_help = "Exit codes: 0 done, nothing found; 1 done, something found; 2 could not be done; \
                  3 out of disk, memory or the like; 130 interrupted."
)]
pub(crate) struct Cli {
    /// What every command has.
    #[command(flatten)]
    pub(crate) global: GlobalArgs,
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What every command has.
#[derive(Args)]
pub(crate) struct GlobalArgs {
    /// When to use color; `auto` respects NO_COLOR
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", help_heading = GLOBAL)]
    pub(crate) color: ColorChoice,
    /// Print only errors to standard error
    #[arg(long, short, global = true, help_heading = GLOBAL)]
    pub(crate) quiet: bool,
    /// Do not read defaults from gramercy.toml
    #[arg(long, global = true, help_heading = GLOBAL)]
    pub(crate) no_config: bool,
}

/// The names of LR automata.
pub(crate) fn automata() -> impl TypedValueParser<Value = Construction> {
    one_of(&Construction::ALL, Construction::as_str)
}

/// The criteria that suites can cover, as a help text lists them.
pub(crate) fn criteria_help() -> String {
    let listed = gramercy::coverage::spec::listed();
    let width = listed.iter().map(|(usage, _)| usage.len()).max().unwrap_or(0);
    let line = |(usage, help): &(String, String)| format!("  {usage:width$}  {help}\n");
    let lines: String = listed.iter().map(line).collect();
    format!("Criteria, joined with +; K is a number, A an automaton of lr0, lalr, lr1:\n{lines}")
}

/// A parser for the values of a table of choices, which also feeds help and completions.
pub(crate) fn named<T: Named>() -> impl TypedValueParser<Value = T> {
    let value = |choice: &Choice<T>| PossibleValue::new(choice.name).help(choice.help);
    PossibleValuesParser::new(T::CHOICES.iter().map(value)).map(|chosen| {
        T::from_name(&chosen).expect("invariant: the parser lets only known names through")
    })
}

/// A parser for the values that the library lists by name.
pub(crate) fn one_of<T>(
    all: &'static [T],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync + 'static,
{
    let names = all.iter().map(|&value| name(value)).collect::<Vec<_>>();
    PossibleValuesParser::new(names).map(move |chosen| {
        let found = all.iter().copied().find(|&value| name(value) == chosen);
        found.expect("invariant: the parser lets only known names through")
    })
}

//! `gramercy compare`: compares suites for several criteria, and suites that exist already.

use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::{Args, ValueHint};
use gramercy::assemble::SuiteError;
use gramercy::base::{Diagnostic, Limits, Sources};
use gramercy::coverage::CriterionSpec;
use gramercy::derive::{Resolution, Resolutions, Ties};
use gramercy::generate::compare::{self, Compared, Comparing, Comparison, Contender};
use gramercy::generate::strategies::{CriterionRequest, StrategyRequest};
use gramercy::language::Language;
use gramercy::lexis::write::Choice;
use gramercy::lexis::{WriteOptions, Writer};
use gramercy::parse::Derivations;
use gramercy::suite::{Expectation, Input};

use super::reading::{no_parser, unreadable};
use crate::codes;
use crate::console::Console;
use crate::flags::{
    CorpusArgs, Criteria, GrammarArgs, JsonArgs, ResolutionArgs, criteria, criterion_specs, seed,
};
use crate::outcome::{Failure, Outcome};
use crate::output_file;
use crate::render;

/// Compare suites for several criteria, and existing suites: sizes, mutual coverage, exclusive sentences
#[derive(Args)]
#[command(after_help = "\
Examples:
  gramercy compare grammar.y --cover rule --cover pop-edge:lr0
  gramercy compare grammar.y --cover pop-edge:lr0 --cover pop-edge:lr1 --repeat 100
  gramercy compare grammar.g4 --cover rule --suite tests/ --suite generated=suite.ndjson
  gramercy compare grammar.g4 --cover cdrc --cover lr-path:2 --chart sizes.svg --csv sizes.csv")]
pub(crate) struct Compare {
    #[command(flatten)]
    grammar: GrammarArgs,
    /// Criteria whose suites are compared, joined with + or in several options
    #[arg(
        long, value_name = "CRITERIA", required = true, value_parser = criteria(),
        hide_possible_values = true
    )]
    cover: Vec<Criteria>,
    /// Existing suite to compare with them: a file, folder, archive or NDJSON file of inputs; may be given
    /// several times
    #[arg(long, value_name = "[NAME=]PATH", value_hint = ValueHint::AnyPath)]
    suite: Vec<String>,
    #[command(flatten)]
    corpus: CorpusArgs,
    /// Number of suites per criterion. With more than one, ties are broken at random; otherwise, the first
    /// choice in the file wins
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,
    /// Seed of everything that is drawn: a number, or `random` for another one each time
    #[arg(long, value_name = "N", default_value = "0", value_parser = seed)]
    seed: u64,
    #[command(flatten)]
    resolution: ResolutionArgs,
    /// Draw the sizes as SVG into this file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    chart: Option<PathBuf>,
    /// Write the sizes as a CSV table to this file; - is standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    csv: Option<PathBuf>,
    #[command(flatten)]
    output: JsonArgs,
}

impl Compare {
    pub(crate) fn run(&self, console: &mut Console) -> Result<Outcome, Failure> {
        let cover = criterion_specs(&self.cover);
        if cover.len() + self.suite.len() > compare::MAX_CONTENDERS {
            let message =
                format!("at most {} criteria and suites are compared", compare::MAX_CONTENDERS);
            return Err(Failure::usage(&message));
        }
        if let Some(spec) = cover.iter().find(|spec| spec.name() == "lexeme") {
            let message = format!("sentences are compared, not texts: `{spec}` has no place here");
            return Err(Failure::usage(&message));
        }
        self.grammar.given().say_seed(self.seed, console);
        let limits = Limits::default();
        let loaded = self.grammar.load(limits, console)?;
        let language = &loaded.language;
        let mut writer = language.writer(&WriteOptions::default())?;
        let comparison = self.compare(&cover, language, &mut writer, console)?;
        if let Some(path) = &self.chart {
            let chart = render::comparison::chart(&comparison);
            output_file::write(path, &chart, console)?;
        }
        if let Some(path) = &self.csv {
            output_file::write(path, &render::comparison::csv(&comparison), console)?;
            if output_file::is_standard(path) {
                return Ok(Outcome::Clean);
            }
        }
        let palette = console.out_palette();
        match self.output.json {
            true => render::comparison::write_json(console.out(), &comparison)?,
            false => render::comparison::write_tables(console.out(), &comparison, palette)?,
        }
        Ok(Outcome::Clean)
    }

    fn compare(
        &self,
        cover: &[CriterionSpec],
        language: &Language,
        writer: &mut Writer<'_>,
        console: &Console,
    ) -> Result<Comparison, Failure> {
        let contender = |&spec: &CriterionSpec| -> Result<_, Failure> {
            let criterion = Some(spec.build(language)?);
            Ok(Contender { name: spec.to_string(), criterion })
        };
        let mut contenders = cover.iter().map(contender).collect::<Result<Vec<_>, _>>()?;
        let suites: Vec<(&str, &str)> = self.suite.iter().map(|suite| named(suite)).collect();
        let existing =
            |(name, _): &(&str, &str)| Contender { name: (*name).to_owned(), criterion: None };
        contenders.extend(suites.iter().map(existing));
        let mut comparing = Comparing::new(language.bnf(), contenders);
        let nothing = Choice { seed: self.seed, test: 0, fixed: &[] };
        for variant in 0..self.repeat {
            let resolutions = Resolutions::new(language, self.resolution(variant), 1);
            for (at, &spec) in cover.iter().enumerate() {
                let (resolutions, request) = (&resolutions, &CriterionRequest::default());
                let making = StrategyRequest { spec, index: at, language, resolutions, request };
                let strategy = making.small().map_err(SuiteError::from);
                let mut strategy =
                    strategy.map_err(|error| render::suite_errors::failure(error, language))?;
                comparing.suite(at, |take| {
                    compare::each_test(&mut strategy, &mut |candidate| {
                        let written = writer.write(&candidate.tokens, &nothing);
                        let bytes = written.map_or(0, |written| written.text.len() as u64);
                        take(Compared::Made(candidate), bytes);
                    });
                    Ok::<(), Failure>(())
                })?;
            }
        }
        for (at, (name, path)) in (cover.len()..).zip(suites) {
            comparing.suite(at, |take| self.read_suite(name, path, language, console, take))?;
        }
        Ok(comparing.finish())
    }

    /// Reads an existing suite. Inputs that are not in the language are counted and left out.
    fn read_suite(
        &self,
        name: &str,
        path: &str,
        language: &Language,
        console: &Console,
        take: &mut dyn FnMut(Compared<'_>, u64),
    ) -> Result<(), Failure> {
        let parser = language.parser().map_err(|error| no_parser(language.grammar(), &error))?;
        let (mut workspace, mut rejected, mut errors) = (parser.workspace(), 0_u64, Vec::new());
        let corpus = self.corpus.corpus(&[path.to_owned()], self.grammar.encoding());
        corpus.for_each(|input| {
            match &input {
                Err(error) => errors.push(unreadable(error)),
                Ok(Input { expect: Some(Expectation::Reject(_)), .. }) => {}
                Ok(input) => {
                    let read = input.text().ok().and_then(|text| {
                        let tree = parser.preferred(&mut workspace, &text).ok()?.tree;
                        let forest = parser.forest(&mut workspace, &text).ok()?;
                        Some((tree.sentence(), Derivations::of_forest(parser.parser(), &forest)))
                    });
                    match read {
                        None => rejected += 1,
                        Some((tokens, derivations)) => {
                            take(Compared::Read(&tokens, &derivations), input.content.len() as u64);
                        }
                    }
                }
            }
            ControlFlow::Continue(())
        });
        if !errors.is_empty() {
            return Err(Failure::Refused(errors, Sources::new()));
        }
        if rejected > 0 {
            let inputs = if rejected == 1 { "input is" } else { "inputs are" };
            let message =
                format!("{rejected} {inputs} not in the language, and left out of `{name}`");
            let help = "gramercy parse says why inputs are rejected";
            let diagnostic = Diagnostic::new(codes::GIVEN_REJECTED, message).help(help);
            console.report(&[diagnostic], &Sources::new());
        }
        Ok(())
    }

    fn resolution(&self, variant: u32) -> Resolution {
        self.resolution.with(match self.repeat {
            1 => Ties::First,
            _ => Ties::Random { seed: self.seed, variant: variant.into() },
        })
    }
}

/// The name and the path of an existing suite; without a name, the path is its name.
fn named(suite: &str) -> (&str, &str) {
    match suite.split_once('=') {
        Some((name, path)) if !name.contains(['/', '\\']) => (name, path),
        _ => (suite, suite),
    }
}

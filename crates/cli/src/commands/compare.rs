//! `gramercy compare`: suites for several criteria against each other.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use gramercy::assemble::SuiteError;
use gramercy::base::Limits;
use gramercy::coverage::CriterionSpec;
use gramercy::derive::{Resolution, Resolutions, Ties};
use gramercy::generate::compare::{self, Comparing, Comparison, Contender};
use gramercy::generate::strategies::{CriterionRequest, Making};
use gramercy::language::Language;
use gramercy::lexis::write::Choice;
use gramercy::lexis::{WriteOptions, Writer};

use crate::console::Console;
use crate::flags::{
    Criteria, GrammarArgs, JsonArgs, ResolutionArgs, criteria, criterion_specs, seed,
};
use crate::outcome::{Failure, Outcome};
use crate::output_file;
use crate::render;

/// Compare suites for several criteria: sizes, mutual coverage, exclusive sentences
#[derive(Args)]
#[command(after_help = "\
Examples:
  gramercy compare grammar.y --cover rule --cover pop-edge:lr0
  gramercy compare grammar.y --cover pop-edge:lr0 --cover pop-edge:lr1 --repeat 100
  gramercy compare grammar.g4 --cover cdrc --cover lr-path:2 --chart sizes.svg")]
pub(crate) struct Compare {
    #[command(flatten)]
    grammar: GrammarArgs,
    /// Criteria whose suites are compared, joined with + or in several options
    #[arg(
        long, value_name = "CRITERIA", required = true, value_parser = criteria::<CriterionSpec>(),
        hide_possible_values = true
    )]
    cover: Vec<Criteria>,
    /// Make so many suites for each criterion, with ties drawn; with 1 they go to the first in the file
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
    #[command(flatten)]
    output: JsonArgs,
}

impl Compare {
    pub(crate) fn run(&self, console: &mut Console) -> Result<Outcome, Failure> {
        let cover = criterion_specs(&self.cover);
        if cover.len() > compare::MAX_CONTENDERS {
            let message = format!("at most {} criteria are compared", compare::MAX_CONTENDERS);
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
        let comparison = self.compare(&cover, language, &mut writer)?;
        if let Some(path) = &self.chart {
            let chart = render::comparison::chart(&comparison);
            output_file::write(path, &chart, console)?;
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
    ) -> Result<Comparison, Failure> {
        let contender = |&spec: &CriterionSpec| -> Result<_, Failure> {
            let criterion = Some(spec.build(language)?);
            Ok(Contender { name: spec.to_string(), criterion })
        };
        let contenders = cover.iter().map(contender).collect::<Result<_, _>>()?;
        let mut comparing = Comparing::new(language.bnf(), contenders);
        let nothing = Choice { seed: self.seed, test: 0, fixed: &[] };
        for variant in 0..self.repeat {
            let resolutions = Resolutions::new(language, self.resolution(variant), 1);
            for (at, &spec) in cover.iter().enumerate() {
                let (resolutions, request) = (&resolutions, &CriterionRequest::default());
                let making = Making { spec, index: at, language, resolutions, request };
                let strategy = making.small().map_err(SuiteError::from);
                let mut strategy =
                    strategy.map_err(|error| render::suite_errors::failure(error, language))?;
                comparing.suite(at, |take| {
                    compare::each_test(&mut strategy, &mut |candidate| {
                        let written = writer.write(&candidate.tokens, &nothing);
                        take(candidate, written.map_or(0, |written| written.text.len() as u64));
                    });
                    Ok::<(), Failure>(())
                })?;
            }
        }
        Ok(comparing.finish())
    }

    fn resolution(&self, variant: u32) -> Resolution {
        self.resolution.with(match self.repeat {
            1 => Ties::First,
            _ => Ties::Random { seed: self.seed, variant: variant.into() },
        })
    }
}

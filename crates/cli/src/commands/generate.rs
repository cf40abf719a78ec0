//! `gramercy generate`: a suite that covers what a criterion wants covered.

use std::ops::ControlFlow;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use gramercy::analysis::shortest_yield::Length;
use gramercy::base::Limits;
use gramercy::coverage::{CriterionSpec, SpecError, Views, criteria};
use gramercy::generate::strategies;
use gramercy::generate::{Closings, Embedding, Named, Pipeline, Resolution, Strategy, Ties};
use gramercy::lexis::{WriteOptions, Writer};
use gramercy::suite::sinks::Lines;

use crate::console::Console;
use crate::flags::{GrammarArgs, SuiteArgs, TieBreak};
use crate::outcome::{Failure, Outcome};

/// Make a suite of positive tests that covers what a criterion wants covered
#[derive(Args)]
#[command(after_help = "\
Criteria, joined with +: symbol, rule, cdrc, cdrc-full, step:K, bfs:K, deriv, pll, pair.

Examples:
  gramercy generate grammar.gram
  gramercy generate grammar.y --cover step:3 --count
  gramercy generate grammar.g4 --cover rule+pll -n 100")]
pub(crate) struct Generate {
    #[command(flatten)]
    grammar: GrammarArgs,
    /// What the suite is to cover
    #[arg(long, value_name = "CRITERIA", default_value = "cdrc")]
    cover: Criteria,
    /// What is to be small about the rest of a test: its text, or its tree
    #[arg(long, value_name = "HOW", default_value = "shortest")]
    embedding: Small,
    /// What the length of a yield is measured in
    #[arg(long = "yield", value_name = "WHAT", default_value = "tokens")]
    yields: Yield,
    /// Merge the suites of so many ways to break ties
    #[arg(long, value_name = "N", default_value_t = 1)]
    variants: u32,
    #[command(flatten)]
    suite: SuiteArgs,
}

/// Several criteria joined with `+`.
#[derive(Clone)]
struct Criteria(Vec<CriterionSpec>);

impl FromStr for Criteria {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        CriterionSpec::parse_list(text).map(Self)
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum Small {
    Shortest,
    Shallowest,
}

#[derive(Clone, Copy, ValueEnum)]
enum Yield {
    Tokens,
    Edges,
}

impl Generate {
    pub(crate) fn run(&self, console: &mut Console) -> Result<Outcome, Failure> {
        let limits = Limits::default();
        let loaded = self.grammar.load(limits, console)?;
        let graph = loaded.grammar.graph();
        let bnf = loaded.grammar.bnf(&graph, &limits)?;
        let views = Views::new(&loaded.grammar, &graph, &bnf, &limits);
        let writer = Writer::new(&loaded.grammar, &WriteOptions::default())?;
        let closings = Closings::new(&views, self.resolution(), self.variants);
        let mut strategies = self.strategies(&views, &closings, &limits)?;
        let criteria = self.criteria(&views, &limits)?;
        let pipeline = Pipeline { views: &views, writer, criteria, options: self.suite.options() };
        let mut sink = Lines::new(console.out());
        pipeline.run(&mut strategies, &mut sink, &mut |_| ControlFlow::Continue(()))?;
        Ok(Outcome::Clean)
    }
}

impl Generate {
    fn resolution(&self) -> Resolution {
        Resolution {
            embedding: match self.embedding {
                Small::Shortest => Embedding::Shortest,
                Small::Shallowest => Embedding::Shallowest,
            },
            length: match self.yields {
                Yield::Tokens => Length::Terminals,
                Yield::Edges => Length::LrEdges,
            },
            ties: match self.suite.ties {
                TieBreak::First => Ties::First,
                TieBreak::Random => Ties::Random { seed: self.suite.seed, variant: 0 },
            },
        }
    }

    fn criteria<'v>(
        &self,
        views: &'v Views<'v>,
        limits: &Limits,
    ) -> Result<Vec<Named<'v>>, Failure> {
        let named = |&spec: &CriterionSpec| {
            let criterion = criteria::build(spec, views, limits)?;
            Ok(Named { name: spec.to_string(), criterion })
        };
        self.cover.0.iter().map(named).collect()
    }

    fn strategies<'s>(
        &self,
        views: &'s Views<'s>,
        closings: &'s Closings<'s>,
        limits: &Limits,
    ) -> Result<Vec<Strategy<'s>>, Failure> {
        let build = |(index, &spec): (usize, &CriterionSpec)| {
            Ok(strategies::build(spec, index, views, closings, limits)?)
        };
        self.cover.0.iter().enumerate().map(build).collect()
    }
}

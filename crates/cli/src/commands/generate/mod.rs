//! `gramercy generate`: a suite that covers what a criterion wants covered.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::{Args, Parser, ValueEnum, ValueHint};
use gramercy::base::{Diagnostic, Limits};
use gramercy::coverage::{CriterionSpec, Measure, TargetSet, Views};
use gramercy::generate::pipeline::options::Texts;
use gramercy::generate::pipeline::summary::End;
use gramercy::generate::strategies;
use gramercy::generate::strategies::lr_bfs::{LrBfs, LrBfsError};
use gramercy::generate::{Closings, Named, Options, Pipeline, Resolution, Strategy, Summary, Ties};
use gramercy::grammar::Symbol;
use gramercy::parse::TextParser;
use gramercy::suite::Corpus;

use crate::codes;
use crate::commands::reading::{no_parser, unreadable};
use crate::commands::suites::{self, Criteria, Places, run_pipeline};
use crate::console::Console;
use crate::flags::{
    DestinationArgs, GrammarArgs, JsonArgs, LexemeArgs, LoadedGrammar, ResolutionArgs, SuiteArgs,
    TieBreak, lexeme_template,
};
use crate::outcome::{Failure, Outcome};
use crate::render::{json, numbers, summary};

/// Make a suite of positive tests that covers what a criterion wants covered
#[derive(Args)]
#[command(after_help = "\
Criteria, joined with +: symbol, rule, cdrc, cdrc-full, step:K, bfs:K, deriv, pll, pair,
kpath:K, lexeme:K, pop-edge:A, lr-path:K and lr-path:K:A with an automaton A of lr0, lalr, lr1.

Examples:
  gramercy generate grammar.gram
  gramercy generate grammar.gram --cover kpath:3 --pack
  gramercy generate grammar.y --cover step:3 --count
  gramercy generate grammar.g4 --cover rule+pll -n 100 --format ndjson
  gramercy generate grammar.g4 --given examples/ --pack
  gramercy generate grammar.gram -o suite/ --ext json
  gramercy generate grammar.gram --from suite/suite.json -o again.tar.zst")]
pub(crate) struct Generate {
    #[command(flatten)]
    grammar: GrammarArgs,
    #[command(flatten)]
    recipe: Recipe,
    /// Make the suite again that this manifest speaks of
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    from: Option<PathBuf>,
    #[command(flatten)]
    destination: DestinationArgs,
    #[command(flatten)]
    json: JsonArgs,
}

/// All that decides about a suite.
#[derive(Args)]
struct Recipe {
    /// What the suite is to cover
    #[arg(long, value_name = "CRITERIA", default_value = "kpath:2+lexeme:1")]
    cover: Criteria,
    #[command(flatten)]
    resolution: ResolutionArgs,
    /// How the suite is made
    #[arg(long, value_name = "NAME", default_value = "cover")]
    strategy: StrategyName,
    /// Leave out what these inputs cover: files, folders, patterns, archives or NDJSON
    #[arg(long, value_name = "CORPUS", value_hint = ValueHint::AnyPath)]
    given: Vec<String>,
    /// Make few large tests: those for rule, step:K and kpath:K hold as many targets as fit
    #[arg(long, conflicts_with = "variants")]
    pack: bool,
    /// Merge the suites of so many ways to break ties
    #[arg(long, value_name = "N", default_value_t = 1)]
    variants: u32,
    /// Give up on a criterion with more targets than this
    #[arg(long, value_name = "N", default_value_t = Limits::default().targets)]
    max_targets: usize,
    #[command(flatten)]
    suite: SuiteArgs,
    #[command(flatten)]
    lexemes: LexemeArgs,
}

/// What a manifest keeps of the arguments.
#[derive(Parser)]
#[command(no_binary_name = true)]
struct Kept {
    #[command(flatten)]
    recipe: Recipe,
}

#[derive(Clone, Copy, ValueEnum)]
enum StrategyName {
    /// A small test for each target that no earlier test was made for
    Cover,
    /// The traversal of an LR-graph by paper 003, for pop edges of small grammars
    LrBfs,
}

impl Generate {
    pub(crate) fn run(&self, console: &mut Console) -> Result<Outcome, Failure> {
        let loaded = self.grammar.load(Limits::default(), console)?;
        let fingerprint = suites::fingerprint(&loaded.grammar);
        match &self.from {
            None => self.make(&self.recipe, &loaded, &fingerprint, console),
            Some(path) => {
                let recipe = recipe_from(path, &fingerprint)?;
                self.make(&recipe, &loaded, &fingerprint, console)
            }
        }
    }

    fn make(
        &self,
        recipe: &Recipe,
        loaded: &LoadedGrammar,
        fingerprint: &str,
        console: &mut Console,
    ) -> Result<Outcome, Failure> {
        let (grammar, limits) = (&loaded.grammar, recipe.limits());
        let mut writer = recipe.lexemes.writer(grammar, limits)?;
        if let Some(path) = &self.recipe.lexemes.write_lexemes {
            let template = lexeme_template(grammar, &mut writer);
            std::fs::write(path, template).map_err(|error| Failure::unwritable(path, &error))?;
            return Ok(Outcome::Clean);
        }
        let graph = grammar.graph();
        let bnf = grammar.bnf(&graph, &limits)?;
        let views = Views::new(grammar, &graph, &bnf, &limits);
        let criteria = recipe.cover.named(&views, &limits)?;
        check_targets(&views, &criteria)?;
        let closings = Closings::new(&views, recipe.resolution(), recipe.variants);
        let closings = closings.guided(&views, &writer);
        let given = recipe.given(&views, &limits, console)?;
        let mut strategies = recipe.strategies(&views, &closings, &given, &limits)?;
        let pipeline = Pipeline { views: &views, writer, criteria, options: self.options(recipe) };
        let places = Places {
            destination: &self.destination,
            texts: pipeline.options.texts,
            criteria: recipe.cover.names(),
        };
        let summary = run_pipeline(&pipeline, &mut strategies, &places, console)?;
        self.tell(&summary, &pipeline, console)?;
        if let Some(path) = self.destination.manifest().filter(|_| !self.recipe.suite.count) {
            let manifest =
                suites::manifest("generate", recipe.arguments(), loaded, fingerprint, &summary);
            let written = std::fs::write(&path, manifest.to_json());
            written.map_err(|error| Failure::unwritable(&path, &error))?;
        }
        Ok(if summary.end == End::Interrupted { Outcome::Interrupted } else { Outcome::Clean })
    }

    fn options(&self, recipe: &Recipe) -> Options {
        let texts = if self.recipe.suite.count { Texts::Counted } else { Texts::Wanted };
        Options { jobs: self.recipe.suite.jobs(), texts, ..recipe.suite.options() }
    }

    fn tell(
        &self,
        summary: &Summary,
        pipeline: &Pipeline<'_>,
        console: &mut Console,
    ) -> Result<(), Failure> {
        if self.recipe.suite.count {
            let tests = summary.tests;
            match self.json.json {
                true => json::write(console.out(), &summary::Count { tests })?,
                false => writeln!(console.out(), "{}", numbers::grouped(tests))?,
            }
        }
        console.report(&summary::findings(summary, pipeline), pipeline.views.grammar.sources());
        if !self.recipe.suite.count {
            console.remark(&summary::line(summary, &pipeline.criteria));
        }
        Ok(())
    }
}

impl Recipe {
    fn limits(&self) -> Limits {
        Limits { targets: self.max_targets, ..Limits::default() }
    }

    fn resolution(&self) -> Resolution {
        self.resolution.with(match self.suite.ties {
            TieBreak::First => Ties::First,
            TieBreak::Random => Ties::Random { seed: self.suite.seed, variant: 0 },
        })
    }

    /// What the given inputs cover of each criterion. What is not in the language covers nothing, and
    /// is told.
    fn given(
        &self,
        views: &Views<'_>,
        limits: &Limits,
        console: &Console,
    ) -> Result<Vec<TargetSet>, Failure> {
        if self.given.is_empty() {
            return Ok(vec![TargetSet::new(); self.cover.0.len()]);
        }
        let parser = TextParser::new(views.grammar, views.bnf, limits)
            .map_err(|error| no_parser(views.grammar, &error))?;
        let criteria = self.cover.named(views, limits)?;
        let criteria = criteria.into_iter().map(|named| named.criterion).collect();
        let productions = views.bnf.production_count();
        let measure = Measure { parser: &parser, criteria, productions, preferences: None };
        let (mut workspace, mut sum) = (parser.workspace(), measure.nothing());
        let (mut problems, mut rejected) = (Vec::new(), Vec::new());
        Corpus::new(&self.given).for_each(|input| {
            match input {
                Err(error) => problems.push(unreadable(&error)),
                Ok(input) => {
                    let text = input.text();
                    let measured = text.and_then(|text| {
                        measure.text(&mut workspace, text).map_err(|rejection| rejection.byte)
                    });
                    match measured {
                        Ok(covered) => _ = sum.add(&covered),
                        Err(byte) => rejected.push((input.name, byte)),
                    }
                }
            }
            ControlFlow::Continue(())
        });
        if let Some((name, byte)) = rejected.first() {
            let count = numbers::grouped(rejected.len() as u64);
            let message = format!("{count} of the given inputs are rejected and cover nothing");
            let note = format!("the first is `{name}`, at byte {byte}");
            problems.push(Diagnostic::new(codes::GIVEN_REJECTED, message).note(note));
        }
        console.report(&problems, views.grammar.sources());
        Ok(sum.targets)
    }

    fn strategies<'s>(
        &self,
        views: &'s Views<'s>,
        closings: &'s Closings<'s>,
        given: &[TargetSet],
        limits: &Limits,
    ) -> Result<Vec<Strategy<'s>>, Failure> {
        let max_tokens = self.suite.max_tokens.map(|tokens| tokens as u64);
        let build = |(index, &spec): (usize, &CriterionSpec)| match self.strategy {
            StrategyName::LrBfs => traversal(spec, views, limits),
            StrategyName::Cover if self.pack => Ok(strategies::build_packed(
                spec,
                index,
                views,
                closings,
                (&given[index], max_tokens),
                limits,
            )?),
            StrategyName::Cover => {
                Ok(strategies::build(spec, index, views, closings, &given[index], limits)?)
            }
        };
        self.cover.0.iter().enumerate().map(build).collect()
    }

    /// The arguments that make the same suite.
    fn arguments(&self) -> Vec<String> {
        let strategy = self.strategy.to_possible_value().expect("invariant: all have names");
        let mut arguments = vec![
            format!("--cover={}", self.cover.names().join("+")),
            format!("--strategy={}", strategy.get_name()),
            format!("--variants={}", self.variants),
            format!("--max-targets={}", self.max_targets),
        ];
        arguments.extend(self.resolution.arguments());
        arguments.extend(self.given.iter().map(|corpus| format!("--given={corpus}")));
        arguments.extend(self.pack.then(|| "--pack".to_owned()));
        arguments.extend(self.suite.arguments());
        arguments.extend(self.lexemes.arguments());
        arguments
    }
}

/// Paths that a traversal tries before it is given up: it need not end, even for small grammars.
const MOST_PATHS: usize = 200_000;

/// The traversal of the graph whose pop edges are to be covered.
fn traversal<'s>(
    spec: CriterionSpec,
    views: &Views<'_>,
    limits: &Limits,
) -> Result<Strategy<'s>, Failure> {
    let refuse = |message: String| Failure::refused(Diagnostic::new(codes::NO_STRATEGY, message));
    let CriterionSpec::PopEdge(automaton) = spec else {
        return Err(refuse(format!("`lr-bfs` covers pop edges, not `{spec}`")));
    };
    match LrBfs::new(views, automaton, MOST_PATHS, limits) {
        Ok(tests) => Ok(Strategy::Sequential(Box::new(tests))),
        Err(LrBfsError::Limit(limit)) => Err(limit.into()),
        Err(given_up) => Err(refuse(given_up.to_string())),
    }
}

/// The recipe that a manifest holds.
fn recipe_from(path: &Path, fingerprint: &str) -> Result<Recipe, Failure> {
    let arguments = suites::arguments_from(path, fingerprint, "generate")?;
    Ok(Kept::try_parse_from(&arguments)?.recipe)
}

/// Refuses to make a suite for nothing.
fn check_targets(views: &Views<'_>, criteria: &[Named<'_>]) -> Result<(), Failure> {
    if !views.useful.contains(Symbol::Nonterminal(views.bnf.start())) {
        let message = "the start rule derives no sentence, so there is nothing to test";
        return Err(Failure::refused(Diagnostic::new(codes::NOTHING_TO_COVER, message)));
    }
    if criteria.iter().any(|named| named.criterion.coverable() > 0) {
        return Ok(());
    }
    let names: Vec<&str> = criteria.iter().map(|named| named.name.as_str()).collect();
    let message = format!("no sentence of the grammar covers any target of `{}`", names.join("+"));
    Err(Failure::refused(Diagnostic::new(codes::NOTHING_TO_COVER, message)))
}

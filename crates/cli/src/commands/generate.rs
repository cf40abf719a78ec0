//! `gramercy generate`: a suite that covers what a criterion wants covered.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::{Args, Parser, ValueEnum, ValueHint};
use gramercy::Grammar;
use gramercy::analysis::shortest_yield::Length;
use gramercy::base::{Diagnostic, Fingerprint, Limits};
use gramercy::coverage::{CriterionSpec, Measure, SpecError, TargetSet, Views, criteria};
use gramercy::generate::pipeline::options::Texts;
use gramercy::generate::pipeline::summary::End;
use gramercy::generate::strategies;
use gramercy::generate::strategies::lr_bfs::{LrBfs, LrBfsError};
use gramercy::generate::{
    Closings, Embedding, Named, Options, Pipeline, Resolution, Strategy, Summary, Ties,
};
use gramercy::grammar::{Symbol, TerminalKind};
use gramercy::parse::TextParser;
use gramercy::suite::manifest::GrammarFile;
use gramercy::suite::sink::Nowhere;
use gramercy::suite::{Corpus, Manifest, ManifestError, Sink};

use crate::codes;
use crate::commands::reading::{no_parser, unreadable};
use crate::console::Console;
use crate::flags::{
    DestinationArgs, GrammarArgs, JsonArgs, LexemeArgs, LoadedGrammar, SuiteArgs, TieBreak,
    lexeme_template,
};
use crate::interrupt::Interrupt;
use crate::outcome::{Failure, Outcome};
use crate::progress::Progress;
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
    /// What is to be small about the rest of a test: its text, or its tree
    #[arg(long, value_name = "HOW", default_value = "shortest")]
    embedding: Small,
    /// What the length of a text is measured in
    #[arg(long = "yield", value_name = "WHAT", default_value = "tokens")]
    yields: Yield,
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

/// Several criteria joined with `+`.
#[derive(Clone)]
pub(super) struct Criteria(pub(super) Vec<CriterionSpec>);

impl FromStr for Criteria {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        CriterionSpec::parse_list(text).map(Self)
    }
}

impl Criteria {
    pub(super) fn names(&self) -> Vec<String> {
        self.0.iter().map(ToString::to_string).collect()
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
        let fingerprint = fingerprint(&loaded.grammar);
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
        let criteria = recipe.criteria(&views, &limits)?;
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
            let manifest = recipe.manifest(loaded, fingerprint, &summary);
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
        let criteria = self.criteria(views, limits)?;
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
        let name = |value: Option<clap::builder::PossibleValue>| {
            value.expect("invariant: all have names").get_name().to_owned()
        };
        let mut arguments = vec![
            format!("--cover={}", self.cover.names().join("+")),
            format!("--embedding={}", name(self.embedding.to_possible_value())),
            format!("--yield={}", name(self.yields.to_possible_value())),
            format!("--strategy={}", name(self.strategy.to_possible_value())),
            format!("--variants={}", self.variants),
            format!("--max-targets={}", self.max_targets),
        ];
        arguments.extend(self.given.iter().map(|corpus| format!("--given={corpus}")));
        arguments.extend(self.pack.then(|| "--pack".to_owned()));
        arguments.extend(self.suite.arguments());
        arguments.extend(self.lexemes.arguments());
        arguments
    }

    fn manifest(&self, loaded: &LoadedGrammar, fingerprint: &str, summary: &Summary) -> Manifest {
        let file = loaded.file.display().to_string();
        Manifest {
            schema: Manifest::SCHEMA,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            command: "generate".to_owned(),
            grammar: GrammarFile { file, fingerprint: fingerprint.to_owned() },
            arguments: self.arguments(),
            tests: summary.tests,
            tokens: summary.tokens,
            bytes: summary.bytes,
            unwritten: summary.unwritten_count,
        }
    }
}

/// Where a suite goes.
pub(super) struct Places<'p> {
    pub(super) destination: &'p DestinationArgs,
    pub(super) texts: Texts,
    /// The criteria of a table of coverage.
    pub(super) criteria: Vec<String>,
}

/// Makes a suite, with a line of progress, until it ends or the user wants no more.
pub(super) fn run_pipeline(
    pipeline: &Pipeline<'_>,
    strategies: &mut [Strategy<'_>],
    places: &Places<'_>,
    console: &mut Console,
) -> Result<Summary, Failure> {
    let interrupt = Interrupt::listen();
    let shows_tests = places.destination.is_standard() && places.texts == Texts::Wanted;
    let mut line =
        Progress::of("tests", console.is_quiet() || (shows_tests && console.is_terminal()));
    let mut sink: Box<dyn Sink + '_> = match places.texts {
        Texts::Counted => Box::new(Nowhere),
        Texts::Wanted => {
            let literals = literals(pipeline.views.grammar);
            places.destination.sink(console.out(), &literals, places.criteria.clone())?
        }
    };
    let result = pipeline.run(strategies, &mut *sink, &mut |progress| {
        line.show(progress.tests, progress.done, progress.all);
        match interrupt.is_wanted() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    line.clear();
    Ok(result?)
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
    let arguments = arguments_from(path, fingerprint, "generate")?;
    Ok(Kept::try_parse_from(&arguments)?.recipe)
}

/// The arguments that a manifest of a command holds.
pub(super) fn arguments_from(
    path: &Path,
    fingerprint: &str,
    command: &str,
) -> Result<Vec<String>, Failure> {
    let refuse = |message: String| Failure::refused(Diagnostic::new(codes::BAD_MANIFEST, message));
    let here = path.display();
    let checked = Manifest::read(path).and_then(|manifest| {
        manifest.check_grammar(fingerprint)?;
        Ok(manifest)
    });
    let manifest = checked.map_err(|error| match error {
        ManifestError::Unreadable(reason) => refuse(format!("cannot read `{here}`: {reason}")),
        ManifestError::OtherGrammar(other) => {
            let message =
                format!("`{here}` is about another grammar, or `{}` was changed", other.file);
            refuse(message)
        }
    })?;
    if manifest.command != command {
        return Err(refuse(format!("`{here}` is about a suite of `{}`", manifest.command)));
    }
    Ok(manifest.arguments)
}

/// A fingerprint of what decides about a grammar: its files and where it starts.
pub(super) fn fingerprint(grammar: &Grammar) -> String {
    let mut print = Fingerprint::default();
    print.add_text(&grammar.rules()[grammar.start()].name);
    grammar.sources().iter().for_each(|(_, source)| print.add_text(source.text()));
    format!("{:032x}", print.finish())
}

/// The texts that stand for themselves in a grammar.
pub(super) fn literals(grammar: &Grammar) -> Vec<&str> {
    let texts = grammar.terminals().values().filter_map(|terminal| match &terminal.kind {
        TerminalKind::Literal(text) | TerminalKind::Token { text: Some(text), .. } => Some(&**text),
        _ => None,
    });
    let mut literals: Vec<&str> = texts.filter(|text| !text.is_empty()).collect();
    literals.sort_unstable();
    literals.dedup();
    literals
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

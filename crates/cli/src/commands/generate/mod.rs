//! `gramercy generate`: a suite that covers what a criterion wants covered.

mod forests;
mod making;
mod recipe;

use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Args, ValueHint};
use gramercy::base::{Diagnostic, Limits};
use gramercy::coverage::{TargetSet, Views};
use gramercy::generate::pipeline::options::Texts;
use gramercy::generate::pipeline::summary::End;
use gramercy::generate::{Closings, Named, Options, Pipeline, Summary};
use gramercy::grammar::Symbol;
use gramercy::suite::manifest;

use self::forests::{ForestArgs, ForestTable};
use self::making::{Made, Making};
use self::recipe::{Ranks, Recipe};
use crate::codes;
use crate::commands::suites::{self, Criteria, Places};
use crate::console::Console;
use crate::flags::{DestinationArgs, GrammarArgs, JsonArgs, LoadedGrammar, lexeme_template};
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
  gramercy generate grammar.gram --cover kpath:3 --minimize
  gramercy generate grammar.y --cover step:3 --count
  gramercy generate grammar.g4 --cover rule+pll -n 100 --format ndjson
  gramercy generate grammar.g4 --given examples/ --pack
  gramercy generate grammar.gram --fall-over 1000 --depth 20 --choose least-path:2
  gramercy generate grammar.gram --cover kpath:3 --close-off random --recur 5m
  gramercy generate grammar.gram --cover kpath:2 --forests 20 -o forests/
  gramercy generate grammar.gram -o suite/ --ext json
  gramercy generate grammar.gram --from suite/suite.json -o again.tar.zst")]
pub(crate) struct Generate {
    #[command(flatten)]
    grammar: GrammarArgs,
    #[command(flatten)]
    recipe: Recipe,
    #[command(flatten)]
    forests: ForestArgs,
    /// Criteria that NDJSON and --csv speak of, beside those of --cover
    #[arg(long, value_name = "CRITERIA")]
    report: Option<Criteria>,
    /// Make the suite again that this manifest speaks of
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    from: Option<PathBuf>,
    #[command(flatten)]
    destination: DestinationArgs,
    #[command(flatten)]
    json: JsonArgs,
}

/// A grammar and the recipe of its suite.
struct Order<'o> {
    recipe: &'o Recipe,
    loaded: &'o LoadedGrammar,
    fingerprint: &'o str,
}

impl Generate {
    pub(crate) fn run(&self, console: &mut Console) -> Result<Outcome, Failure> {
        let loaded = self.grammar.load(Limits::default(), console)?;
        let fingerprint = suites::fingerprint(&loaded.grammar);
        let kept = match &self.from {
            None => None,
            Some(path) => {
                let arguments = suites::arguments_from(path, &fingerprint, "generate")?;
                Some(Recipe::from_arguments(&arguments)?)
            }
        };
        let recipe = kept.as_ref().unwrap_or(&self.recipe);
        recipe.check()?;
        let idle: Vec<Diagnostic> = recipe.idle().into_iter().collect();
        console.report(&idle, loaded.grammar.sources());
        let order = Order { recipe, loaded: &loaded, fingerprint: &fingerprint };
        self.prepare(&order, console)
    }

    fn prepare(&self, order: &Order<'_>, console: &mut Console) -> Result<Outcome, Failure> {
        let Order { recipe, loaded, .. } = order;
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
        let mut criteria = recipe.cover.named(&views, &limits)?;
        check_targets(&views, &criteria)?;
        let closings = Closings::new(&views, recipe.resolution(), recipe.variants);
        let closings = closings.guided(&views, &writer);
        let given = recipe.given(&views, &limits, console)?;
        let wishes = recipe.wishes(given, criteria[0].criterion.targets())?;
        if let Some(report) = &self.report {
            criteria.extend(report.named(&views, &limits)?);
        }
        let mut pipeline =
            Pipeline { views: &views, writer, criteria, options: self.options(recipe) };
        let making = Making { recipe, views: &views, closings: &closings, wishes, limits };
        match self.forests.forests {
            None => self.make(&making, order, &mut pipeline, console),
            Some(largest) => self.make_forests(largest, making, order, &mut pipeline, console),
        }
    }

    fn make(
        &self,
        making: &Making<'_>,
        order: &Order<'_>,
        pipeline: &mut Pipeline<'_>,
        console: &mut Console,
    ) -> Result<Outcome, Failure> {
        let places = places(&self.destination, pipeline);
        let made = making.make(pipeline, &places, console)?;
        self.tell(&made, order.recipe, pipeline, console)?;
        if !self.recipe.suite.count {
            write_manifest(&self.destination, order, &made, &[])?;
        }
        Ok(outcome(&made.summary))
    }

    /// A suite for each of several subsets of targets, in a folder of its own.
    fn make_forests(
        &self,
        largest: usize,
        mut making: Making<'_>,
        order: &Order<'_>,
        pipeline: &mut Pipeline<'_>,
        console: &mut Console,
    ) -> Result<Outcome, Failure> {
        let [named] = &pipeline.criteria[..] else {
            let message =
                "--forests are subsets of the targets of one criterion: say which with --cover\n";
            return Err(clap::Error::raw(ErrorKind::ArgumentConflict, message).into());
        };
        let Some(folder) = self.destination.folder() else {
            let message = "--forests are folders: name one with -o\n";
            return Err(clap::Error::raw(ErrorKind::ArgumentConflict, message).into());
        };
        let forests = self.forests.forests(largest, &*named.criterion);
        let (mut table, mut last) = (ForestTable::new(), Outcome::Clean);
        for forest in &forests {
            making.wishes[0].wanted = Some(forest.targets.iter().copied().collect());
            let destination = self.destination.below(&forest.name);
            let places = places(&destination, pipeline);
            let made = making.make(pipeline, &places, console)?;
            let covered = covered(&making, pipeline, console)?;
            table.add(forest, &made.summary, covered);
            let targets = format!("--targets={}", Ranks::of(&forest.targets));
            write_manifest(&destination, order, &made, &[targets])?;
            console.report(
                &summary::findings(&made.summary, pipeline),
                pipeline.views.grammar.sources(),
            );
            last = outcome(&made.summary);
            if last == Outcome::Interrupted {
                break;
            }
        }
        let (path, text) = table.file(&folder);
        std::fs::write(&path, text).map_err(|error| Failure::unwritable(&path, &error))?;
        Ok(last)
    }

    fn options(&self, recipe: &Recipe) -> Options {
        let texts = if self.recipe.suite.count { Texts::Counted } else { Texts::Wanted };
        Options { jobs: self.recipe.suite.jobs(), texts, ..recipe.suite.options() }
    }

    fn tell(
        &self,
        made: &Made,
        recipe: &Recipe,
        pipeline: &Pipeline<'_>,
        console: &mut Console,
    ) -> Result<(), Failure> {
        let Made { summary, minimized } = made;
        if self.recipe.suite.count {
            let count = summary::Count::new(summary.tests, minimized.as_ref());
            match self.json.json {
                true => json::write(console.out(), &count)?,
                false => writeln!(console.out(), "{}", numbers::grouped(summary.tests))?,
            }
        }
        let mut findings = summary::findings(summary, pipeline);
        findings.extend(few_tests(summary, recipe));
        console.report(&findings, pipeline.views.grammar.sources());
        if !self.recipe.suite.count {
            let criteria = &pipeline.criteria[..recipe.cover.0.len()];
            console.remark(&summary::line(summary, criteria, recipe.suite.limit));
            if let Some((minimized, of)) = minimized {
                console.remark(&summary::minimized_line(minimized, *of));
            }
        }
        Ok(())
    }
}

fn outcome(summary: &Summary) -> Outcome {
    if summary.end == End::Interrupted { Outcome::Interrupted } else { Outcome::Clean }
}

fn places<'p>(destination: &'p DestinationArgs, pipeline: &Pipeline<'_>) -> Places<'p> {
    let criteria = pipeline.criteria.iter().map(|named| named.name.clone()).collect();
    Places { destination, texts: pipeline.options.texts, criteria }
}

/// How many targets a suite covers.
fn covered(
    making: &Making<'_>,
    pipeline: &Pipeline<'_>,
    console: &Console,
) -> Result<u64, Failure> {
    let mut covered = TargetSet::new();
    making.survey_again(pipeline, console, |_, covers| {
        covered.extend(covers.iter().map(|&(_, target)| target));
        ControlFlow::Continue(())
    })?;
    Ok(covered.len())
}

/// Writes how a suite was made, where that is wanted.
fn write_manifest(
    destination: &DestinationArgs,
    order: &Order<'_>,
    made: &Made,
    more: &[String],
) -> Result<(), Failure> {
    let Some(path) = destination.manifest() else { return Ok(()) };
    let Order { recipe, loaded, fingerprint } = order;
    let summary = &made.summary;
    let mut arguments = recipe.arguments(summary.numbered);
    arguments.extend_from_slice(more);
    match (summary.end, recipe.minimize) {
        // No recipe makes the first of those that were chosen.
        (End::Interrupted, true) => return Ok(()),
        (End::Interrupted, false) => {
            arguments.retain(|argument| !argument.starts_with("--limit="));
            arguments.push(format!("--limit={}", summary.numbered));
        }
        _ => {}
    }
    let mut manifest = suites::manifest("generate", arguments, loaded, fingerprint, summary);
    manifest.minimized = made.minimized.as_ref().map(|(minimized, of)| manifest::Minimized {
        of: *of,
        kept: minimized.kept.len() as u64,
        at_least: minimized.at_least as u64,
    });
    let written = std::fs::write(&path, manifest.to_json());
    written.map_err(|error| Failure::unwritable(&path, &error))
}

/// Tells where the grammar has too few tests.
fn few_tests(summary: &Summary, recipe: &Recipe) -> Option<Diagnostic> {
    let wished = recipe.wished_tests()?.min(recipe.suite.limit.unwrap_or(u64::MAX));
    (summary.end == End::Complete && summary.numbered < wished && !recipe.minimize).then(|| {
        let found = numbers::grouped(summary.numbered);
        let message = format!("only {found} tests were found that differ");
        Diagnostic::new(codes::FEW_TESTS, message)
    })
}

/// Refuses to make a suite for nothing.
fn check_targets(views: &Views<'_>, criteria: &[Named<'_>]) -> Result<(), Failure> {
    if !views.useful.contains(Symbol::Nonterminal(views.bnf.start())) {
        let message = "the start rule derives no sentence, so there is nothing to test";
        return Err(Failure::refused(Diagnostic::new(codes::NOTHING_TO_COVER, message)));
    }
    // Where no path is so long, a suite of k-paths has the shorter ones.
    let is_path = |named: &Named<'_>| named.name.starts_with("kpath:");
    if criteria.iter().any(|named| named.criterion.coverable() > 0 || is_path(named)) {
        return Ok(());
    }
    let names: Vec<&str> = criteria.iter().map(|named| named.name.as_str()).collect();
    let message = format!("no sentence of the grammar covers any target of `{}`", names.join("+"));
    Err(Failure::refused(Diagnostic::new(codes::NOTHING_TO_COVER, message)))
}

//! One criterion on one grammar: its suite is made and measured; and all criteria on one grammar.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use gramercy_base::{IndexMap, Limits};
use gramercy_coverage::{CriterionSpec, Measure, TargetId, TargetSet, Views, criteria};
use gramercy_generate::strategies::{self, Wishes};
use gramercy_generate::{
    Closings, Kept, Minimizer, Named, Options, Pipeline, Resolution, Strategy, Summary,
};
use gramercy_grammar::GrammarGraph;
use gramercy_lexis::WriteOptions;

use super::measured::Measured;
use super::subject::Subject;
use super::table::Suites;
use crate::Fallible;
use crate::antlr;
use crate::antlr::judges::Judges;
use crate::antlr::tool::Tool;
use crate::language::Language;

/// What came of a suite.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The criteria.
    pub cover: &'static str,
    /// Targets that sentences can cover.
    pub targets: u64,
    /// Tests.
    pub tests: u64,
    /// Targets that were not written.
    pub unwritten: u64,
    /// What stood in the way of them, and how often.
    pub obstacles: IndexMap<String, u64>,
    /// Texts that ANTLR accepts, and on how many it had a verdict.
    pub accepted: (u64, u64),
    /// Texts on which ANTLR had no verdict in time.
    pub undecided: u64,
    /// What is wrong.
    pub complaints: Vec<String>,
    /// Tests that ANTLR rejects.
    pub rejected: Vec<String>,
}

/// The result of a wish for a suite.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// It was made.
    Made(Box<Trial>),
    /// It was left out, for this reason.
    LeftOut(&'static str, String),
}

/// How much is tried.
#[derive(Clone, Debug)]
pub struct Effort {
    /// The criteria.
    pub covers: Vec<&'static str>,
    /// Which of several suites is made.
    pub form: Form,
    /// A criterion with more targets is left out.
    pub most_targets: u64,
}

/// Which of several suites that cover the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A small test a target.
    Small,
    /// What set cover leaves of it.
    Minimized,
    /// Few large tests.
    Packed,
}

/// How long ANTLR may think about a text.
const PATIENCE: Duration = Duration::from_secs(10);

/// The criteria whose texts ANTLR judges.
const JUDGED: [&str; 4] = ["rule", "cdrc", "kpath:2", "lexeme:2"];

/// Makes and measures the suites of a grammar; `progress` is told of each.
///
/// # Errors
/// As [`run`].
pub fn all(
    tool: Option<&Tool>,
    subject: &Subject,
    effort: &Effort,
    progress: &dyn Fn(&str),
) -> Fallible<Suites> {
    let mut suites = Suites { name: subject.name.clone(), ..Suites::default() };
    let language = match Language::load(&subject.main, subject.start.as_deref()) {
        Ok(language) => language,
        Err(mistake) => {
            suites.remarks.push(format!("not read: {mistake}"));
            return Ok(suites);
        }
    };
    let is_converted =
        subject.antlr.as_ref().is_some_and(|antlr| antlr.form == antlr::subject::Form::Converted);
    suites.is_strict = is_converted || language.set_aside().is_empty();
    let mut judges = match (tool, &subject.antlr) {
        (Some(tool), Some(antlr)) => match Judges::new(tool, antlr, &language, PATIENCE) {
            Ok(judges) => Some(judges),
            Err(reason) => {
                suites.remarks.push(format!("not judged: {reason}"));
                None
            }
        },
        _ => None,
    };
    let graph = language.grammar.graph();
    for &cover in &effort.covers {
        let judge = judges.as_mut().filter(|_| JUDGED.contains(&cover));
        let start = Instant::now();
        let outcome = run(&language, &graph, cover, effort, judge)?;
        let what = match &outcome {
            Outcome::Made(trial) => format!("{} tests", trial.tests),
            Outcome::LeftOut(_, reason) => format!("left out, {reason}"),
        };
        progress(&format!("{} {cover}: {what}, {:.1?}", subject.name, start.elapsed()));
        suites.outcomes.push(outcome);
    }
    Ok(suites)
}

/// Makes the suite of criteria, if it is not too large, and measures it.
///
/// # Errors
/// If criteria are not known, or their strategies reach a limit that their targets did not.
pub fn run(
    language: &Language,
    graph: &GrammarGraph,
    cover: &'static str,
    effort: &Effort,
    judge: Option<&mut Judges>,
) -> Fallible<Outcome> {
    let limits = Limits::default();
    let views = Views::new(&language.grammar, graph, &language.bnf, &limits);
    let specs = CriterionSpec::parse_list(cover).map_err(|error| error.to_string())?;
    let build = |&spec: &CriterionSpec| criteria::build(spec, &views, &limits);
    let criteria = match specs.iter().map(build).collect::<Result<Vec<_>, _>>() {
        Ok(criteria) => criteria,
        Err(limit) => return Ok(Outcome::LeftOut(cover, limit.to_string())),
    };
    let targets = criteria.iter().map(|criterion| criterion.targets()).sum::<u64>();
    if targets > effort.most_targets {
        return Ok(Outcome::LeftOut(cover, format!("{targets} targets")));
    }
    let measure = Measure {
        parser: &language.parser,
        criteria,
        productions: language.bnf.production_count(),
        preferences: None,
    };
    let mut sink = Measured::new(language, &measure, judge);
    let summary = make(language, &views, (&specs, effort.form), &mut sink)?;
    let mut complaints = std::mem::take(&mut sink.complaints);
    complaints.extend(lost(&measure, &sink, &summary));
    let mut obstacles = IndexMap::default();
    for unwritten in &summary.unwritten {
        *obstacles.entry(unwritten.obstacle.describe(&language.grammar)).or_default() += 1;
    }
    Ok(Outcome::Made(Box::new(Trial {
        cover,
        targets: measure.criteria.iter().map(|criterion| criterion.coverable()).sum(),
        tests: summary.tests,
        unwritten: summary.unwritten_count,
        obstacles,
        accepted: sink.accepted,
        undecided: sink.undecided,
        complaints,
        rejected: sink.rejected,
    })))
}

fn make(
    language: &Language,
    views: &Views<'_>,
    (specs, form): (&[CriterionSpec], Form),
    sink: &mut Measured<'_>,
) -> Fallible<Summary> {
    let limits = Limits::default();
    let writer = language.writer(&WriteOptions::default())?;
    let closings = Closings::new(views, Resolution::default(), 1).guided(views, &writer);
    let named = |&spec: &CriterionSpec| {
        let criterion = criteria::build(spec, views, &limits).map_err(|limit| limit.to_string())?;
        Ok(Named { name: spec.to_string(), criterion })
    };
    let criteria = specs.iter().map(named).collect::<Fallible<Vec<_>>>()?;
    let mut pipeline = Pipeline { views, writer, criteria, options: Options::default() };
    let watch = &mut |_| ControlFlow::Continue(());
    if form == Form::Minimized {
        let mut minimizer = minimizer(&pipeline)?;
        let mut is_kept = Ok(());
        let mut survey = |test, covers: &[(usize, TargetId)]| {
            is_kept = minimizer.add(test, covers);
            if is_kept.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        pipeline.survey(&mut strategies(views, &closings, specs, form)?, &mut survey, watch);
        is_kept.map_err(|limit| limit.to_string())?;
        pipeline.options.kept = Some(Kept::new(&minimizer.select(None).kept));
    }
    let summary = pipeline.run(&mut strategies(views, &closings, specs, form)?, sink, watch);
    summary.map_err(|error| error.to_string())
}

/// What chooses among the tests of a suite.
fn minimizer(pipeline: &Pipeline<'_>) -> Fallible<Minimizer> {
    const MOST_BYTES: usize = 1 << 32;
    let targets = |named: &Named<'_>| (named.criterion.targets(), TargetSet::new());
    let targets: Vec<_> = pipeline.criteria.iter().map(targets).collect();
    Minimizer::new(&targets, MOST_BYTES).map_err(|limit| limit.to_string())
}

fn strategies<'s>(
    views: &'s Views<'s>,
    closings: &'s Closings<'s>,
    specs: &[CriterionSpec],
    form: Form,
) -> Fallible<Vec<Strategy<'s>>> {
    let limits = Limits::default();
    if form == Form::Packed {
        // A parser of all trees takes long for a large ambiguous text.
        let wishes = Wishes { max_tokens: Some(60), ..Wishes::default() };
        let wishes = vec![wishes; specs.len()];
        let packed = strategies::build_packed(specs, views, closings, &wishes, &limits);
        return Ok(vec![packed.map_err(|error| format!("{error:?}"))?]);
    }
    let build = |(index, &spec): (usize, &CriterionSpec)| {
        strategies::build(spec, index, views, closings, &Wishes::default(), &limits)
            .map_err(|error| format!("{error:?}"))
    };
    specs.iter().enumerate().map(build).collect()
}

/// A target that is neither covered nor told to be unwritten, for each criterion that has one.
fn lost(measure: &Measure<'_>, sink: &Measured<'_>, summary: &Summary) -> Vec<String> {
    let mut told = summary.unwritten_targets.clone();
    told.resize_with(measure.criteria.len(), TargetSet::new);
    let first = |(at, told): (usize, &TargetSet)| {
        let (criterion, covered) = (&measure.criteria[at], &sink.covered.targets[at]);
        let is_lost = |&id: &u64| {
            !covered.contains(id) && !told.contains(id) && criterion.uncoverable(id).is_none()
        };
        let lost = (0..criterion.targets()).find(is_lost)?;
        Some(format!("{} is neither covered nor told", criterion.describe(lost)))
    };
    told.iter().enumerate().filter_map(first).collect()
}

//! One criterion on one grammar: its suite is made and measured; and all criteria on one grammar.

use std::time::{Duration, Instant};

use gramercy_assemble::recipe::{Minimize, StrategyName, Systematic, Tests};
use gramercy_assemble::{Recipe, SuiteError, Summary, suite};
use gramercy_base::IndexMap;
use gramercy_coverage::{CountedTrees, CriterionSpec, Measure, TargetSet};
use gramercy_language::Language;

use super::measured::Measured;
use super::subject::Subject;
use super::table::Suites;
use crate::antlr::judges::Judges;
use crate::antlr::tool::Tool;
use crate::{Fallible, antlr, languages};

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

/// What came of a request for a suite.
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
    let language = match languages::read(&subject.main, subject.start.as_deref()) {
        Ok(language) => language,
        Err(mistake) => {
            suites.remarks.push(format!("not read: {mistake}"));
            return Ok(suites);
        }
    };
    let is_converted =
        subject.antlr.as_ref().is_some_and(|antlr| antlr.form == antlr::subject::Form::Converted);
    suites.is_strict = is_converted || languages::ignored_code(&language).is_empty();
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
    for &cover in &effort.covers {
        let judge = judges.as_mut().filter(|_| JUDGED.contains(&cover));
        let start = Instant::now();
        let outcome = run(&language, cover, effort, judge)?;
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
    cover: &'static str,
    effort: &Effort,
    judge: Option<&mut Judges>,
) -> Fallible<Outcome> {
    let specs = CriterionSpec::parse_list(cover).map_err(|error| error.to_string())?;
    let build = |spec: &CriterionSpec| spec.build(language);
    let criteria = match specs.iter().map(build).collect::<Result<Vec<_>, _>>() {
        Ok(criteria) => criteria,
        Err(limit) => return Ok(Outcome::LeftOut(cover, limit.to_string())),
    };
    let targets = criteria.iter().map(|criterion| criterion.targets()).sum::<u64>();
    if targets > effort.most_targets {
        return Ok(Outcome::LeftOut(cover, format!("{targets} targets")));
    }
    let measure = Measure {
        parser: languages::parser(language)?,
        criteria,
        productions: language.bnf().production_count(),
        trees: CountedTrees::All,
    };
    let mut sink = Measured::new(language, &measure, judge);
    let summary = match suite(language, &recipe(specs, effort.form), &mut sink, &mut ()) {
        Ok(summary) => summary,
        // Then no target may be one that sentences can cover.
        Err(SuiteError::NothingToCover(_)) => Summary::default(),
        Err(error) => return Err(error.to_string()),
    };
    let mut complaints = std::mem::take(&mut sink.complaints);
    complaints.extend(lost(&measure, &sink, &summary));
    let mut obstacles = IndexMap::default();
    for unwritten in &summary.unwritten {
        *obstacles.entry(unwritten.obstacle.describe(language.grammar())).or_default() += 1;
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

/// How the suite of criteria is made.
fn recipe(cover: Vec<CriterionSpec>, form: Form) -> Recipe {
    let small = Systematic { cover, ..Systematic::default() };
    let tests = match form {
        Form::Small => small,
        Form::Minimized => Systematic { minimize: Some(Minimize { memory: 4096 }), ..small },
        // A parser of all trees takes long for a large ambiguous text.
        Form::Packed => Systematic { strategy: StrategyName::Pack, max_tokens: Some(60), ..small },
    };
    Recipe { tests: Tests::Systematic(tests), ..Recipe::default() }
}

/// A target that is neither covered nor reported as unwritten, for each criterion that has one.
fn lost(measure: &Measure<'_>, sink: &Measured<'_>, summary: &Summary) -> Vec<String> {
    let mut reported = summary.unwritten_targets.clone();
    reported.resize_with(measure.criteria.len(), TargetSet::new);
    let first = |(at, reported): (usize, &TargetSet)| {
        let (criterion, covered) = (&measure.criteria[at], &sink.covered.targets[at]);
        let is_lost = |&id: &u64| {
            !covered.contains(id) && !reported.contains(id) && criterion.uncoverable(id).is_none()
        };
        let lost = (0..criterion.targets()).find(is_lost)?;
        Some(format!("{} is neither covered nor reported as unwritten", criterion.describe(lost)))
    };
    reported.iter().enumerate().filter_map(first).collect()
}

//! One criterion on one grammar: its suite is generated and measured; and all criteria on one
//! grammar.

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

/// The results of a suite.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The criteria.
    pub cover: &'static str,
    /// Coverable targets.
    pub targets: u64,
    /// Tests.
    pub tests: u64,
    /// Unwritten targets.
    pub unwritten: u64,
    /// Their obstacles, with numbers.
    pub obstacles: IndexMap<String, u64>,
    /// Texts that ANTLR accepts, and all with a verdict.
    pub accepted: (u64, u64),
    /// Texts without a verdict in time.
    pub undecided: u64,
    /// Defects.
    pub complaints: Vec<String>,
    /// Tests that ANTLR rejects.
    pub rejected: Vec<String>,
}

/// The result of a request for a suite.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The suite exists.
    Made(Box<Trial>),
    /// It is skipped, for this reason.
    LeftOut(&'static str, String),
}

/// The amount of work.
#[derive(Clone, Debug)]
pub struct Effort {
    /// The criteria.
    pub covers: Vec<&'static str>,
    /// Which of several suites is generated.
    pub kind: SuiteKind,
    /// A criterion with more targets is skipped.
    pub most_targets: u64,
}

/// The kinds of suites with the same coverage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SuiteKind {
    /// One small test per target.
    Small,
    /// Minimized by set cover.
    Minimized,
    /// Few large tests.
    Packed,
}

/// The time limit of ANTLR for a text.
const PATIENCE: Duration = Duration::from_secs(10);

/// The criteria with texts that ANTLR judges.
const JUDGED: [&str; 4] = ["rule", "cdrc", "kpath:2", "lexeme:2"];

/// Generates and measures the suites of a grammar; `progress` is called for each.
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
    let is_converted = subject
        .antlr
        .as_ref()
        .is_some_and(|antlr| antlr.input_kind == antlr::subject::AntlrInput::Converted);
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

/// Generates the suite of criteria, if it is not too large, and measures it.
///
/// # Errors
/// If a criterion does not exist, or its strategy reaches a limit that its targets did not.
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
    let summary = match suite(language, &recipe(specs, effort.kind), &mut sink, &mut ()) {
        Ok(summary) => summary,
        // Then no target may be coverable.
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

/// The recipe of the suite of criteria.
fn recipe(cover: Vec<CriterionSpec>, kind: SuiteKind) -> Recipe {
    let small = Systematic { cover, ..Systematic::default() };
    let tests = match kind {
        SuiteKind::Small => small,
        SuiteKind::Minimized => Systematic { minimize: Some(Minimize { memory: 4096 }), ..small },
        // Computing all trees of a large ambiguous text takes long.
        SuiteKind::Packed => {
            Systematic { strategy: StrategyName::Pack, max_tokens: Some(60), ..small }
        }
    };
    Recipe { tests: Tests::Systematic(tests), ..Recipe::default() }
}

/// For each criterion, a target that is neither covered nor reported as unwritten.
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

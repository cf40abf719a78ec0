//! ANTLR's verdicts on negative tests, and the places of its first errors.
//!
//! ANTLR's parser never consumes a token that cannot come, so its first message is at our place or before it. It is
//! before it where a prediction fails: a decision looks ahead, finds that no alternative can be completed, and takes
//! the one that had already reached the end of its rule. The parser then leaves the rule too early, and complains
//! about a token that could have come. Its prediction does not know what can follow the rule where the rule was called
//! from outside of the decision, until the full context is needed.

use std::time::Duration;

use gramercy_assemble::recipe::{Negative, Tests};
use gramercy_assemble::{OwnedTest, Recipe};
use gramercy_mutate::{Family, Select};

use crate::antlr::judge::Verdict;
use crate::antlr::judges::Judges;
use crate::antlr::subject::{AntlrInput, Subject};
use crate::antlr::tool::Tool;
use crate::columns::aligned;
use crate::{Fallible, languages};

/// The results for one grammar.
#[derive(Clone, Debug, Default)]
pub struct Trial {
    name: String,
    /// Whether ANTLR must reject all tests: nothing of the grammar is ignored.
    is_strict: bool,
    unjudged: Option<String>,
    tests: usize,
    /// Tests without a verdict in time, or with an exception.
    undecided: usize,
    /// Tests whose first errors are at the same place.
    same: usize,
    /// Tests where ANTLR's first message is before our place, and those where it is after it.
    earlier: Vec<Difference>,
    later: Vec<Difference>,
    accepted: Vec<String>,
}

/// A test whose first errors are at different places.
#[derive(Clone, Debug)]
struct Difference {
    text: String,
    ours: (usize, usize),
    theirs: String,
}

impl Trial {
    /// Whether something is wrong: a test is accepted, or ANTLR reads past our place.
    #[must_use]
    pub fn failed(&self) -> bool {
        self.is_strict && !(self.accepted.is_empty() && self.later.is_empty())
    }
}

/// Judges the negative tests of a grammar, at most `most` of each kind.
///
/// # Errors
/// If the grammar cannot be read, or the judge cannot be started.
pub fn run(tool: &Tool, subject: &Subject, most: u64, patience: Duration) -> Fallible<Trial> {
    let language = languages::read(&subject.main, subject.start.as_deref())?;
    let is_plain = languages::ignored_code(&language).is_empty();
    let mut trial = Trial {
        name: subject.name.clone(),
        is_strict: is_plain || subject.input_kind == AntlrInput::Converted,
        ..Trial::default()
    };
    let mut judges = match Judges::new(tool, subject, &language, patience) {
        Ok(judges) => judges,
        Err(reason) => {
            trial.unjudged = Some(reason);
            return Ok(trial);
        }
    };
    for tests in kinds() {
        let recipe = Recipe {
            tests: Tests::Negative(tests),
            limit: Some(most),
            unique: true,
            ..Recipe::default()
        };
        for test in gramercy_assemble::Tests::new(&language, &recipe) {
            // A grammar whose inputs are all in the language has none.
            let Ok(test) = test else { break };
            judge(&test, &mut judges, &mut trial)?;
        }
    }
    Ok(trial)
}

/// How tests are made.
fn kinds() -> Vec<Negative> {
    let by = |family, select| Negative {
        mutate: vec![family],
        select: Some(select),
        ..Negative::default()
    };
    vec![
        Negative::default(),
        by(Family::Word, Select::Pair),
        by(Family::Rule, Select::Item),
        by(Family::Character, Select::Pair),
    ]
}

fn judge(test: &OwnedTest, judges: &mut Judges, trial: &mut Trial) -> Fallible {
    let (Some(text), Some(error)) = (&test.text, &test.error) else { return Ok(()) };
    let (Some(line), Some(column)) = (error.line, error.column) else { return Ok(()) };
    trial.tests += 1;
    let theirs = match judges.ask(text)? {
        Verdict::Accept => {
            trial.accepted.push(text.to_string());
            return Ok(());
        }
        Verdict::Reject(reason) => reason,
        Verdict::Failure(_) | Verdict::Late => {
            trial.undecided += 1;
            return Ok(());
        }
    };
    // ANTLR counts columns from 0.
    let ours = (line, column - 1);
    let place = theirs.split_once(' ').and_then(|(place, _)| {
        let (line, column) = place.split_once(':')?;
        Some((line.parse::<usize>().ok()?, column.parse::<usize>().ok()?))
    });
    let place = place.ok_or_else(|| format!("no place: {theirs}"))?;
    let difference = Difference { text: text.to_string(), ours, theirs };
    match place.cmp(&ours) {
        std::cmp::Ordering::Equal => trial.same += 1,
        std::cmp::Ordering::Less => trial.earlier.push(difference),
        std::cmp::Ordering::Greater => trial.later.push(difference),
    }
    Ok(())
}

const HEAD: [&str; 8] =
    ["grammar", "strict", "tests", "accepted", "same place", "before", "after", "undecided"];

/// Differences that are shown for each grammar.
const SHOWN: usize = 2;

/// A table with one line per grammar, followed by the smallest differences.
#[must_use]
pub fn table(trials: &[Trial]) -> String {
    let row = |trial: &Trial| {
        [
            trial.name.clone(),
            if trial.is_strict { "yes" } else { "no" }.to_owned(),
            trial.tests.to_string(),
            trial.accepted.len().to_string(),
            trial.same.to_string(),
            trial.earlier.len().to_string(),
            trial.later.len().to_string(),
            trial.undecided.to_string(),
        ]
    };
    let rows: Vec<[String; 8]> = trials.iter().map(row).collect();
    let mut lines = aligned(&HEAD, &rows);
    for trial in trials {
        let name = &trial.name;
        lines.extend(trial.unjudged.iter().map(|reason| format!("{name}: not judged: {reason}")));
        let accepted = trial.accepted.iter().take(SHOWN);
        lines.extend(accepted.map(|text| format!("{name}: accepted: {text:?}")));
        for (kind, differences) in [("before", &trial.earlier), ("after", &trial.later)] {
            let mut smallest: Vec<&Difference> = differences.iter().collect();
            smallest.sort_by_key(|difference| difference.text.len());
            for Difference { text, ours: (line, column), theirs } in smallest.iter().take(SHOWN) {
                lines.push(format!("{name}: {kind}: {text:?}: {line}:{column}, {theirs}"));
            }
        }
    }
    lines.join("\n")
}

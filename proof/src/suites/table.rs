//! The table of all suites.

use super::trial::{Outcome, Trial};
use crate::columns::aligned;

const HEAD: [&str; 7] =
    ["grammar", "suites", "targets", "unwritten", "tests", "ANTLR accepts", "undecided"];

/// The number of obstacles per suite.
const MAX_OBSTACLES: usize = 4;

/// All suites of one grammar.
#[derive(Clone, Debug, Default)]
pub struct Suites {
    /// The grammar's name.
    pub name: String,
    /// Whether ANTLR must accept every text: no code that it runs is ignored.
    pub is_strict: bool,
    /// Criterion by criterion.
    pub outcomes: Vec<Outcome>,
    /// Why there are no suites, or no judge.
    pub remarks: Vec<String>,
}

impl Suites {
    /// The suites that exist.
    pub fn made(&self) -> impl Iterator<Item = &Trial> {
        self.outcomes.iter().filter_map(|outcome| match outcome {
            Outcome::Made(trial) => Some(&**trial),
            Outcome::LeftOut(..) => None,
        })
    }

    /// Whether there is a defect without an excuse.
    #[must_use]
    pub fn failed(&self) -> bool {
        self.made().any(|trial| {
            let differ = trial.accepted.0 < trial.accepted.1;
            !trial.complaints.is_empty() || (differ && self.is_strict)
        })
    }
}

/// A table with one line per grammar, followed by unwritten targets, skipped suites and defects.
#[must_use]
pub fn table(all: &[Suites]) -> String {
    let rows: Vec<_> = all.iter().map(row).collect();
    let mut lines = aligned(&HEAD, &rows);
    all.iter().for_each(|suites| lines.extend(below(suites)));
    lines.join("\n")
}

fn row(suites: &Suites) -> [String; 7] {
    let sum = |figure: fn(&Trial) -> u64| suites.made().map(figure).sum::<u64>();
    let asked = sum(|trial| trial.accepted.1);
    let accepted = match asked {
        0 => "—".to_owned(),
        _ => format!("{}/{asked}", sum(|trial| trial.accepted.0)),
    };
    [
        suites.name.clone(),
        suites.made().count().to_string(),
        sum(|trial| trial.targets).to_string(),
        sum(|trial| trial.unwritten).to_string(),
        sum(|trial| trial.tests).to_string(),
        accepted,
        sum(|trial| trial.undecided).to_string(),
    ]
}

fn below(suites: &Suites) -> Vec<String> {
    let mut lines: Vec<String> = suites.remarks.clone();
    for outcome in &suites.outcomes {
        match outcome {
            Outcome::LeftOut(cover, reason) => lines.push(format!("{cover} left out: {reason}")),
            Outcome::Made(trial) => lines.extend(findings(trial)),
        }
    }
    lines.into_iter().map(|line| format!("{}: {line}", suites.name)).collect()
}

fn findings(trial: &Trial) -> Vec<String> {
    let cover = trial.cover;
    let mut obstacles: Vec<_> = trial.obstacles.iter().collect();
    obstacles.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let shown = obstacles.iter().take(MAX_OBSTACLES);
    let shown = shown.map(|(what, count)| format!("{cover}: unwritten, {count} times: {what}"));
    let wrong = trial.complaints.iter().chain(&trial.rejected);
    let wrong = wrong.map(|complaint| format!("{cover}: {complaint}"));
    shown.chain(wrong).collect()
}

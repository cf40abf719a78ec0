//! Whether a corpus covers enough, and as much as it did before.
//!
//! Targets are compared by what they are: their pattern, with how many targets have it. So a grammar may
//! change between two runs. What a changed grammar, or another choice of criteria, leaves without a
//! counterpart is told, never counted as lost or kept.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use gramercy::base::{Diagnostic, files};
use gramercy::coverage::{Criterion, TargetSet};
use serde::Deserialize;

use crate::codes;
use crate::outcome::Failure;
use crate::render::coverage::{CriterionReport, Report};

/// The most bytes of a baseline.
const BASELINE: usize = 1 << 30;

/// How many lost targets are named.
const NAMED: usize = 20;

/// What was said of each criterion that covers less than this share.
pub(super) fn too_low(report: &Report<'_>, least: f64) -> Vec<Diagnostic> {
    let low = report.criteria.iter().filter(|(_, of)| of.share() < least);
    let tell = |(name, of): &(String, CriterionReport)| {
        let message = format!("{name}: {} is covered, less than {least}%", of.percent());
        Diagnostic::new(codes::COVERAGE_TOO_LOW, message)
    };
    low.map(tell).collect()
}

/// An earlier result, as far as it is compared.
#[derive(Deserialize)]
pub(super) struct Baseline {
    /// The grammar's fingerprint.
    fingerprint: Option<String>,
    criteria: BTreeMap<String, BaselineCriterion>,
}

#[derive(Deserialize)]
struct BaselineCriterion {
    missing: Vec<BaselineTarget>,
    #[serde(default)]
    missing_more: u64,
    /// The patterns of all targets that are covered, where the baseline was written as one.
    covered_patterns: Option<Vec<String>>,
}

#[derive(Deserialize)]
struct BaselineTarget {
    rank: u64,
}

/// What is covered now of one criterion.
pub(super) struct Now<'n> {
    pub(super) name: &'n str,
    pub(super) criterion: &'n dyn Criterion,
    pub(super) covered: &'n TargetSet,
    pub(super) exempt: &'n TargetSet,
}

impl Now<'_> {
    fn is_missing(&self, target: u64) -> bool {
        !self.covered.contains(target)
            && !self.exempt.contains(target)
            && self.criterion.uncoverable(target).is_none()
    }
}

/// What a comparison found.
#[derive(Default)]
pub(super) struct Judged {
    /// What is no longer covered, and what could not be compared.
    pub(super) findings: Vec<Diagnostic>,
    /// Whether something is no longer covered.
    pub(super) is_worse: bool,
}

impl Baseline {
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let refuse = |reason: String| {
            let message = format!("cannot use `{}` as a baseline: {reason}", path.display());
            let help = "make one with `gramercy measure --write-baseline FILE`";
            Failure::refused(Diagnostic::new(codes::BAD_BASELINE, message).help(help))
        };
        let text = files::read_text(path, BASELINE).map_err(|error| refuse(error.to_string()))?;
        serde_json::from_str(&text).map_err(|error| refuse(error.to_string()))
    }

    /// What the baseline covers and the criteria now do not.
    ///
    /// # Errors
    /// If nothing at all can be compared.
    pub(super) fn compare(&self, now: &[Now<'_>], fingerprint: &str) -> Result<Judged, Failure> {
        let is_same_grammar = self.fingerprint.as_deref() == Some(fingerprint);
        let mut judged = Judged::default();
        let mut compared = 0;
        for now in now {
            let lost = match self.criteria.get(now.name) {
                None => Err("the baseline has no such criterion"),
                Some(then) => then.lost(now, is_same_grammar),
            };
            match lost {
                Err(reason) => judged.findings.push(not_compared(now.name, reason)),
                Ok(Lost { targets, gone }) => {
                    compared += 1;
                    if gone > 0 {
                        let reason =
                            format!("{gone} targets of the baseline are not in the grammar now");
                        judged.findings.push(not_compared(now.name, &reason));
                    }
                    judged.is_worse |= !targets.is_empty();
                    judged.findings.extend(no_longer_covered(now, &targets));
                }
            }
        }
        let names: BTreeSet<&str> = now.iter().map(|now| now.name).collect();
        for name in self.criteria.keys().filter(|name| !names.contains(name.as_str())) {
            judged.findings.push(not_compared(name, "only the baseline has it"));
        }
        match compared {
            0 => {
                let message = "nothing can be compared with the baseline";
                let mut error = Diagnostic::new(codes::BAD_BASELINE, message);
                error.notes = judged.findings.into_iter().map(|finding| finding.message).collect();
                Err(Failure::refused(error))
            }
            _ => Ok(judged),
        }
    }
}

/// What became of the targets that a baseline covers.
struct Lost {
    /// Those that are missing now.
    targets: Vec<u64>,
    /// How many have a pattern that no target has now.
    gone: u64,
}

impl BaselineCriterion {
    fn lost(&self, now: &Now<'_>, is_same_grammar: bool) -> Result<Lost, &'static str> {
        if let Some(patterns) = &self.covered_patterns {
            return Ok(lost_by_pattern(patterns, now));
        }
        if !is_same_grammar {
            return Err("the grammar has changed; baselines of --write-baseline can be compared");
        }
        if self.missing_more > 0 {
            return Err("the baseline does not list all that it misses");
        }
        let missed: BTreeSet<u64> = self.missing.iter().map(|target| target.rank).collect();
        let is_lost = |&target: &u64| now.is_missing(target) && !missed.contains(&target);
        let targets = (0..now.criterion.targets()).filter(is_lost).collect();
        Ok(Lost { targets, gone: 0 })
    }
}

fn lost_by_pattern(covered_before: &[String], now: &Now<'_>) -> Lost {
    /// The targets of one pattern.
    #[derive(Default)]
    struct Same {
        before: u64,
        covered: u64,
        missing: Vec<u64>,
        is_known: bool,
    }
    let mut all: BTreeMap<&str, Same> = BTreeMap::new();
    for pattern in covered_before {
        all.entry(pattern).or_default().before += 1;
    }
    for target in 0..now.criterion.targets() {
        if let Some(same) = all.get_mut(now.criterion.describe(target).as_str()) {
            same.is_known = true;
            same.covered += u64::from(now.covered.contains(target));
            if now.is_missing(target) {
                same.missing.push(target);
            }
        }
    }
    let mut lost = Lost { targets: Vec::new(), gone: 0 };
    for same in all.values() {
        let fewer = usize::try_from(same.before.saturating_sub(same.covered)).unwrap_or(usize::MAX);
        lost.targets.extend(same.missing.iter().take(fewer));
        lost.gone += if same.is_known { 0 } else { same.before };
    }
    lost.targets.sort_unstable();
    lost
}

fn not_compared(name: &str, reason: &str) -> Diagnostic {
    Diagnostic::new(codes::NOT_COMPARED, format!("{name} is not compared: {reason}"))
}

fn no_longer_covered(now: &Now<'_>, lost: &[u64]) -> Option<Diagnostic> {
    if lost.is_empty() {
        return None;
    }
    let plural = if lost.len() == 1 { " is" } else { "s are" };
    let message = format!("{}: {} target{plural} no longer covered", now.name, lost.len());
    let mut diagnostic = Diagnostic::new(codes::REGRESSION, message);
    let named = lost.iter().take(NAMED).map(|&target| now.criterion.outline(target));
    diagnostic.notes = named.collect();
    if lost.len() > NAMED {
        diagnostic.notes.push(format!("and {} more", lost.len() - NAMED));
    }
    Some(diagnostic)
}

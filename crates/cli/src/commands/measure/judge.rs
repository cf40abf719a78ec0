//! Whether a corpus covers enough, and as much as it did before.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use gramercy::base::{Diagnostic, files};
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
    criteria: BTreeMap<String, BaselineCriterion>,
}

#[derive(Deserialize)]
struct BaselineCriterion {
    targets: u64,
    coverable: u64,
    covered: u64,
    missing: Vec<BaselineTarget>,
}

#[derive(Deserialize)]
struct BaselineTarget {
    rank: u64,
}

impl Baseline {
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let refuse = |reason: String| {
            let message = format!("cannot use `{}` as a baseline: {reason}", path.display());
            let help = "make one with `gramercy measure --json`";
            Failure::refused(Diagnostic::new(codes::BAD_BASELINE, message).help(help))
        };
        let text = files::read_text(path, BASELINE).map_err(|error| refuse(error.to_string()))?;
        serde_json::from_str(&text).map_err(|error| refuse(error.to_string()))
    }

    /// What the baseline covers and the report does not, criterion by criterion. Where the grammar
    /// has changed, or the baseline does not list all it misses, only the shares are compared.
    pub(super) fn lost_in(&self, report: &Report<'_>) -> Vec<Diagnostic> {
        let known = |(name, now): &(String, CriterionReport)| {
            self.criteria.get(name).and_then(|then| lost(name, then, now))
        };
        report.criteria.iter().filter_map(known).collect()
    }
}

fn lost(name: &str, then: &BaselineCriterion, now: &CriterionReport) -> Option<Diagnostic> {
    let is_whole = then.missing.len() as u64 == then.coverable - then.covered;
    if !is_whole || then.targets != now.targets || then.coverable != now.coverable {
        let before = CriterionReport::share_of(then.covered, then.coverable);
        let message = format!("{name}: {} is covered, which was more before", now.percent());
        return (now.share() < before).then(|| Diagnostic::new(codes::REGRESSION, message));
    }
    let missed: BTreeSet<u64> = then.missing.iter().map(|target| target.rank).collect();
    let lost: Vec<_> =
        now.missing.targets.iter().filter(|target| !missed.contains(&target.rank)).collect();
    if lost.is_empty() {
        return None;
    }
    let message = format!("{name}: {} targets are covered no more", lost.len());
    let mut diagnostic = Diagnostic::new(codes::REGRESSION, message);
    diagnostic.notes = lost.iter().take(NAMED).map(|target| target.in_words()).collect();
    if lost.len() > NAMED {
        diagnostic.notes.push(format!("and {} more", lost.len() - NAMED));
    }
    Some(diagnostic)
}

//! Verdicts as targets: "why does it fail?".
//!
//! A test covers `verdict:NAME` if its verdict is a finding, `ending:END` for the way the program ended, `message:TEXT`
//! for the message of a finding without what differs from test to test, `group:N` if it is in that group of the
//! campaign, and `message~PATTERN` if the output of a finding matches a pattern of the user.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use gramercy_base::Named;
use gramercy_learn::behaviour::{Observed, Report, TargetInfo};
use regex::bytes::Regex;
use rusqlite::Connection;

use crate::case::Expectation;
use crate::journal::read::{self, Which};
use crate::journal::{JournalError, open_to_read};
use crate::oracle::Judgement;

/// The behaviour of a program on the tests of a campaign.
pub struct JournalBehaviour {
    /// The tests that are in the language.
    pub observed: Vec<Observed>,
    /// How many tests are not in the language, and are left out.
    pub negative: usize,
    /// What each group means.
    pub groups: Vec<(String, String)>,
}

/// Reads the verdicts of one program from a campaign's database.
///
/// # Errors
/// If the database cannot be used.
pub fn from_journal(
    path: &Path,
    subject: usize,
    patterns: &[Regex],
) -> Result<JournalBehaviour, JournalError> {
    let db = open_to_read(path)?;
    let read = || -> rusqlite::Result<JournalBehaviour> {
        let members = members(&db, subject)?;
        let mut found =
            JournalBehaviour { observed: Vec::new(), negative: 0, groups: groups(&db, subject)? };
        let mut failed = Ok(());
        read::for_each(&db, subject, Which::All, |judged| {
            if judged.case.expect != Expectation::Accept {
                found.negative += 1;
                return ControlFlow::Continue(());
            }
            let mut report = Report::default();
            add_verdict(&judged.judgement, &mut report);
            for group in members.get(&judged.case.id).into_iter().flatten() {
                report.add(TargetInfo::named(format!("group:{group}")), 1);
            }
            if judged.judgement.verdict.is_finding() && !patterns.is_empty() {
                match read::output(&db, subject, judged.case.id) {
                    Ok((stdout, stderr)) => add_patterns(patterns, &stdout, &stderr, &mut report),
                    Err(error) => failed = Err(error),
                }
            }
            let name = judged.case.name.unwrap_or_else(|| format!("test {}", judged.case.id));
            let text = String::from_utf8_lossy(&judged.case.content).into_owned();
            found.observed.push(Observed { name, text, report });
            if failed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        failed.map(|()| found)
    };
    read().map_err(|error| JournalError::Database(path.to_owned(), error))
}

/// The names of the programs of a campaign.
///
/// # Errors
/// If the database cannot be used.
pub fn subjects(path: &Path) -> Result<Vec<String>, JournalError> {
    let db = open_to_read(path)?;
    let rows = read::subjects(&db);
    let rows = rows.map_err(|error| JournalError::Database(path.to_owned(), error))?;
    Ok(rows.into_iter().map(|row| row.name).collect())
}

/// The targets of a verdict.
pub(super) fn add_verdict(judgement: &Judgement, report: &mut Report) {
    let mut add = |name: String| report.covered.push((Arc::new(TargetInfo::named(name)), None));
    add(format!("ending:{}", judgement.ending));
    if judgement.verdict.is_finding() {
        add(format!("verdict:{}", judgement.verdict.name()));
        if !judgement.signature.is_empty() {
            add(format!("message:{}", judgement.signature));
        }
    }
}

/// The targets of patterns that the output matches.
pub(super) fn add_patterns(patterns: &[Regex], stdout: &[u8], stderr: &[u8], report: &mut Report) {
    for pattern in patterns {
        let is_match = pattern.is_match(stderr) || pattern.is_match(stdout);
        report.add(TargetInfo::named(format!("message~{pattern}")), u64::from(is_match));
    }
}

/// For each test the groups that it is in.
fn members(db: &Connection, subject: usize) -> rusqlite::Result<BTreeMap<u64, Vec<i64>>> {
    let select = "SELECT m.test, m.\"group\" FROM members m JOIN groups g ON g.id = m.\"group\" \
                  WHERE g.subject = ? ORDER BY m.\"group\"";
    let mut select = db.prepare(select)?;
    let mut rows = select.query([subject as i64])?;
    let mut found: BTreeMap<u64, Vec<i64>> = BTreeMap::new();
    while let Some(row) = rows.next()? {
        let test = row.get::<_, i64>(0)?.unsigned_abs();
        found.entry(test).or_default().push(row.get(1)?);
    }
    Ok(found)
}

/// The target of each group, and what the campaign says about it.
fn groups(db: &Connection, subject: usize) -> rusqlite::Result<Vec<(String, String)>> {
    let select = "SELECT g.id, n.name, g.ending, g.signature, g.reason FROM groups g \
                  JOIN verdict_names n ON n.id = g.verdict WHERE g.subject = ? ORDER BY g.id";
    let mut select = db.prepare(select)?;
    let rows = select.query_map([subject as i64], |row| {
        let text = |index: usize| row.get::<_, String>(index);
        let parts = [text(1)?, text(2)?, text(3)?, text(4)?];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        Ok((format!("group:{}", row.get::<_, i64>(0)?), parts.join("; ")))
    })?;
    rows.collect()
}

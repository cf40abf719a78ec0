//! What a journal tells: its campaign, its counts, its tests and findings, one at a time.

use std::ops::ControlFlow;
use std::path::Path;

use gramercy_base::Named;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::{JournalError, SubjectRow, schema, signed};
use crate::case::{Case, Expectation, Position};
use crate::oracle::{Judgement, Response};
use crate::verdict::{Counts, Verdict};

/// Refuses what is no journal, or one of another version.
pub(super) fn check_version(db: &Connection, path: &Path) -> Result<(), JournalError> {
    let pragma = |name: &str| db.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let error = |error| JournalError::of(path, error);
    if pragma("application_id").map_err(error)? != schema::APPLICATION {
        return Err(JournalError::NotAJournal(path.to_owned()));
    }
    match pragma("user_version").map_err(error)? {
        schema::VERSION => Ok(()),
        other => Err(JournalError::OtherVersion(path.to_owned(), other)),
    }
}

/// A value of the campaign.
///
/// # Errors
/// If the database fails.
pub fn value(db: &Connection, key: &str) -> rusqlite::Result<Option<String>> {
    let select = "SELECT value FROM campaign WHERE key = ?";
    db.query_row(select, [key], |row| row.get(0)).optional()
}

/// All keys and values of the campaign.
///
/// # Errors
/// If the database fails.
pub fn values(db: &Connection) -> rusqlite::Result<Vec<(String, String)>> {
    let mut select = db.prepare("SELECT key, value FROM campaign ORDER BY key")?;
    select.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}

/// The subjects, in order.
///
/// # Errors
/// If the database fails.
pub fn subjects(db: &Connection) -> rusqlite::Result<Vec<SubjectRow>> {
    let mut select = db.prepare("SELECT name, program, oracle FROM subjects ORDER BY id")?;
    let row = |row: &Row<'_>| {
        Ok(SubjectRow { name: row.get(0)?, program: row.get(1)?, oracle: row.get(2)? })
    };
    select.query_map([], row)?.collect()
}

/// A part of a campaign: its number, of how many, and whether it is finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ShardRow {
    /// Its number, from 1.
    pub shard: u64,
    /// Of how many.
    pub of: u64,
    /// The test up to which all are done.
    pub done_through: u64,
    /// Whether all its tests are done.
    pub is_finished: bool,
}

/// The parts of the campaign that are here.
///
/// # Errors
/// If the database fails.
pub fn shards(db: &Connection) -> rusqlite::Result<Vec<ShardRow>> {
    let select = "SELECT shard, of, done_through, finished FROM shards ORDER BY of, shard";
    let mut select = db.prepare(select)?;
    let row = |row: &Row<'_>| {
        Ok(ShardRow {
            shard: number(row, 0)?,
            of: number(row, 1)?,
            done_through: number(row, 2)?,
            is_finished: row.get(3)?,
        })
    };
    select.query_map([], row)?.collect()
}

/// How many tests of a subject have each verdict.
///
/// # Errors
/// If the database fails.
pub fn counts(db: &Connection, subject: usize) -> rusqlite::Result<Counts> {
    let select = "SELECT verdict, tests FROM totals WHERE subject = ?";
    let mut select = db.prepare(select)?;
    let mut rows = select.query([subject as i64])?;
    let mut counts = Counts::default();
    while let Some(row) = rows.next()? {
        counts.add(verdict(row, 0)?, number(row, 1)?);
    }
    Ok(counts)
}

/// A point of the curve that shows how coverage and findings grow with the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Growth {
    /// How many tests were counted.
    pub tests: u64,
    /// How many targets they cover.
    pub covered: u64,
    /// How many findings of all subjects they have.
    pub findings: u64,
}

/// How coverage and findings grow with the tests, in about this number of points. The last one counts all tests.
///
/// # Errors
/// If the database fails.
pub fn growth(db: &Connection, points: u64) -> rusqlite::Result<Vec<Growth>> {
    let count = db.query_row("SELECT count(*) FROM tests", [], |row| number(row, 0))?;
    let step = count.div_ceil(points.max(1)).max(1);
    // The cross join keeps the order of the tables: subjects are few, and verdicts are found by their key.
    let mut select = db.prepare(
        "SELECT t.covers, (SELECT count(*) FROM subjects s CROSS JOIN verdicts v \
            ON v.subject = s.id AND v.test = t.id WHERE v.verdict <> 0) FROM tests t ORDER BY t.id",
    )?;
    let mut rows = select.query([])?;
    let mut now = Growth { tests: 0, covered: 0, findings: 0 };
    let mut curve = vec![now];
    while let Some(row) = rows.next()? {
        now.tests += 1;
        now.covered += number(row, 0)?;
        now.findings += number(row, 1)?;
        if now.tests.is_multiple_of(step) || now.tests == count {
            curve.push(now);
        }
    }
    Ok(curve)
}

/// A test with its verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// The test.
    pub case: Case,
    /// What was said about it.
    pub judgement: Judgement,
}

const JUDGED: &str = "SELECT t.id, t.name, t.content, t.expect, t.byte, t.line, t.\"column\", t.target, t.mutation, \
    t.covers, v.verdict, v.response, v.ending, v.signature, v.line, v.\"column\" \
    FROM verdicts v JOIN tests t ON t.id = v.test WHERE v.subject = ?1";

/// Calls `visit` for tests of a subject in the order of their numbers, until it breaks off.
///
/// # Errors
/// If the database fails.
pub fn for_each(
    db: &Connection,
    subject: usize,
    which: Which,
    mut visit: impl FnMut(Judged) -> ControlFlow<()>,
) -> rusqlite::Result<()> {
    let condition = match which {
        Which::All => "",
        Which::Passed => " AND v.verdict = 0",
        Which::Found => " AND v.verdict <> 0",
    };
    let mut select = db.prepare(&format!("{JUDGED}{condition} ORDER BY v.test"))?;
    let mut rows = select.query([subject as i64])?;
    while let Some(row) = rows.next()? {
        if visit(judged(row)?).is_break() {
            break;
        }
    }
    Ok(())
}

/// Which tests are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// All tests.
    All,
    /// Those that passed.
    Passed,
    /// Findings.
    Found,
}

/// One test with its verdict.
///
/// # Errors
/// If the database fails, or has no such test.
pub fn one(db: &Connection, subject: usize, test: u64) -> rusqlite::Result<Judged> {
    let select = format!("{JUDGED} AND v.test = ?2");
    db.prepare_cached(&select)?.query_row(params![subject as i64, signed(test)], judged)
}

/// What a program wrote for a finding: standard output and standard error.
///
/// # Errors
/// If the database fails.
pub fn output(db: &Connection, subject: usize, test: u64) -> rusqlite::Result<(Vec<u8>, Vec<u8>)> {
    let select = "SELECT stdout, stderr FROM outputs WHERE subject = ? AND test = ?";
    let row = params![subject as i64, signed(test)];
    let found = db.query_row(select, row, |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    Ok(found.unwrap_or_default())
}

fn judged(row: &Row<'_>) -> rusqlite::Result<Judged> {
    let optional = |index: usize| -> rusqlite::Result<Option<u64>> {
        Ok(row.get::<_, Option<i64>>(index)?.map(i64::unsigned_abs))
    };
    let place = match (optional(4)?, optional(5)?, optional(6)?) {
        (Some(byte), Some(line), Some(column)) => Some(Position { byte, line, column }),
        _ => None,
    };
    let expect: String = row.get(3)?;
    let response: String = row.get(11)?;
    let reported = optional(14)?;
    Ok(Judged {
        case: Case {
            id: number(row, 0)?,
            name: row.get(1)?,
            content: row.get(2)?,
            expect: match &*expect {
                "accept" => Expectation::Accept,
                _ => Expectation::Reject(place),
            },
            target: row.get(7)?,
            mutation: row.get(8)?,
            covers: number(row, 9)?,
        },
        judgement: Judgement {
            verdict: verdict(row, 10)?,
            response: Response::from_name(&response).unwrap_or(Response::Crash),
            ending: row.get(12)?,
            signature: row.get(13)?,
            place: match reported {
                Some(line) => Some((line, optional(15)?)),
                None => None,
            },
        },
    })
}

fn number(row: &Row<'_>, index: usize) -> rusqlite::Result<u64> {
    Ok(row.get::<_, i64>(index)?.unsigned_abs())
}

fn verdict(row: &Row<'_>, index: usize) -> rusqlite::Result<Verdict> {
    let number = row.get::<_, i64>(index)?;
    let known = usize::try_from(number).ok().and_then(Verdict::of_number);
    known.ok_or(rusqlite::Error::IntegralValueOutOfRange(index, number))
}

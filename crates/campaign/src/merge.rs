//! Joins the journals of several machines into one.
//!
//! Every test has its number in the whole suite, so joining is a union of rows: doing it twice, or with the journal of
//! a task that was run twice, changes nothing. All journals must be of one campaign; parts that are missing or not
//! finished are named.

use std::path::{Path, PathBuf};

use rusqlite::Connection;

use crate::journal::read::{self, ShardRow};
use crate::journal::{GRAMMAR_FILE, JournalError, check_file, open_to_read};

/// What a merged journal holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    /// Parts that are in none of the journals.
    pub missing: Vec<(u64, u64)>,
    /// Parts that were not run to their end.
    pub unfinished: Vec<(u64, u64)>,
    /// Tests with verdicts.
    pub tests: u64,
}

/// Joins journals into one at `output`, which may be there already as the result of an earlier merge.
///
/// # Errors
/// If one cannot be read or belongs to another campaign.
pub fn merge(inputs: &[PathBuf], output: &Path) -> Result<Merged, JournalError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error| JournalError::Database(path, error)
    };
    check_file(output)?;
    let is_new = !output.metadata().is_ok_and(|metadata| metadata.len() > 0);
    let mut inputs = inputs.iter().filter(|path| !is_same(path, output));
    if is_new {
        let Some(first) = inputs.next() else {
            return Err(JournalError::Missing(output.to_owned()));
        };
        // Only committed verdicts are in the copy, also of those that still stand in the write-ahead log.
        let from = open_to_read(first)?;
        from.execute("VACUUM INTO ?", [output.display().to_string()]).map_err(failed(output))?;
    }
    let db = Connection::open(output).map_err(failed(output))?;
    drop(open_to_read(output)?);
    for path in inputs {
        check_same(&db, output, path)?;
        add(&db, path).map_err(failed(path))?;
    }
    summary(&db).map_err(failed(output))
}

fn is_same(path: &Path, other: &Path) -> bool {
    match (path.canonicalize(), other.canonicalize()) {
        (Ok(path), Ok(other)) => path == other,
        _ => path == other,
    }
}

/// Refuses a journal of another campaign.
fn check_same(db: &Connection, output: &Path, path: &Path) -> Result<(), JournalError> {
    let other = open_to_read(path)?;
    let database = |error| JournalError::Database(path.to_owned(), error);
    let differs = |key: String, there: String, here: String| JournalError::OtherCampaign {
        path: path.to_owned(),
        key,
        there,
        here,
    };
    let here =
        read::values(db).map_err(|error| JournalError::Database(output.to_owned(), error))?;
    for (key, value) in here.into_iter().filter(|(key, _)| key != GRAMMAR_FILE) {
        let there = read::value(&other, &key).map_err(database)?.unwrap_or_default();
        if there != value {
            return Err(differs(key, there, value));
        }
    }
    let (ours, theirs) =
        (read::subjects(db).map_err(database)?, read::subjects(&other).map_err(database)?);
    match ours == theirs {
        true => Ok(()),
        false => {
            let words = |all: &[crate::journal::SubjectRow]| {
                all.iter().map(|one| one.program.clone()).collect::<Vec<_>>().join(", ")
            };
            Err(differs("program".to_owned(), words(&theirs), words(&ours)))
        }
    }
}

fn add(db: &Connection, path: &Path) -> rusqlite::Result<()> {
    db.execute("ATTACH ? AS other", [path.display().to_string()])?;
    let added = (|| {
        let transaction = db.unchecked_transaction()?;
        db.execute_batch(
            "INSERT OR IGNORE INTO tests SELECT * FROM other.tests;
             INSERT OR IGNORE INTO verdicts SELECT * FROM other.verdicts;
             INSERT OR IGNORE INTO outputs SELECT * FROM other.outputs;
             INSERT INTO shards SELECT * FROM other.shards WHERE true
                 ON CONFLICT DO UPDATE SET done_through = max(done_through, excluded.done_through),
                     finished = max(finished, excluded.finished);
             DELETE FROM totals;
             INSERT INTO totals SELECT subject, verdict, count(*) FROM verdicts GROUP BY 1, 2;
             DELETE FROM groups; DELETE FROM members;",
        )?;
        transaction.commit()
    })();
    db.execute_batch("DETACH other")?;
    added
}

fn summary(db: &Connection) -> rusqlite::Result<Merged> {
    let shards = read::shards(db)?;
    let mut counts: Vec<u64> = shards.iter().map(|row| row.of).collect();
    counts.dedup();
    let has = |of: u64, shard: u64| shards.iter().any(|row| (row.of, row.shard) == (of, shard));
    // A campaign that was not divided has one part.
    let missing = counts.iter().flat_map(|&of| (1..=of).map(move |shard| (shard, of)));
    let missing = missing.filter(|&(shard, of)| !has(of, shard)).collect();
    let unfinished = shards.iter().filter(|row: &&ShardRow| !row.is_finished);
    let unfinished = unfinished.map(|row| (row.shard, row.of)).collect();
    Ok(Merged { missing, unfinished, tests: read::counts(db, 0)?.total() })
}

//! Runs that were made before, by the content of their inputs.
//!
//! A database beside the model. Runs are committed in batches before they are used, so a collection that is killed goes
//! on where it was. Runs
//! without a report are not kept, because the reason may go away. A run counts for one *program* only: the command, the templates, and the content of all files that
//! the command names. Targets are stored once; a run is a list of their numbers.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use gramercy_base::{Fingerprint, Map};
use gramercy_learn::behaviour::{Observed, Report, TargetInfo};
use rusqlite::{Connection, OptionalExtension, params};

use crate::journal::{JournalError, check_file};

/// Marks a file as one of ours: `grmr`.
const APPLICATION: i64 = 0x6772_6d72;
const TABLES: &str = "
CREATE TABLE programs (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE);
CREATE TABLE targets (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, info TEXT NOT NULL);
CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    program INTEGER NOT NULL,
    hash BLOB NOT NULL,
    name TEXT NOT NULL,
    text TEXT NOT NULL,
    covered TEXT NOT NULL,
    uncovered TEXT NOT NULL,
    UNIQUE (program, hash)
);";

/// Runs of a program.
pub struct Cache {
    db: Connection,
    path: PathBuf,
    program: i64,
    numbers: Map<String, i64>,
    by_number: Map<i64, Arc<TargetInfo>>,
}

impl Cache {
    /// Opens or makes a database, for the runs of the program with this key.
    ///
    /// # Errors
    /// If the file is something else, or cannot be written.
    pub fn open(path: &Path, key: &str) -> Result<Self, JournalError> {
        check_file(path)?;
        let failed = |error| JournalError::of(path, error);
        let db = Connection::open(path).map_err(failed)?;
        let pragma = |name: &str| db.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
        let tables: i64 = db
            .query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))
            .map_err(failed)?;
        if tables == 0 {
            db.pragma_update(None, "journal_mode", "WAL").map_err(failed)?;
            db.pragma_update(None, "application_id", APPLICATION).map_err(failed)?;
            db.execute_batch(TABLES).map_err(failed)?;
        } else if pragma("application_id").map_err(failed)? != APPLICATION {
            return Err(JournalError::NotAJournal(path.to_owned()));
        }
        db.execute("INSERT OR IGNORE INTO programs (key) VALUES (?)", [key]).map_err(failed)?;
        let select = "SELECT id FROM programs WHERE key = ?";
        let program = db.query_row(select, [key], |row| row.get(0)).map_err(failed)?;
        let mut cache = Self {
            db,
            path: path.to_owned(),
            program,
            numbers: Map::default(),
            by_number: Map::default(),
        };
        cache.read_targets().map_err(failed)?;
        Ok(cache)
    }

    fn read_targets(&mut self) -> rusqlite::Result<()> {
        let mut select = self.db.prepare("SELECT id, info FROM targets ORDER BY id")?;
        let mut rows = select.query([])?;
        while let Some(row) = rows.next()? {
            let (number, info): (i64, String) = (row.get(0)?, row.get(1)?);
            let Ok(info) = serde_json::from_str::<TargetInfo>(&info) else { continue };
            let info = Arc::new(info);
            self.numbers.insert(info.name.clone(), number);
            self.by_number.insert(number, info);
        }
        Ok(())
    }

    /// What a run of the program on a text did, if there was one.
    ///
    /// # Errors
    /// If the database fails.
    pub fn get(&self, name: &str, text: &str) -> Result<Option<Observed>, JournalError> {
        let select = "SELECT covered, uncovered FROM runs WHERE program = ? AND hash = ?";
        let read = || {
            let mut select = self.db.prepare_cached(select)?;
            let row = |row: &rusqlite::Row<'_>| self.observed(name, text, row, 0);
            select.query_row(params![self.program, hash(text)], row).optional()
        };
        read().map_err(|error| JournalError::of(&self.path, error))
    }

    /// All runs of the program that have a report, in the order in which they were made.
    ///
    /// # Errors
    /// If the database fails.
    pub fn all(&self) -> Result<Vec<Observed>, JournalError> {
        let read = || -> rusqlite::Result<Vec<Observed>> {
            let mut select = self.db.prepare(
                "SELECT name, text, covered, uncovered FROM runs WHERE program = ? ORDER BY id",
            )?;
            let mut rows = select.query([self.program])?;
            let mut found = Vec::new();
            while let Some(row) = rows.next()? {
                let (name, text): (String, String) = (row.get(0)?, row.get(1)?);
                found.push(self.observed(&name, &text, row, 2)?);
            }
            Ok(found)
        };
        read().map_err(|error| JournalError::of(&self.path, error))
    }

    /// The runs of the program on inputs with these keys, in the order of the keys.
    ///
    /// # Errors
    /// If the database fails.
    pub fn of(&self, keys: &[String]) -> Result<Vec<Observed>, JournalError> {
        let all = self.all()?;
        let by_key: Map<String, Observed> =
            all.into_iter().map(|input| (input_key(&input.text), input)).collect();
        Ok(keys.iter().filter_map(|key| by_key.get(key).cloned()).collect())
    }

    /// Keeps runs, all or none of them.
    ///
    /// # Errors
    /// If the database fails.
    pub fn put<'r>(
        &mut self,
        runs: impl Iterator<Item = &'r Observed>,
    ) -> Result<(), JournalError> {
        self.write(runs).map_err(|error| JournalError::of(&self.path, error))
    }

    fn write<'r>(&mut self, runs: impl Iterator<Item = &'r Observed>) -> rusqlite::Result<()> {
        self.db.execute_batch("BEGIN")?;
        for Observed { name, text, report } in runs {
            let Report { covered, uncovered } = report;
            let mut numbers = Vec::new();
            for (target, calls) in covered {
                let number = self.number(target)?;
                numbers.push(match calls {
                    Some(calls) => format!("{number}:{calls}"),
                    None => number.to_string(),
                });
            }
            let mut others = Vec::new();
            for target in uncovered {
                others.push(self.number(target)?.to_string());
            }
            let insert = "INSERT OR REPLACE INTO runs \
                (program, hash, name, text, covered, uncovered) VALUES (?, ?, ?, ?, ?, ?)";
            let (covered, uncovered) = (numbers.join(" "), others.join(" "));
            let row = params![self.program, hash(text), name, text, covered, uncovered];
            self.db.prepare_cached(insert)?.execute(row)?;
        }
        self.db.execute_batch("COMMIT")
    }

    fn number(&mut self, target: &Arc<TargetInfo>) -> rusqlite::Result<i64> {
        if let Some(&number) = self.numbers.get(&target.name) {
            return Ok(number);
        }
        let info = serde_json::to_string(&**target).unwrap_or_default();
        let insert = "INSERT INTO targets (name, info) VALUES (?, ?)";
        self.db.prepare_cached(insert)?.execute(params![target.name, info])?;
        let number = self.db.last_insert_rowid();
        self.numbers.insert(target.name.clone(), number);
        self.by_number.insert(number, Arc::clone(target));
        Ok(number)
    }

    fn observed(
        &self,
        name: &str,
        text: &str,
        row: &rusqlite::Row<'_>,
        first: usize,
    ) -> rusqlite::Result<Observed> {
        let (covered, uncovered): (String, String) = (row.get(first)?, row.get(first + 1)?);
        let target = |number: &str| {
            let number: i64 = number.parse().ok()?;
            self.by_number.get(&number).map(Arc::clone)
        };
        let covered = covered.split_whitespace().filter_map(|part| {
            let (number, calls) = match part.split_once(':') {
                Some((number, calls)) => (number, calls.parse().ok()),
                None => (part, None),
            };
            Some((target(number)?, calls))
        });
        let uncovered = uncovered.split_whitespace().filter_map(target).collect();
        let report = Report { covered: covered.collect(), uncovered };
        Ok(Observed { name: name.to_owned(), text: text.to_owned(), report })
    }
}

/// What names an input by its content.
#[must_use]
pub fn input_key(text: &str) -> String {
    format!("{:032x}", u128::from_be_bytes(hash(text)))
}

fn hash(text: &str) -> [u8; 16] {
    let mut print = Fingerprint::default();
    print.add_text(text);
    print.finish().to_be_bytes()
}

//! The journal of a campaign: one SQLite database with its recipe, tests, verdicts, outputs and groups.
//!
//! The database uses a write-ahead log, so users can query it while a campaign runs. There is one writer: a second
//! campaign on the same file is refused by a lock that dies with its owner. Verdicts are committed in batches, and
//! nobody counts a verdict before its batch is on disk. A campaign that was killed goes on after the last test up to
//! which all tests have verdicts (*done through*), without those beyond it that have some too.
//!
//! In reading order: `schema`, [`read`] (what a journal tells).

pub mod read;
mod schema;

use std::fmt;
use std::fs::File;
use std::path::{Path, PathBuf};

use gramercy_assemble::Shard;
use gramercy_base::{Named, files};
use gramercy_subject::Observation;
use rusqlite::{Connection, ErrorCode, OpenFlags, params};
use rustix::fs::{FlockOperation, flock};

use crate::case::Case;
use crate::oracle::Judgement;
use crate::verdict::{Counts, Verdict};

/// A journal that is written to.
#[derive(Debug)]
pub struct Journal {
    // Before the lock: SQLite's own locks would go with the lock's file.
    db: Connection,
    _lock: File,
    path: PathBuf,
    shard: (u64, u64),
}

/// What decides whether two runs are parts of one campaign: keys and values.
pub type Identity = Vec<(&'static str, String)>;

/// The key of the grammar's file. It may have another path on another machine.
pub const GRAMMAR_FILE: &str = "grammar_file";

/// A verdict to be kept.
#[derive(Debug)]
pub struct Entry<'e> {
    /// The number of the subject.
    pub subject: usize,
    /// What was said.
    pub judgement: &'e Judgement,
    /// What was seen.
    pub seen: &'e Observation,
}

/// Which tests are done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// All tests up to this number.
    pub through: u64,
    /// And these, in order.
    pub beyond: Vec<u64>,
}

impl Done {
    /// Whether a test is done.
    #[must_use]
    pub fn has(&self, test: u64) -> bool {
        test <= self.through || self.beyond.binary_search(&test).is_ok()
    }
}

/// Why a journal cannot be used.
#[derive(Debug)]
pub enum JournalError {
    /// The file is there already, and `--resume` was not asked for.
    Exists(PathBuf),
    /// There is nothing to resume.
    Missing(PathBuf),
    /// The file is something else.
    NotAJournal(PathBuf),
    /// Another version wrote it.
    OtherVersion(PathBuf, i64),
    /// It belongs to another campaign: what differs, and both values.
    OtherCampaign {
        /// The file.
        path: PathBuf,
        /// What differs.
        key: String,
        /// The value there.
        there: String,
        /// The value here.
        here: String,
    },
    /// Another campaign writes it now.
    InUse(PathBuf),
    /// The disk is full.
    Full(PathBuf),
    /// The database failed in another way.
    Database(PathBuf, rusqlite::Error),
    /// The file cannot be opened.
    Io(PathBuf, std::io::Error),
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exists(path) => write!(f, "`{}` is there already", path.display()),
            Self::Missing(path) => write!(f, "there is no database `{}`", path.display()),
            Self::NotAJournal(path) => {
                write!(f, "`{}` is not a database of a campaign", path.display())
            }
            Self::OtherVersion(path, version) => write!(
                f,
                "`{}` has version {version} of the tables, and this gramercy has version {}",
                path.display(),
                schema::VERSION
            ),
            Self::OtherCampaign { path, key, there, here } => {
                let path = path.display();
                write!(f, "`{path}` belongs to another campaign: its {key} is {there}, not {here}")
            }
            Self::InUse(path) => {
                write!(f, "another campaign writes to `{}` now", path.display())
            }
            Self::Full(path) => {
                write!(f, "cannot write `{}`: there is no space left", path.display())
            }
            Self::Database(path, error) => {
                write!(f, "the database `{}` failed: {error}", path.display())
            }
            Self::Io(path, error) => write!(f, "cannot open `{}`: {error}", path.display()),
        }
    }
}

impl std::error::Error for JournalError {}

impl JournalError {
    /// Whether the machine is to blame, not the user.
    #[must_use]
    pub fn is_of_machine(&self) -> bool {
        matches!(self, Self::Full(_))
    }

    pub(crate) fn of(path: &Path, error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::Full(path.to_owned()),
            Some(ErrorCode::NotADatabase) => Self::NotAJournal(path.to_owned()),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                Self::InUse(path.to_owned())
            }
            _ => Self::Database(path.to_owned(), error),
        }
    }
}

/// Whether a journal begins or goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// A new file.
    New,
    /// A file that is there.
    Resume,
}

/// What a journal says of a subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubjectRow {
    /// Its name.
    pub name: String,
    /// The program, as JSON.
    pub program: String,
    /// The oracle, as JSON.
    pub oracle: String,
}

impl Journal {
    /// Opens a journal to write to.
    ///
    /// # Errors
    /// See [`JournalError`].
    pub fn open(
        path: &Path,
        mode: Mode,
        identity: &Identity,
        subjects: &[SubjectRow],
        shard: Option<Shard>,
    ) -> Result<Self, JournalError> {
        let io = |error| JournalError::Io(path.to_owned(), error);
        let is_there = path.metadata().is_ok_and(|metadata| metadata.len() > 0);
        match (mode, is_there) {
            (Mode::New, true) => return Err(JournalError::Exists(path.to_owned())),
            (Mode::Resume, false) if !path.exists() => {
                return Err(JournalError::Missing(path.to_owned()));
            }
            _ => {}
        }
        check_file(path)?;
        let lock = File::options().create(true).append(true).open(path).map_err(io)?;
        if flock(&lock, FlockOperation::NonBlockingLockExclusive).is_err() {
            return Err(JournalError::InUse(path.to_owned()));
        }
        let db = Connection::open(path).map_err(|error| JournalError::of(path, error))?;
        let shard = shard.map_or((1, 1), |shard| (shard.index(), shard.count()));
        let journal = Self { db, _lock: lock, path: path.to_owned(), shard };
        journal.set_up().map_err(|error| journal.error(error))?;
        // A campaign that was killed at once has left a file without tables.
        match is_there && !journal.is_blank().map_err(|error| journal.error(error))? {
            false => journal.create(identity, subjects).map_err(|error| journal.error(error))?,
            true => journal.check(identity, subjects)?,
        }
        Ok(journal)
    }

    /// The number of milliseconds that a user's query may hold up a commit.
    const PATIENCE: std::time::Duration = std::time::Duration::from_secs(30);

    fn set_up(&self) -> rusqlite::Result<()> {
        self.db.busy_timeout(Self::PATIENCE)?;
        // Each commit is on disk before it counts; the batches make that cheap.
        self.db.execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -16384;",
        )
    }

    fn is_blank(&self) -> rusqlite::Result<bool> {
        let count = "SELECT count(*) FROM sqlite_master";
        self.db.query_row(count, [], |row| Ok(row.get::<_, i64>(0)? == 0))
    }

    fn create(&self, identity: &Identity, subjects: &[SubjectRow]) -> rusqlite::Result<()> {
        let transaction = self.db.unchecked_transaction()?;
        self.db.execute_batch(schema::TABLES)?;
        self.db.pragma_update(None, "application_id", schema::APPLICATION)?;
        self.db.pragma_update(None, "user_version", schema::VERSION)?;
        for verdict in Verdict::all() {
            let row = params![verdict.number() as i64, verdict.name()];
            self.db.execute("INSERT INTO verdict_names VALUES (?, ?)", row)?;
        }
        for (key, value) in identity {
            self.db.execute("INSERT INTO campaign VALUES (?, ?)", params![key, value])?;
        }
        for (number, subject) in subjects.iter().enumerate() {
            let SubjectRow { name, program, oracle } = subject;
            let row = params![number as i64, name, program, oracle];
            self.db.execute("INSERT INTO subjects VALUES (?, ?, ?, ?)", row)?;
        }
        let (index, count) = self.shard;
        let row = params![signed(index), signed(count)];
        self.db.execute("INSERT INTO shards VALUES (?, ?, 0, 0)", row)?;
        transaction.commit()
    }

    /// Whether this is the journal of this campaign.
    fn check(&self, identity: &Identity, subjects: &[SubjectRow]) -> Result<(), JournalError> {
        read::check_version(&self.db, &self.path)?;
        let other = |key: &str, there: String, here: String| {
            let (path, key) = (self.path.clone(), key.to_owned());
            JournalError::OtherCampaign { path, key, there, here }
        };
        for (key, here) in identity.iter().filter(|(key, _)| *key != GRAMMAR_FILE) {
            let there = read::value(&self.db, key).map_err(|error| self.error(error))?;
            let there = there.unwrap_or_else(|| "not known".to_owned());
            if there != *here {
                return Err(other(key, there, here.clone()));
            }
        }
        let there = read::subjects(&self.db).map_err(|error| self.error(error))?;
        if there != subjects {
            let words = |all: &[SubjectRow]| {
                all.iter().map(|one| one.program.clone()).collect::<Vec<_>>().join(", ")
            };
            return Err(other("program", words(&there), words(subjects)));
        }
        let (index, count) = self.shard;
        let has = "SELECT count(*) FROM shards WHERE shard = ? AND of = ?";
        let here = self
            .db
            .query_row(has, params![signed(index), signed(count)], |row| row.get::<_, i64>(0));
        match here.map_err(|error| self.error(error))? {
            0 => Err(other("shard", "another one".to_owned(), format!("{index}/{count}"))),
            _ => Ok(()),
        }
    }

    fn error(&self, error: rusqlite::Error) -> JournalError {
        JournalError::of(&self.path, error)
    }

    /// The database, for reading.
    #[must_use]
    pub fn database(&self) -> &Connection {
        &self.db
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Which tests are done already. Only those beyond the point up to which all are done are looked at one by one.
    ///
    /// # Errors
    /// If the database fails.
    pub fn done(&self) -> Result<Done, JournalError> {
        let done = || -> rusqlite::Result<Done> {
            let (index, count) = self.shard;
            let through: i64 = self.db.query_row(
                "SELECT done_through FROM shards WHERE shard = ? AND of = ?",
                params![signed(index), signed(count)],
                |row| row.get(0),
            )?;
            // The last subject of a test is written with the others, in one transaction.
            let beyond = "SELECT test FROM verdicts WHERE subject = 0 AND test > ? ORDER BY test";
            let mut beyond = self.db.prepare(beyond)?;
            let beyond = beyond.query_map([through], |row| row.get::<_, i64>(0))?;
            let beyond = beyond.map(|test| test.map(i64::unsigned_abs));
            Ok(Done { through: through.unsigned_abs(), beyond: beyond.collect::<Result<_, _>>()? })
        };
        done().map_err(|error| self.error(error))
    }

    /// Keeps tests with their verdicts, all or none, and the number up to which all tests are done.
    ///
    /// # Errors
    /// If the database fails; then nothing of the batch is kept.
    pub fn commit<'e>(
        &self,
        batch: impl Iterator<Item = (&'e Case, Vec<Entry<'e>>)>,
        through: u64,
    ) -> Result<(), JournalError> {
        let write = || -> rusqlite::Result<()> {
            let transaction = self.db.unchecked_transaction()?;
            let mut counts: Vec<Counts> = Vec::new();
            for (case, entries) in batch {
                self.put_test(case)?;
                for entry in &entries {
                    self.put_verdict(case.id, entry)?;
                    let subjects = counts.len().max(entry.subject + 1);
                    counts.resize(subjects, Counts::default());
                    counts[entry.subject].add(entry.judgement.verdict, 1);
                }
            }
            self.add_totals(&counts)?;
            let (index, count) = self.shard;
            let row = params![signed(through), signed(index), signed(count)];
            let update = "UPDATE shards SET done_through = ? WHERE shard = ? AND of = ?";
            self.db.prepare_cached(update)?.execute(row)?;
            transaction.commit()
        };
        write().map_err(|error| self.error(error))
    }

    /// Counts verdicts beside the table that holds them: to count millions of rows takes seconds.
    fn add_totals(&self, counts: &[Counts]) -> rusqlite::Result<()> {
        let add = "INSERT INTO totals VALUES (?, ?, ?) \
            ON CONFLICT DO UPDATE SET tests = tests + excluded.tests";
        let mut add = self.db.prepare_cached(add)?;
        for (subject, counts) in counts.iter().enumerate() {
            for verdict in Verdict::all().filter(|&verdict| counts.of(verdict) > 0) {
                let tests = signed(counts.of(verdict));
                add.execute(params![subject as i64, verdict.number() as i64, tests])?;
            }
        }
        Ok(())
    }

    fn put_test(&self, case: &Case) -> rusqlite::Result<()> {
        let insert = "INSERT OR IGNORE INTO tests VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
        let place = case.expect.place();
        self.db.prepare_cached(insert)?.execute(params![
            signed(case.id),
            case.name,
            case.content,
            case.expect.as_str(),
            place.map(|place| signed(place.byte)),
            place.map(|place| signed(place.line)),
            place.map(|place| signed(place.column)),
            case.target,
            case.mutation,
            signed(case.covers),
        ])?;
        Ok(())
    }

    fn put_verdict(&self, test: u64, entry: &Entry<'_>) -> rusqlite::Result<()> {
        let Entry { subject, judgement, seen } = entry;
        let (subject, test) = (*subject as i64, signed(test));
        let micros = i64::try_from(seen.time.as_micros()).unwrap_or(i64::MAX);
        let insert = "INSERT INTO verdicts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
        self.db.prepare_cached(insert)?.execute(params![
            subject,
            test,
            judgement.verdict.number() as i64,
            judgement.response.name(),
            judgement.ending,
            judgement.signature,
            judgement.place.map(|(line, _)| signed(line)),
            judgement.place.and_then(|(_, column)| column.map(signed)),
            micros,
        ])?;
        if judgement.verdict.is_finding() {
            let insert = "INSERT INTO outputs VALUES (?, ?, ?, ?, ?)";
            let row = params![subject, test, seen.stdout, seen.stderr, seen.is_cut];
            self.db.prepare_cached(insert)?.execute(row)?;
        }
        Ok(())
    }

    /// Whether all tests of the shard are done.
    ///
    /// # Errors
    /// If the database fails.
    pub fn is_finished(&self) -> Result<bool, JournalError> {
        let rows = read::shards(&self.db).map_err(|error| self.error(error))?;
        Ok(rows.iter().any(|row| (row.shard, row.of) == self.shard && row.is_finished))
    }

    /// Notes that all tests of the shard are done.
    ///
    /// # Errors
    /// If the database fails.
    pub fn finish(&self) -> Result<(), JournalError> {
        let (index, count) = self.shard;
        let row = params![signed(index), signed(count)];
        let update = "UPDATE shards SET finished = 1 WHERE shard = ? AND of = ?";
        self.db.execute(update, row).map(|_| ()).map_err(|error| self.error(error))
    }
}

/// Opens a journal to read from, while a campaign may write to it.
///
/// # Errors
/// If it is no journal of this version.
pub fn open_to_read(path: &Path) -> Result<Connection, JournalError> {
    if !path.exists() {
        return Err(JournalError::Missing(path.to_owned()));
    }
    check_file(path)?;
    let db = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)
        .map_err(|error| JournalError::of(path, error))?;
    read::check_version(&db, path)?;
    Ok(db)
}

/// Refuses to open what is there and no regular file: a FIFO waits for a writer, and a device never ends.
pub(crate) fn check_file(path: &Path) -> Result<(), JournalError> {
    let io = |error| JournalError::Io(path.to_owned(), error);
    if path.exists() { files::check(path).map_err(io) } else { Ok(()) }
}

/// Opens a finished journal to note more in it.
///
/// # Errors
/// If it is no journal of this version.
pub fn open_to_change(path: &Path) -> Result<Connection, JournalError> {
    drop(open_to_read(path)?);
    Connection::open(path).map_err(|error| JournalError::of(path, error))
}

/// SQLite knows signed numbers only; ours stay far below the difference.
pub(crate) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

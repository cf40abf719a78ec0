//! What reporters show: the counts of a campaign, its groups, and how to walk through its tests.

use std::path::{Path, PathBuf};

use gramercy_language::Language;
use rusqlite::Connection;

use crate::case::Case;
use crate::journal::read::{self, ShardRow};
use crate::journal::{JournalError, open_to_read};
use crate::oracle::Judgement;
use crate::triage::Element;
use crate::verdict::{Counts, Verdict};

/// A finding with what the program wrote.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The test.
    pub case: Case,
    /// What was said about it.
    pub judgement: Judgement,
    /// The beginning of the program's standard output.
    pub stdout: Vec<u8>,
    /// The beginning of its standard error.
    pub stderr: Vec<u8>,
}

/// Findings that seem to have one cause.
#[derive(Clone, Debug)]
pub struct Group {
    /// The number of the subject.
    pub subject: usize,
    /// The verdict of all its tests.
    pub verdict: Verdict,
    /// How the program ended.
    pub ending: String,
    /// What is characteristic of its output.
    pub signature: String,
    /// Why these tests belong together, in words.
    pub reason: String,
    /// What they share and others lack, the most telling first.
    pub elements: Vec<Element>,
    /// How many tests there are.
    pub tests: u64,
    /// Their numbers, the smallest test first; not more than are worth to be listed.
    pub members: Vec<u64>,
    /// The smallest one.
    pub smallest: Finding,
}

impl Group {
    /// One line that names the group.
    #[must_use]
    pub fn title(&self) -> String {
        match self.signature.is_empty() {
            true => self.ending.clone(),
            false => format!("{}: {}", self.ending, self.signature),
        }
    }
}

/// The result of a campaign.
#[derive(Debug)]
pub struct Report {
    /// Its database.
    pub database: Connection,
    /// The file.
    pub path: PathBuf,
    /// The names of the subjects.
    pub subjects: Vec<String>,
    /// Of each subject, how many tests have each verdict.
    pub counts: Vec<Counts>,
    /// The groups of all subjects.
    pub groups: Vec<Group>,
    /// The parts of the campaign that are here.
    pub shards: Vec<ShardRow>,
    /// Keys and values that describe the campaign.
    pub campaign: Vec<(String, String)>,
}

impl Report {
    /// The report of a journal. With the language, findings are grouped by the elements of the grammar too.
    ///
    /// # Errors
    /// If the database fails.
    pub fn read(path: &Path, language: Option<&Language>) -> Result<Self, JournalError> {
        let database = open_to_read(path)?;
        let fill = || -> rusqlite::Result<_> {
            let subjects = read::subjects(&database)?;
            let counts: Vec<Counts> = (0..subjects.len())
                .map(|subject| read::counts(&database, subject))
                .collect::<Result<_, _>>()?;
            let mut groups = Vec::new();
            for subject in 0..subjects.len() {
                groups.extend(crate::triage::groups(&database, subject, language)?);
            }
            let names: Vec<String> = subjects.into_iter().map(|subject| subject.name).collect();
            Ok((names, counts, groups, read::shards(&database)?, read::values(&database)?))
        };
        let filled = fill().map_err(|error| JournalError::Database(path.to_owned(), error));
        let (subjects, counts, groups, shards, campaign) = filled?;
        let path = path.to_owned();
        Ok(Self { database, path, subjects, counts, groups, shards, campaign })
    }

    /// The number of tests.
    #[must_use]
    pub fn tests(&self) -> u64 {
        self.counts.iter().map(Counts::total).max().unwrap_or(0)
    }

    /// Verdicts of all subjects together.
    #[must_use]
    pub fn total(&self) -> Counts {
        let mut total = Counts::default();
        for counts in &self.counts {
            Verdict::all().for_each(|verdict| total.add(verdict, counts.of(verdict)));
        }
        total
    }

    /// A value that describes the campaign.
    #[must_use]
    pub fn value(&self, key: &str) -> Option<&str> {
        self.campaign.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }
}

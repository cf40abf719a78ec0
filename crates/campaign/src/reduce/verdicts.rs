//! All verdicts so far, by content; in a file too, so that a reduction can be continued.
//!
//! The file is a list of lines: what the reduction is about, then a fingerprint and a verdict for each text. A line is
//! written as soon as its verdict is known. A reduction that is started again finds the verdicts of all texts that it
//! asked about before, so it comes to the place where it stopped without running anything.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

use gramercy_base::{Fingerprint, Map, files};

/// The first word of a file.
const MAGIC: &str = "gramercy-reduce-1";

/// A fingerprint of a text.
pub(super) type Key = u128;

pub(super) fn key(content: &[u8]) -> Key {
    let mut print = Fingerprint::default();
    print.add_bytes(content);
    print.finish()
}

/// Verdicts by content.
#[derive(Debug, Default)]
pub struct Verdicts {
    known: Map<Key, bool>,
    file: Option<File>,
}

/// Why a file of verdicts cannot be used.
#[derive(Debug)]
pub enum VerdictsError {
    /// It is something else.
    NotVerdicts,
    /// It is about another reduction.
    Other,
    /// It cannot be read or written.
    Io(io::Error),
}

impl From<io::Error> for VerdictsError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl Verdicts {
    /// A new file of verdicts about something.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn create(path: &Path, about: &str) -> Result<Self, VerdictsError> {
        let mut file = File::create(path)?;
        writeln!(file, "{MAGIC} {about}")?;
        Ok(Self { known: Map::default(), file: Some(file) })
    }

    /// The verdicts of a file, to which further ones are added.
    ///
    /// # Errors
    /// If it is no such file, or about something else.
    pub fn resume(path: &Path, about: &str) -> Result<Self, VerdictsError> {
        let mut lines = BufReader::new(files::open(path)?).split(b'\n');
        let first = lines.next().transpose()?.unwrap_or_default();
        let first = String::from_utf8_lossy(&first).into_owned();
        match first.split_once(' ') {
            Some((MAGIC, there)) if there == about => {}
            Some((MAGIC, _)) => return Err(VerdictsError::Other),
            _ => return Err(VerdictsError::NotVerdicts),
        }
        let mut known = Map::default();
        let mut bytes = first.len() as u64 + 1;
        for line in lines {
            let line = line?;
            // The last line may be cut off.
            let Some((key, verdict)) = parse(&line) else { break };
            known.insert(key, verdict);
            bytes += line.len() as u64 + 1;
        }
        let file = OpenOptions::new().append(true).open(path)?;
        file.set_len(bytes)?;
        Ok(Self { known, file: Some(file) })
    }

    /// The number of verdicts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Notes that a text is interesting, without a run.
    pub fn assume(&mut self, content: &[u8]) {
        self.known.insert(key(content), true);
    }

    pub(super) fn get(&self, key: Key) -> Option<bool> {
        self.known.get(&key).copied()
    }

    pub(super) fn add(&mut self, key: Key, is_interesting: bool) -> io::Result<()> {
        self.known.insert(key, is_interesting);
        match &mut self.file {
            Some(file) => writeln!(file, "{key:032x} {}", u8::from(is_interesting)),
            None => Ok(()),
        }
    }
}

fn parse(line: &[u8]) -> Option<(Key, bool)> {
    let line = std::str::from_utf8(line).ok()?;
    let (key, verdict) = line.split_once(' ')?;
    let key = (key.len() == 32).then(|| Key::from_str_radix(key, 16).ok()).flatten()?;
    match verdict {
        "0" => Some((key, false)),
        "1" => Some((key, true)),
        _ => None,
    }
}

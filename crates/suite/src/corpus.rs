//! Inputs that people already have: files, folders, patterns, archives, NDJSON, standard input.
//!
//! Inputs come in a fixed order (arguments as given, folders sorted by name) and one at a time. What
//! cannot be read is an error of its own in that order, and the rest is still read.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;

use crate::document::{Error, Mutation};
use crate::manifest;

/// One input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Its name: a path, an archive's path with that of the entry, or what NDJSON calls it.
    pub name: String,
    /// Its bytes.
    pub content: Vec<u8>,
    /// What a program ought to say to it, if the corpus tells.
    pub expect: Option<Expectation>,
    /// How it was made from another input, if the corpus tells.
    pub mutation: Option<Box<Mutation<'static>>>,
}

/// What a program ought to say to an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expectation {
    /// It is in the language.
    Accept,
    /// It is not. Of its first error, what the corpus tells.
    Reject(Box<Error<'static>>),
}

impl Input {
    /// An input of which nothing is expected.
    #[must_use]
    pub fn new(name: String, content: Vec<u8>) -> Self {
        Self { name, content, expect: None, mutation: None }
    }

    /// The text, if it is UTF-8.
    ///
    /// # Errors
    /// The first byte that is not.
    pub fn text(&self) -> Result<&str, usize> {
        std::str::from_utf8(&self.content).map_err(|error| error.valid_up_to())
    }
}

/// Something that could not be read.
#[derive(Debug)]
pub struct CorpusError {
    /// What: an argument, a file, an entry, a line.
    pub name: String,
    /// Why, without a final period.
    pub reason: String,
}

impl std::fmt::Display for CorpusError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.name, self.reason)
    }
}

impl std::error::Error for CorpusError {}

/// The inputs that some arguments stand for.
#[derive(Clone, Debug)]
pub struct Corpus {
    arguments: Vec<String>,
}

type Visit<'v> = dyn FnMut(Result<Input, CorpusError>) -> ControlFlow<()> + 'v;

impl Corpus {
    /// The inputs of arguments: a file, a folder, a pattern with `*`, an archive (`.tar`, `.tar.gz`,
    /// `.tar.zst`, `.zip`), an NDJSON file (`.ndjson`, `.jsonl`), or `-` for standard input.
    #[must_use]
    pub fn new(arguments: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { arguments: arguments.into_iter().map(Into::into).collect() }
    }

    /// Calls `visit` for every input, in order, until it breaks off.
    pub fn for_each(&self, mut visit: impl FnMut(Result<Input, CorpusError>) -> ControlFlow<()>) {
        for argument in &self.arguments {
            if read_argument(argument, &mut visit).is_break() {
                return;
            }
        }
    }
}

fn read_argument(argument: &str, visit: &mut Visit<'_>) -> ControlFlow<()> {
    let path = Path::new(argument);
    if argument == "-" {
        return read_all(io::stdin().lock(), "standard input".to_owned(), visit);
    }
    if !path.exists() && argument.contains(['*', '?', '[']) {
        return read_pattern(argument, visit);
    }
    read_path(path, visit)
}

fn read_pattern(pattern: &str, visit: &mut Visit<'_>) -> ControlFlow<()> {
    let paths = match glob::glob(pattern) {
        Ok(paths) => paths,
        Err(error) => return visit(Err(failed(pattern, error))),
    };
    let mut found = false;
    for path in paths {
        found = true;
        match path {
            Ok(path) => read_path(&path, visit)?,
            Err(error) => visit(Err(failed(pattern, error)))?,
        }
    }
    if !found {
        return visit(Err(failed(pattern, "no file matches this pattern")));
    }
    ControlFlow::Continue(())
}

fn read_path(path: &Path, visit: &mut Visit<'_>) -> ControlFlow<()> {
    let name = path.display().to_string();
    if path.is_dir() {
        return read_folder(path, visit);
    }
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) => return visit(Err(failed(&name, error))),
    };
    let is = |ending: &str| name.ends_with(ending);
    if is(".ndjson") || is(".jsonl") {
        read_lines(BufReader::new(file), &name, visit)
    } else if is(".zip") {
        read_zip(file, &name, visit)
    } else if is(".tar") {
        read_tar(file, &name, visit)
    } else if is(".tar.gz") || is(".tgz") {
        read_tar(flate2::read::GzDecoder::new(file), &name, visit)
    } else if is(".tar.zst") {
        match zstd::Decoder::new(file) {
            Ok(decoder) => read_tar(decoder, &name, visit),
            Err(error) => visit(Err(failed(&name, error))),
        }
    } else {
        read_all(file, name, visit)
    }
}

fn read_folder(path: &Path, visit: &mut Visit<'_>) -> ControlFlow<()> {
    let name = path.display().to_string();
    let entries: io::Result<Vec<PathBuf>> = std::fs::read_dir(path)
        .and_then(|entries| entries.map(|entry| entry.map(|entry| entry.path())).collect());
    match entries {
        Err(error) => visit(Err(failed(&name, error))),
        Ok(entries) if entries.is_empty() => visit(Err(failed(&name, "the folder is empty"))),
        Ok(mut entries) => {
            // How a suite was made is no test of it.
            entries.retain(|entry| !manifest::is_manifest(entry));
            entries.sort();
            entries.iter().try_for_each(|entry| read_path(entry, visit))
        }
    }
}

fn read_all(mut from: impl Read, name: String, visit: &mut Visit<'_>) -> ControlFlow<()> {
    let mut content = Vec::new();
    match from.read_to_end(&mut content) {
        Ok(_) => visit(Ok(Input::new(name, content))),
        Err(error) => visit(Err(failed(&name, error))),
    }
}

/// A line of NDJSON. Other members of the object do not matter.
#[derive(Deserialize)]
struct Line {
    name: Option<serde_json::Value>,
    id: Option<serde_json::Value>,
    text: Option<String>,
    bytes: Option<String>,
    expect: Option<String>,
    mutation: Option<Box<Mutation<'static>>>,
    #[serde(default)]
    error: Error<'static>,
}

impl Line {
    /// The input of a line of a file.
    fn input(self, file: &str, number: u64) -> Result<Input, CorpusError> {
        let place = || format!("{file}:{number}");
        let called = self.name.or(self.id).map(|name| match name {
            serde_json::Value::String(name) => name,
            other => other.to_string(),
        });
        let content = match (self.text, self.bytes) {
            (Some(text), _) => text.into_bytes(),
            (None, Some(bytes)) => {
                STANDARD.decode(bytes).map_err(|error| failed(&place(), error))?
            }
            (None, None) => return Err(failed(&place(), "it has neither `text` nor `bytes`")),
        };
        let expect = match self.expect.as_deref() {
            None => None,
            Some("accept") => Some(Expectation::Accept),
            Some("reject") => Some(Expectation::Reject(Box::new(self.error))),
            Some(other) => {
                let reason = format!("`expect` is accept or reject, not `{other}`");
                return Err(failed(&place(), reason));
            }
        };
        let name = called.map_or_else(place, |called| format!("{file}:{called}"));
        Ok(Input { name, content, expect, mutation: self.mutation })
    }
}

fn read_lines(mut from: impl BufRead, file: &str, visit: &mut Visit<'_>) -> ControlFlow<()> {
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        let place = || format!("{file}:{number}");
        match from.read_until(b'\n', &mut line) {
            Err(error) => return visit(Err(failed(&place(), error))),
            Ok(0) => break,
            Ok(_) if line.trim_ascii().is_empty() => continue,
            Ok(_) => {}
        }
        let read = serde_json::from_slice::<Line>(&line).map_err(|error| failed(&place(), error));
        visit(read.and_then(|line| line.input(file, number)))?;
    }
    ControlFlow::Continue(())
}

fn read_tar(from: impl Read, name: &str, visit: &mut Visit<'_>) -> ControlFlow<()> {
    let mut archive = tar::Archive::new(from);
    let entries = match archive.entries() {
        Ok(entries) => entries,
        Err(error) => return visit(Err(failed(name, error))),
    };
    for entry in entries {
        match entry {
            Err(error) => return visit(Err(failed(name, error))),
            Ok(entry) if entry.header().entry_type().is_file() => {
                let within = entry.path().map(|path| path.display().to_string());
                let within = within.unwrap_or_else(|_| "an entry without a name".to_owned());
                read_all(entry, format!("{name}/{within}"), visit)?;
            }
            Ok(_) => {}
        }
    }
    ControlFlow::Continue(())
}

fn read_zip(file: File, name: &str, visit: &mut Visit<'_>) -> ControlFlow<()> {
    let mut archive = match zip::ZipArchive::new(file) {
        Ok(archive) => archive,
        Err(error) => return visit(Err(failed(name, error))),
    };
    for index in 0..archive.len() {
        match archive.by_index(index) {
            Err(error) => visit(Err(failed(name, error)))?,
            Ok(entry) if entry.is_file() => {
                let within = entry.name().map(std::borrow::Cow::into_owned);
                let within = within.unwrap_or_else(|_| "an entry without a name".to_owned());
                read_all(entry, format!("{name}/{within}"), visit)?;
            }
            Ok(_) => {}
        }
    }
    ControlFlow::Continue(())
}

fn failed(name: &str, reason: impl std::fmt::Display) -> CorpusError {
    CorpusError { name: name.to_owned(), reason: reason.to_string() }
}

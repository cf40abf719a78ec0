//! Inputs that people already have: files, folders, patterns, archives, NDJSON, standard input.
//!
//! Inputs come in a fixed order (arguments as given, folders sorted by name) and one at a time. What
//! cannot be read is an error of its own in that order, and the rest is still read.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use gramercy_base::{Encoding, files};
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
    /// How they encode text.
    pub encoding: Encoding,
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
    /// An input in UTF-8 of which nothing is expected.
    #[must_use]
    pub fn new(name: String, content: Vec<u8>) -> Self {
        Self { name, content, encoding: Encoding::UTF_8, expect: None, mutation: None }
    }

    /// The text.
    ///
    /// # Errors
    /// The first byte that is not text in the input's encoding.
    pub fn text(&self) -> Result<Cow<'_, str>, usize> {
        self.encoding.decode(&self.content)
    }

    /// Where in the input's bytes a place of its text is.
    #[must_use]
    pub fn byte_of(&self, text: &str, at: usize) -> usize {
        self.encoding.byte_in(&self.content, text, at)
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

/// Bytes of one input, unless the caller says otherwise.
const INPUT_BYTES: usize = 256 << 20;

/// A pattern for the names of files in folders and archives: `*.json`, `*/big/*`.
///
/// A pattern without a slash is compared with the file's own name, another one with its whole path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamePattern(glob::Pattern);

impl std::str::FromStr for NamePattern {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        glob::Pattern::new(text).map(Self).map_err(|error| error.to_string())
    }
}

impl NamePattern {
    fn matches(&self, path: &str) -> bool {
        let name = match self.0.as_str().contains('/') {
            true => path,
            false => path.rsplit('/').next().unwrap_or(path),
        };
        self.0.matches(name)
    }
}

/// The inputs that some arguments stand for.
#[derive(Clone, Debug)]
pub struct Corpus {
    arguments: Vec<String>,
    include: Vec<NamePattern>,
    exclude: Vec<NamePattern>,
    /// The most bytes of one input.
    limit: usize,
    encoding: Encoding,
}

type Visit<'v> = dyn FnMut(Result<Input, CorpusError>) -> ControlFlow<()> + 'v;

impl Corpus {
    /// The inputs of arguments: a file, a folder, a pattern with `*`, an archive (`.tar`, `.tar.gz`,
    /// `.tar.zst`, `.zip`), an NDJSON file (`.ndjson`, `.jsonl`), or `-` for standard input.
    #[must_use]
    pub fn new(arguments: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let arguments = arguments.into_iter().map(Into::into).collect();
        let (include, exclude) = (Vec::new(), Vec::new());
        Self { arguments, include, exclude, limit: INPUT_BYTES, encoding: Encoding::UTF_8 }
    }

    /// Of the files in folders and archives only those that match one of the first patterns, if there
    /// are any, and none of the second. Files that an argument names itself are always read.
    #[must_use]
    pub fn only(mut self, include: &[NamePattern], exclude: &[NamePattern]) -> Self {
        (self.include, self.exclude) = (include.to_vec(), exclude.to_vec());
        self
    }

    /// Inputs with more bytes than this are errors.
    #[must_use]
    pub fn with_limit(mut self, bytes: usize) -> Self {
        self.limit = bytes;
        self
    }

    /// Inputs are encoded like this. Texts in NDJSON are always UTF-8.
    #[must_use]
    pub fn with_encoding(mut self, encoding: Encoding) -> Self {
        self.encoding = encoding;
        self
    }

    /// Calls `visit` for every input, in order, until it breaks off.
    pub fn for_each(&self, mut visit: impl FnMut(Result<Input, CorpusError>) -> ControlFlow<()>) {
        for argument in &self.arguments {
            let mut walk = Walk { corpus: self, folders: Vec::new(), visited: 0 };
            if walk.argument(argument, &mut visit).is_break() {
                return;
            }
        }
    }

    fn includes(&self, path: &str) -> bool {
        let any = |patterns: &[NamePattern]| patterns.iter().any(|pattern| pattern.matches(path));
        (self.include.is_empty() || any(&self.include)) && !any(&self.exclude)
    }
}

/// The way through the files of one argument.
struct Walk<'c> {
    corpus: &'c Corpus,
    /// The folders around the place, without symbolic links, so that one in itself is noticed.
    folders: Vec<PathBuf>,
    /// How many inputs and errors there were.
    visited: u64,
}

impl Walk<'_> {
    fn argument(&mut self, argument: &str, visit: &mut Visit<'_>) -> ControlFlow<()> {
        let path = Path::new(argument);
        if argument == "-" {
            return self.all(io::stdin().lock(), "standard input".to_owned(), visit);
        }
        if !path.exists() && argument.contains(['*', '?', '[']) {
            self.pattern(argument, visit)?;
        } else {
            self.path(path, visit)?;
        }
        match self.visited {
            0 => self.failed(argument, "no file of it is included", visit),
            _ => ControlFlow::Continue(()),
        }
    }

    fn failed(
        &mut self,
        name: &str,
        reason: impl std::fmt::Display,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<()> {
        self.visited += 1;
        visit(Err(failed(name, reason)))
    }

    fn pattern(&mut self, pattern: &str, visit: &mut Visit<'_>) -> ControlFlow<()> {
        let paths = match glob::glob(pattern) {
            Ok(paths) => paths,
            Err(error) => return self.failed(pattern, error, visit),
        };
        let mut found = false;
        for path in paths {
            found = true;
            match path {
                Ok(path) => self.entry(&path, visit)?,
                Err(error) => self.failed(pattern, error, visit)?,
            }
        }
        if !found {
            return self.failed(pattern, "no file matches this pattern", visit);
        }
        ControlFlow::Continue(())
    }

    /// A path that was found, not named.
    fn entry(&mut self, path: &Path, visit: &mut Visit<'_>) -> ControlFlow<()> {
        match path.is_dir() || self.corpus.includes(&path.to_string_lossy()) {
            true => self.path(path, visit),
            false => ControlFlow::Continue(()),
        }
    }

    fn path(&mut self, path: &Path, visit: &mut Visit<'_>) -> ControlFlow<()> {
        let name = path.display().to_string();
        if path.is_dir() {
            return self.folder(path, visit);
        }
        let file = match files::open(path) {
            Ok(file) => file,
            Err(error) => return self.failed(&name, error, visit),
        };
        let is = |ending: &str| name.ends_with(ending);
        if is(".ndjson") || is(".jsonl") {
            self.lines(BufReader::new(file), &name, visit)
        } else if is(".zip") {
            self.zip(file, &name, visit)
        } else if is(".tar") {
            self.tar(file, &name, visit)
        } else if is(".tar.gz") || is(".tgz") {
            self.tar(flate2::read::GzDecoder::new(file), &name, visit)
        } else if is(".tar.zst") {
            match zstd::Decoder::new(file) {
                Ok(decoder) => self.tar(decoder, &name, visit),
                Err(error) => self.failed(&name, error, visit),
            }
        } else {
            self.all(file, name, visit)
        }
    }

    fn folder(&mut self, path: &Path, visit: &mut Visit<'_>) -> ControlFlow<()> {
        let name = path.display().to_string();
        let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if self.folders.contains(&real) {
            return self.failed(&name, "the folder is inside itself", visit);
        }
        let entries: io::Result<Vec<PathBuf>> = std::fs::read_dir(path)
            .and_then(|entries| entries.map(|entry| entry.map(|entry| entry.path())).collect());
        match entries {
            Err(error) => self.failed(&name, error, visit),
            Ok(entries) if entries.is_empty() => self.failed(&name, "the folder is empty", visit),
            Ok(mut entries) => {
                // How a suite was made is no test of it.
                entries.retain(|entry| !manifest::is_manifest(entry));
                entries.sort();
                self.folders.push(real);
                let flow = entries.iter().try_for_each(|entry| self.entry(entry, visit));
                self.folders.pop();
                flow
            }
        }
    }

    fn all(&mut self, from: impl Read, name: String, visit: &mut Visit<'_>) -> ControlFlow<()> {
        match files::read_all(from, self.corpus.limit) {
            Ok(content) => {
                self.visited += 1;
                let encoding = self.corpus.encoding;
                visit(Ok(Input { encoding, ..Input::new(name, content) }))
            }
            Err(error) => self.failed(&name, error, visit),
        }
    }

    fn lines(
        &mut self,
        mut from: impl BufRead,
        file: &str,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<()> {
        self.visited += 1;
        let limit = self.corpus.limit;
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            let place = || format!("{file}:{number}");
            match from.by_ref().take(limit as u64 + 1).read_until(b'\n', &mut line) {
                Err(error) => return visit(Err(failed(&place(), error))),
                Ok(0) => break,
                Ok(length) if length > limit => {
                    return visit(Err(failed(&place(), files::too_large(limit))));
                }
                Ok(_) if line.trim_ascii().is_empty() => continue,
                Ok(_) => {}
            }
            let read =
                serde_json::from_slice::<Line>(&line).map_err(|error| failed(&place(), error));
            visit(read.and_then(|line| line.input(file, number, self.corpus.encoding)))?;
        }
        ControlFlow::Continue(())
    }

    fn tar(&mut self, from: impl Read, name: &str, visit: &mut Visit<'_>) -> ControlFlow<()> {
        let mut archive = tar::Archive::new(from);
        let entries = match archive.entries() {
            Ok(entries) => entries,
            Err(error) => return self.failed(name, error, visit),
        };
        for entry in entries {
            match entry {
                Err(error) => return self.failed(name, error, visit),
                Ok(entry) if entry.header().entry_type().is_file() => {
                    let within = entry.path().map(|path| path.display().to_string());
                    let within = within.unwrap_or_else(|_| "an entry without a name".to_owned());
                    if self.corpus.includes(&within) {
                        self.all(entry, format!("{name}/{within}"), visit)?;
                    }
                }
                Ok(_) => {}
            }
        }
        ControlFlow::Continue(())
    }

    fn zip(&mut self, file: File, name: &str, visit: &mut Visit<'_>) -> ControlFlow<()> {
        let mut archive = match zip::ZipArchive::new(file) {
            Ok(archive) => archive,
            Err(error) => return self.failed(name, error, visit),
        };
        for index in 0..archive.len() {
            match archive.by_index(index) {
                Err(error) => self.failed(name, error, visit)?,
                Ok(entry) if entry.is_file() => {
                    let within = entry.name().map(Cow::into_owned);
                    let within = within.unwrap_or_else(|_| "an entry without a name".to_owned());
                    if self.corpus.includes(&within) {
                        self.all(entry, format!("{name}/{within}"), visit)?;
                    }
                }
                Ok(_) => {}
            }
        }
        ControlFlow::Continue(())
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
    fn input(self, file: &str, number: u64, encoding: Encoding) -> Result<Input, CorpusError> {
        let place = || format!("{file}:{number}");
        let called = self.name.or(self.id).map(|name| match name {
            serde_json::Value::String(name) => name,
            other => other.to_string(),
        });
        let (content, encoding) = match (self.text, self.bytes) {
            (Some(text), _) => (text.into_bytes(), Encoding::UTF_8),
            (None, Some(bytes)) => {
                let bytes = STANDARD.decode(bytes).map_err(|error| failed(&place(), error))?;
                (bytes, encoding)
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
        Ok(Input { name, content, encoding, expect, mutation: self.mutation })
    }
}

fn failed(name: &str, reason: impl std::fmt::Display) -> CorpusError {
    CorpusError { name: name.to_owned(), reason: reason.to_string() }
}

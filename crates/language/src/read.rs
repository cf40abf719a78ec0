//! From a grammar file to a language.

use std::fmt;
use std::path::Path;

use gramercy_base::{Diagnostic, LimitReached};
use gramercy_formats::{Disk, Files, LoadOptions, Memory, load};

use crate::language::Language;

/// Why a file yields no language.
#[derive(Clone, Debug)]
pub enum ReadError {
    /// The grammar has errors, or the file cannot be read.
    Grammar(Vec<Diagnostic>),
    /// A limit was reached.
    Limit(LimitReached),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Grammar(diagnostics) => {
                let messages = diagnostics.iter().map(|diagnostic| &*diagnostic.message);
                f.write_str(&messages.collect::<Vec<_>>().join("; "))
            }
            ReadError::Limit(limit) => limit.fmt(f),
        }
    }
}

impl std::error::Error for ReadError {}

impl From<LimitReached> for ReadError {
    fn from(limit: LimitReached) -> Self {
        ReadError::Limit(limit)
    }
}

impl Language {
    /// Reads a grammar file. Its extension determines the notation.
    ///
    /// # Errors
    /// If the file contains no valid grammar, or the grammar exceeds the default limits.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, ReadError> {
        Self::read_with(path, &LoadOptions::default())
    }

    /// Reads a grammar file, with options.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_with(path: impl AsRef<Path>, options: &LoadOptions) -> Result<Self, ReadError> {
        Self::read_from(path, &Disk, options)
    }

    /// Reads a grammar from its text. The name determines the notation, as the name of a file does.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn from_text(name: &str, text: &str) -> Result<Self, ReadError> {
        Self::read_from(name, &Memory::with(name, text), &LoadOptions::default())
    }

    /// Reads a grammar from files that are on disk or in memory.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_from(
        path: impl AsRef<Path>,
        files: &dyn Files,
        options: &LoadOptions,
    ) -> Result<Self, ReadError> {
        let loaded = load(path.as_ref(), files, options);
        match loaded.grammar {
            Some(grammar) => Ok(Self::new(grammar, options.limits)?),
            None => Err(ReadError::Grammar(loaded.diagnostics)),
        }
    }
}

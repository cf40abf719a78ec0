//! A recipe beside its suite: with the same grammar and version, it makes the same suite again.

use std::fmt;
use std::path::Path;

use gramercy_base::files;
use gramercy_language::Language;
use gramercy_suite::manifest::MANIFEST_BYTES;
use serde::{Deserialize, Serialize};

use crate::engine::summary::{End, Summary};
use crate::recipe::{Recipe, Recur, Tests};

/// The version of the document.
const SCHEMA: u32 = 2;

/// A recipe with the grammar it was made for, and a summary of its suite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of this document.
    pub schema: u32,
    /// The program's version.
    pub version: String,
    /// The grammar.
    pub grammar: GrammarFile,
    /// How the suite is made.
    pub recipe: Recipe,
    /// Tests in the suite.
    pub tests: u64,
    /// Tokens of all tests.
    pub tokens: u64,
    /// Bytes of all tests.
    pub bytes: u64,
    /// Targets that were not written.
    pub unwritten: u64,
    /// How good the choice of tests is, where some were left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minimized: Option<Minimized>,
}

/// How good a choice of tests is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Minimized {
    /// Tests that were chosen from.
    pub of: u64,
    /// Tests that were chosen, over all shards.
    pub kept: u64,
    /// No choice that covers the same has fewer.
    pub at_least: u64,
}

/// Which grammar a suite was made from, and how it was read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GrammarFile {
    /// Its file.
    pub file: String,
    /// A fingerprint of all its files and its start rule, in hexadecimal digits.
    pub fingerprint: String,
    /// The start rule, if it was chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The notation, if it was chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notation: Option<String>,
    /// The file with the lexer, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lexer: Option<String>,
    /// The encoding of inputs, if it is not UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
}

/// Why a manifest is of no use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ManifestError {
    /// It cannot be read, or is no manifest; why.
    Unreadable(String),
    /// Another version of the program wrote it.
    OtherSchema(u32),
    /// It was made for another grammar.
    OtherGrammar(Box<GrammarFile>),
}

impl fmt::Display for ManifestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(reason) => f.write_str(reason),
            Self::OtherSchema(schema) => write!(
                f,
                "it has schema {schema}, and this version of gramercy reads schema {SCHEMA}; make the suite again"
            ),
            Self::OtherGrammar(other) => {
                write!(f, "it was made for another grammar, or `{}` was changed", other.file)
            }
        }
    }
}

impl std::error::Error for ManifestError {}

/// What every version of the document has.
#[derive(Deserialize)]
struct Versioned {
    schema: u32,
}

impl Manifest {
    /// The manifest of a suite that was made. `None` if no recipe makes it again: it was interrupted before the
    /// tests it should keep were chosen.
    #[must_use]
    pub fn new(recipe: &Recipe, grammar: GrammarFile, summary: &Summary) -> Option<Self> {
        let mut recipe = recipe.clone();
        if let Tests::Systematic(tests) = &mut recipe.tests {
            match (summary.end, tests.minimize) {
                (End::Interrupted, Some(_)) => return None,
                (End::Interrupted, None) => recipe.limit = Some(summary.numbered),
                _ => {}
            }
            // What is made in a time is made again by its number.
            if let Some(Recur::Time(_)) = tests.recur {
                tests.recur = Some(Recur::Tests(summary.numbered.max(1)));
            }
        }
        let minimized = summary.minimized.as_ref().map(|(minimized, of)| Minimized {
            of: *of,
            kept: minimized.kept.len() as u64,
            at_least: minimized.at_least as u64,
        });
        Some(Self {
            schema: SCHEMA,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            grammar,
            recipe,
            tests: summary.tests,
            tokens: summary.tokens,
            bytes: summary.bytes,
            unwritten: summary.unwritten_count,
            minimized,
        })
    }

    /// Reads a manifest.
    ///
    /// # Errors
    /// If the file cannot be read, is no manifest, or was written by another version.
    pub fn read(path: &Path) -> Result<Self, ManifestError> {
        let unreadable = |error: &dyn fmt::Display| ManifestError::Unreadable(error.to_string());
        let text = files::read_text(path, MANIFEST_BYTES).map_err(|error| unreadable(&error))?;
        let versioned: Versioned =
            serde_json::from_str(&text).map_err(|error| unreadable(&error))?;
        match versioned.schema {
            SCHEMA => serde_json::from_str(&text).map_err(|error| unreadable(&error)),
            other => Err(ManifestError::OtherSchema(other)),
        }
    }

    /// Whether it was made for a language.
    ///
    /// # Errors
    /// If it was made for another one.
    pub fn check(&self, language: &Language) -> Result<(), ManifestError> {
        match self.grammar.fingerprint == language.fingerprint() {
            true => Ok(()),
            false => Err(ManifestError::OtherGrammar(Box::new(self.grammar.clone()))),
        }
    }

    /// The document.
    ///
    /// # Panics
    /// Never: nothing in it cannot be written as JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        let text = serde_json::to_string_pretty(self);
        text.expect("invariant: strings and numbers are JSON") + "\n"
    }
}

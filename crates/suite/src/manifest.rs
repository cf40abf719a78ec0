//! How a suite was made, as a file beside it: with the same grammar and version, it can be made again.

use std::path::Path;

use serde::{Deserialize, Serialize};

/// The file's name.
pub const FILE_NAME: &str = "suite.json";

/// The version of the document.
const SCHEMA: u32 = 1;

/// How a suite was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of this document.
    pub schema: u32,
    /// The program's version.
    pub version: String,
    /// The command.
    pub command: String,
    /// The grammar.
    pub grammar: GrammarFile,
    /// The arguments of the command that decide about the suite, without the grammar.
    pub arguments: Vec<String>,
    /// Tests in the suite.
    pub tests: u64,
    /// Tokens of all tests.
    pub tokens: u64,
    /// Bytes of all tests.
    pub bytes: u64,
    /// Targets that were not written.
    pub unwritten: u64,
    /// What is known of the choice, where tests were left out that are not needed.
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

/// Which grammar a suite was made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GrammarFile {
    /// Its file.
    pub file: String,
    /// A fingerprint of all its files, in hexadecimal digits.
    pub fingerprint: String,
}

/// Why a manifest is of no use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ManifestError {
    /// It cannot be read, or is no manifest.
    Unreadable(String),
    /// It speaks of another grammar.
    OtherGrammar(GrammarFile),
}

impl Manifest {
    /// The version of the document that is written.
    pub const SCHEMA: u32 = SCHEMA;

    /// Reads a manifest.
    ///
    /// # Errors
    /// If the file cannot be read or is no manifest.
    pub fn read(path: &Path) -> Result<Self, ManifestError> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| ManifestError::Unreadable(error.to_string()))?;
        let manifest: Self = serde_json::from_str(&text)
            .map_err(|error| ManifestError::Unreadable(error.to_string()))?;
        match manifest.schema {
            SCHEMA => Ok(manifest),
            other => Err(ManifestError::Unreadable(format!("it has the unknown schema {other}"))),
        }
    }

    /// Whether it speaks of a grammar with this fingerprint.
    ///
    /// # Errors
    /// If it does not.
    pub fn check_grammar(&self, fingerprint: &str) -> Result<(), ManifestError> {
        match self.grammar.fingerprint == fingerprint {
            true => Ok(()),
            false => Err(ManifestError::OtherGrammar(self.grammar.clone())),
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

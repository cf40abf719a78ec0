//! The dialects of regular expressions: [`rust`] for that of Rust, [`brics`] for that of Tribble's
//! grammars. A dialect is a file with a function `parse` from text to [`Regex`].
//!
//! [`Regex`]: crate::Regex

use std::fmt;
use std::ops::Range;

pub mod brics;
pub mod rust;

/// Why a pattern is rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegexError {
    /// The error, without a final period.
    pub message: String,
    /// The bytes of the error; empty where something is missing.
    pub range: Range<usize>,
    /// What to do about it.
    pub help: Option<String>,
}

impl RegexError {
    fn new(message: impl Into<String>, range: Range<usize>) -> Self {
        Self { message: message.into(), range, help: None }
    }

    fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for RegexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (bytes {} to {})", self.message, self.range.start, self.range.end)
    }
}

impl std::error::Error for RegexError {}

//! What is told about a suite once it is made.

use gramercy_grammar::Grammar;
use gramercy_lexis::Unwritable;

use crate::draft::Goal;

/// A suite in figures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Tests that were kept.
    pub tests: u64,
    /// Their tokens.
    pub tokens: u64,
    /// Their bytes.
    pub bytes: u64,
    /// The longest test, in bytes.
    pub longest: usize,
    /// Targets for which a test was written, and found equal to another or kept.
    pub written: u64,
    /// How many targets were not written.
    pub unwritten_count: u64,
    /// Targets that were not written, with the last obstacle: the first so many.
    pub unwritten: Vec<Unwritten>,
    /// Whether names stand in for lexemes that nobody knows.
    pub placeholders: bool,
    /// Whether the suite ended before all was made.
    pub end: End,
}

/// Why a suite ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum End {
    /// There was no more to make.
    #[default]
    Complete,
    /// The limit on tests.
    Limit,
    /// Somebody wanted no more.
    Interrupted,
}

/// A target without a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unwritten {
    /// The target, if the test was made for one.
    pub goal: Option<Goal>,
    /// What stood in the way at last.
    pub obstacle: Obstacle,
}

/// What stands in the way of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// The grammar's lexer makes these tokens from no text that was tried.
    Unwritable(Unwritable),
    /// Its text is read back as something else.
    NotReadBack,
    /// The lexer takes no text that covers it for its token.
    NoText,
    /// It has more tokens than allowed.
    TooManyTokens(usize),
    /// It has more bytes than allowed.
    TooManyBytes(usize),
    /// It has fewer bytes than wanted.
    TooFewBytes(usize),
}

impl Obstacle {
    /// What stands in the way, for people.
    #[must_use]
    pub fn describe(&self, grammar: &Grammar) -> String {
        match self {
            Obstacle::NoText => {
                "the lexer takes no text of its rule that covers it for this token".to_owned()
            }
            Obstacle::NotReadBack => "its text is read as other tokens".to_owned(),
            Obstacle::TooManyTokens(tokens) => format!("it needs {tokens} tokens"),
            Obstacle::TooManyBytes(bytes) => format!("it needs {bytes} bytes"),
            Obstacle::TooFewBytes(bytes) => format!("it has only {bytes} bytes"),
            Obstacle::Unwritable(unwritable) => unwritable.obstacle.describe(grammar),
        }
    }
}

/// How many unwritten targets are listed.
pub(crate) const LISTED: usize = 10_000;

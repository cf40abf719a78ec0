//! What keeps a candidate from becoming a test.

use gramercy_grammar::{Grammar, TerminalId};
use gramercy_lexis::Unwritable;

/// What keeps a candidate from becoming a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// Something would have to follow the end of the input.
    BeyondEnd,
    /// The grammar's lexer makes these tokens from no text that was tried.
    Unwritable(Unwritable),
    /// Its text is read back as other tokens.
    NotReadBack,
    /// No text was found that covers the target and that the lexer reads as the target's token.
    NoText,
    /// It has more tokens than allowed.
    TooManyTokens(usize),
    /// It has more bytes than allowed.
    TooManyBytes(usize),
    /// It has fewer bytes than requested.
    TooFewBytes(usize),
    /// The parser that the notation's own tool makes would reject it.
    RejectedByTool,
}

impl Obstacle {
    /// The obstacle in words.
    #[must_use]
    pub fn describe(&self, grammar: &Grammar) -> String {
        match self {
            Obstacle::BeyondEnd => "something would have to follow the end of input".to_owned(),
            Obstacle::NoText => {
                "no text that covers it was found that the lexer takes for its rule".to_owned()
            }
            Obstacle::NotReadBack => "its text is read as other tokens".to_owned(),
            Obstacle::TooManyTokens(tokens) => format!("it needs {tokens} tokens"),
            Obstacle::TooManyBytes(bytes) => format!("it needs {bytes} bytes"),
            Obstacle::TooFewBytes(bytes) => format!("it has only {bytes} bytes"),
            Obstacle::RejectedByTool => {
                "the parser that the grammar's own tool makes rejects it".to_owned()
            }
            Obstacle::Unwritable(unwritable) => unwritable.obstacle.describe(grammar),
        }
    }
}

/// Two tokens that are read as something else when they are neighbours, whatever is put between them.
pub type Inseparable = (TerminalId, TerminalId);

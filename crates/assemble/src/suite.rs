//! The whole way from a recipe to a suite.

use std::fmt;

use gramercy_base::LimitReached;
use gramercy_coverage::CriterionSpec;
use gramercy_generate::strategies::StrategyError;
use gramercy_generate::strategies::lr_bfs::LrBfsError;
use gramercy_grammar::TerminalId;
use gramercy_language::Language;
use gramercy_lexis::LexerError;
use gramercy_parse::text::TextParserError;
use gramercy_sample::methods::RandomError;
use gramercy_sample::methods::uniform::SpaceError;
use gramercy_suite::{CorpusError, Sink, SinkError};

use crate::engine::Watch;
use crate::engine::summary::Summary;
use crate::recipe::{Recipe, Tests};
use crate::{guided, negative, random, systematic, uniform};

/// Makes the suite of a recipe and hands its tests to a sink, which is finished in the end.
///
/// # Errors
/// See [`SuiteError`].
pub fn suite(
    language: &Language,
    recipe: &Recipe,
    sink: &mut dyn Sink,
    watch: &mut dyn Watch,
) -> Result<Summary, SuiteError> {
    match &recipe.tests {
        Tests::Systematic(tests) => systematic::make(language, recipe, tests, sink, watch),
        Tests::Random(tests) => random::make(language, recipe, tests, sink, watch),
        Tests::Negative(tests) => negative::make(language, recipe, tests, sink, watch),
        Tests::Uniform(tests) => uniform::make(language, recipe, tests, sink, watch),
        Tests::Guided(tests) => guided::make(language, recipe, tests, sink, watch),
    }
}

/// Why there is no suite.
#[derive(Debug)]
pub enum SuiteError {
    /// The recipe asks for things that do not go together; what, in words.
    Conflict(String),
    /// The language has no sentence.
    NoSentence,
    /// No sentence covers any target of the criteria.
    NothingToCover(String),
    /// A requested target has a rank that the criterion does not have.
    NoSuchRank {
        /// The criterion.
        criterion: String,
        /// The rank.
        rank: u64,
        /// How many targets there are.
        targets: u64,
    },
    /// No strategy makes suites for this criterion.
    NoStrategy(CriterionSpec),
    /// The traversal of an LR-graph was given up.
    Traversal(LrBfsError),
    /// A bound was reached.
    Limit(LimitReached),
    /// The lexical rules make no lexer.
    Lexer(LexerError),
    /// The grammar has no token of this name.
    UnknownToken(String),
    /// The grammar reads these lexemes as other tokens.
    WrongLexemes(Vec<(TerminalId, String)>),
    /// Inputs that are given cannot be read.
    Unreadable(Vec<CorpusError>),
    /// No random test of the requested size exists.
    Size(RandomError),
    /// No random tests of about the requested number of bytes were found.
    NoBytes {
        /// The requested number.
        bytes: u64,
        /// The mean of the nearest tests.
        nearest: u64,
    },
    /// No uniform random test of the requested kind exists.
    Space(SpaceError),
    /// Words cannot be drawn: only this share of trees would be accepted.
    TooAmbiguous(f64),
    /// The watcher ended the work before the first test.
    Interrupted,
    /// The sink failed.
    Sink(SinkError),
}

impl fmt::Display for SuiteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Conflict(message) => f.write_str(message),
            Self::NoSentence => f.write_str("the start rule derives no sentence"),
            Self::NothingToCover(names) => {
                write!(f, "no sentence of the grammar covers any target of `{names}`")
            }
            Self::NoSuchRank { criterion, rank, .. } => {
                write!(f, "`{criterion}` has no target of rank {rank}")
            }
            Self::NoStrategy(spec) => write!(f, "there is no strategy that covers `{spec}`"),
            Self::Traversal(error) => error.fmt(f),
            Self::Limit(limit) => limit.fmt(f),
            Self::Lexer(error) => write!(f, "the lexical rules make no lexer: {error:?}"),
            Self::UnknownToken(name) => write!(f, "the grammar has no token `{name}`"),
            Self::WrongLexemes(wrong) => {
                let texts: Vec<&str> = wrong.iter().map(|(_, text)| text.as_str()).collect();
                write!(f, "the grammar reads these lexemes as other tokens: {}", texts.join(", "))
            }
            Self::Unreadable(errors) => {
                let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
                write!(f, "cannot read {}", errors.join("; "))
            }
            Self::Size(error) => write!(f, "no test has the requested size: {error:?}"),
            Self::NoBytes { bytes, nearest } => {
                write!(f, "no tests of about {bytes} bytes were found; the nearest have {nearest}")
            }
            Self::Space(error) => error.fmt(f),
            Self::TooAmbiguous(share) => {
                write!(f, "words cannot be drawn: about {share:.1e} of the trees would be accepted")
            }
            Self::Interrupted => f.write_str("interrupted"),
            Self::Sink(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SuiteError {}

impl From<LimitReached> for SuiteError {
    fn from(limit: LimitReached) -> Self {
        Self::Limit(limit)
    }
}

impl From<LexerError> for SuiteError {
    fn from(error: LexerError) -> Self {
        Self::Lexer(error)
    }
}

impl From<TextParserError> for SuiteError {
    fn from(error: TextParserError) -> Self {
        match error {
            TextParserError::Lexer(error) => Self::Lexer(error),
            TextParserError::Limit(limit) => Self::Limit(limit),
        }
    }
}

impl From<StrategyError> for SuiteError {
    fn from(error: StrategyError) -> Self {
        match error {
            StrategyError::Limit(limit) => Self::Limit(limit),
            StrategyError::NoStrategy(spec) => Self::NoStrategy(spec),
        }
    }
}

impl From<RandomError> for SuiteError {
    fn from(error: RandomError) -> Self {
        Self::Size(error)
    }
}

impl From<SpaceError> for SuiteError {
    fn from(error: SpaceError) -> Self {
        match error {
            SpaceError::NoSentence => Self::NoSentence,
            SpaceError::Limit(limit) => Self::Limit(limit),
            error => Self::Space(error),
        }
    }
}

impl From<SinkError> for SuiteError {
    fn from(error: SinkError) -> Self {
        Self::Sink(error)
    }
}

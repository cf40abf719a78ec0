//! The way in: a language that makes suites, reads texts and measures what they cover.

use std::fmt;
use std::ops::Deref;
use std::path::Path;

use gramercy_assemble::{Recipe, SuiteError, Tests};
use gramercy_base::LimitReached;
use gramercy_coverage::{CountedTrees, CriterionSpec, Measure, SpecError};
use gramercy_language::ReadError;
use gramercy_parse::count::TreeCount;
use gramercy_parse::text::TextParserError;
use gramercy_parse::{Parsed, TextRejection};

/// A grammar with everything that is derived from it. A clone shares all parts. It dereferences to
/// [`gramercy_language::Language`], which gives access to these parts.
#[derive(Clone, Debug)]
pub struct Language(gramercy_language::Language);

impl Deref for Language {
    type Target = gramercy_language::Language;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl From<gramercy_language::Language> for Language {
    fn from(language: gramercy_language::Language) -> Self {
        Self(language)
    }
}

impl Language {
    /// Reads a grammar file, in the notation that its extension says.
    ///
    /// # Errors
    /// If the file holds no grammar, or the grammar is beyond the usual limits.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, ReadError> {
        gramercy_language::Language::read(path).map(Self)
    }

    /// Reads a grammar from its text. The name says the notation, as a file's name does.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn from_text(name: &str, text: &str) -> Result<Self, ReadError> {
        gramercy_language::Language::from_text(name, text).map(Self)
    }

    /// The tests of a recipe, one after the other. Where something is wrong with the recipe, the last item is an
    /// error. To write a suite to files, or to count it, use [`suite`](gramercy_assemble::suite()) with a sink.
    #[must_use]
    pub fn suite(&self, recipe: &Recipe) -> Tests {
        Tests::new(self, recipe)
    }

    /// All derivations of a text.
    ///
    /// # Errors
    /// If the text is not in the language, or the grammar has no parser.
    pub fn parse(&self, text: &str) -> Result<Reading, ParseError> {
        let parser = self.0.parser()?;
        let parsed = parser.parse(&mut parser.workspace(), text);
        let rejected = |rejection| ParseError::Rejected { rejection, language: self.clone() };
        parsed.map(Reading).map_err(rejected)
    }

    /// What texts cover of criteria, joined with `+`. Texts that are not in the language cover nothing.
    ///
    /// # Errors
    /// If a name is not a criterion, a criterion has too many targets, or the grammar has no parser.
    pub fn measure<'t>(
        &self,
        texts: impl IntoIterator<Item = &'t str>,
        criteria: &str,
    ) -> Result<Measured, MeasureError> {
        let parser = self.0.parser()?;
        let specs = CriterionSpec::parse_list(criteria)?;
        let criteria = specs.iter().map(|spec| spec.build(&self.0)).collect::<Result<_, _>>()?;
        let productions = self.bnf().production_count();
        let measure = Measure { parser, criteria, productions, trees: CountedTrees::All };
        let (mut workspace, mut sum) = (parser.workspace(), measure.nothing());
        let mut rejected = Vec::new();
        for (number, text) in texts.into_iter().enumerate() {
            match measure.text(&mut workspace, text) {
                Ok(covered) => _ = sum.add(&covered),
                Err(_) => rejected.push(number),
            }
        }
        let coverage = specs.iter().zip(&measure.criteria).zip(&sum.targets);
        let coverage = coverage.map(|((spec, criterion), covered)| {
            let is_missing = |target: &u64| {
                !covered.contains(*target) && criterion.uncoverable(*target).is_none()
            };
            let missing = (0..criterion.targets()).filter(is_missing);
            CriterionCoverage {
                criterion: spec.to_string(),
                covered: covered.len(),
                coverable: criterion.coverable(),
                missing: missing.map(|target| criterion.describe(target)).collect(),
            }
        });
        Ok(Measured { criteria: coverage.collect(), rejected })
    }
}

/// A text that was read.
#[derive(Clone, Debug)]
pub struct Reading(Parsed);

impl Reading {
    /// The number of its derivation trees; `None` if that is infinite or beyond 64 bits.
    #[must_use]
    pub fn trees(&self) -> Option<u64> {
        match self.0.forest.count_trees() {
            TreeCount::Infinite => None,
            TreeCount::Finite(count) => u64::try_from(count).ok(),
        }
    }

    /// The tokens and the forest of all derivations.
    #[must_use]
    pub fn parsed(&self) -> &Parsed {
        &self.0
    }
}

/// What texts cover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measured {
    /// The criteria, in the order in which they were named.
    pub criteria: Vec<CriterionCoverage>,
    /// The texts that are not in the language, by their number from 0.
    pub rejected: Vec<usize>,
}

/// What texts cover of one criterion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CriterionCoverage {
    /// The criterion's name.
    pub criterion: String,
    /// How many targets are covered.
    pub covered: u64,
    /// How many targets some sentence covers.
    pub coverable: u64,
    /// What could be covered and is not, as patterns.
    pub missing: Vec<String>,
}

/// Why a text has no derivation.
#[derive(Debug)]
pub enum ParseError {
    /// The text is not in the language.
    Rejected {
        /// Where, and what was expected there.
        rejection: Box<TextRejection>,
        /// The language.
        language: Language,
    },
    /// There is no parser for the grammar.
    NoParser(TextParserError),
}

impl ParseError {
    /// The byte of the first error; at the end, the text's length. `None` if there is no parser.
    #[must_use]
    pub fn byte(&self) -> Option<usize> {
        match self {
            ParseError::Rejected { rejection, .. } => Some(rejection.byte),
            ParseError::NoParser(_) => None,
        }
    }

    /// The names of the terminals that could have come there.
    #[must_use]
    pub fn expected(&self) -> Vec<&str> {
        match self {
            ParseError::Rejected { rejection, language } => {
                let terminals = language.grammar().terminals();
                rejection.expected.iter().map(|id| &*terminals[id].name).collect()
            }
            ParseError::NoParser(_) => Vec::new(),
        }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseError::Rejected { rejection, .. } => {
                let expected = self.expected().join(", ");
                write!(f, "rejected at byte {}; expected: {expected}", rejection.byte)
            }
            ParseError::NoParser(error) => write!(f, "the grammar has no parser: {error:?}"),
        }
    }
}

impl std::error::Error for ParseError {}

impl From<TextParserError> for ParseError {
    fn from(error: TextParserError) -> Self {
        ParseError::NoParser(error)
    }
}

/// Why nothing was measured.
#[derive(Debug)]
pub enum MeasureError {
    /// A name is not a criterion.
    Criterion(SpecError),
    /// A bound was reached.
    Limit(LimitReached),
    /// There is no parser for the grammar.
    NoParser(TextParserError),
}

impl fmt::Display for MeasureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MeasureError::Criterion(error) => error.fmt(f),
            MeasureError::Limit(limit) => limit.fmt(f),
            MeasureError::NoParser(error) => write!(f, "the grammar has no parser: {error:?}"),
        }
    }
}

impl std::error::Error for MeasureError {}

impl From<SpecError> for MeasureError {
    fn from(error: SpecError) -> Self {
        MeasureError::Criterion(error)
    }
}

impl From<LimitReached> for MeasureError {
    fn from(limit: LimitReached) -> Self {
        MeasureError::Limit(limit)
    }
}

impl From<TextParserError> for MeasureError {
    fn from(error: TextParserError) -> Self {
        MeasureError::NoParser(error)
    }
}

impl Language {
    /// Makes the suite of a recipe and hands its tests to a sink.
    ///
    /// # Errors
    /// See [`SuiteError`].
    pub fn write_suite(
        &self,
        recipe: &Recipe,
        sink: &mut dyn gramercy_suite::Sink,
    ) -> Result<gramercy_assemble::Summary, SuiteError> {
        gramercy_assemble::suite(self, recipe, sink, &mut ())
    }
}

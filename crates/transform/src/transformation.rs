//! The list of all transformations, for user interfaces.

use std::fmt;

use gramercy_base::{LimitReached, Limits};
use gramercy_grammar::Grammar;

/// One of the transformations of this crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transformation {
    /// See [`inline_references`](crate::inline_references()).
    InlineReferences {
        /// The depth of inlining.
        levels: usize,
    },
    /// See [`extract_alternations`](crate::extract_alternations()).
    ExtractAlternations,
    /// See [`epsilonize_quantifiers`](crate::epsilonize_quantifiers()).
    EpsilonizeQuantifiers,
    /// See [`unfold_regexes`](crate::unfold_regexes()).
    UnfoldRegexes,
    /// See [`merge_literals`](crate::merge_literals()).
    MergeLiterals,
    /// See [`reduce`](crate::reduce()).
    Reduce,
}

impl Transformation {
    /// All transformations, in an order in which they can be applied one after the other.
    pub const ALL: [Transformation; 6] = [
        Transformation::Reduce,
        Transformation::UnfoldRegexes,
        Transformation::InlineReferences { levels: 1 },
        Transformation::MergeLiterals,
        Transformation::EpsilonizeQuantifiers,
        Transformation::ExtractAlternations,
    ];

    /// The name on the command line.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Transformation::InlineReferences { .. } => "inline-references",
            Transformation::ExtractAlternations => "extract-alternations",
            Transformation::EpsilonizeQuantifiers => "epsilonize-quantifiers",
            Transformation::UnfoldRegexes => "unfold-regexes",
            Transformation::MergeLiterals => "merge-literals",
            Transformation::Reduce => "reduce",
        }
    }

    /// A short description.
    #[must_use]
    pub fn summary(self) -> &'static str {
        match self {
            Transformation::InlineReferences { .. } => {
                "replace references by the right-hand sides of their rules"
            }
            Transformation::ExtractAlternations => "make a rule of every inner alternation",
            Transformation::EpsilonizeQuantifiers => {
                "write `x?` as `x | \"\"` and `x*` as `x+ | \"\"`"
            }
            Transformation::UnfoldRegexes => "replace regular expressions by rules",
            Transformation::MergeLiterals => "join adjacent literals",
            Transformation::Reduce => "drop everything that occurs in no sentence",
        }
    }

    /// The transformed grammar.
    ///
    /// # Errors
    /// If the result would be larger than the limits allow, or if nothing would be left.
    pub fn apply(self, grammar: &Grammar, limits: &Limits) -> Result<Grammar, TransformError> {
        Ok(match self {
            Transformation::InlineReferences { levels } => {
                crate::inline_references(grammar, levels, limits)?
            }
            Transformation::ExtractAlternations => crate::extract_alternations(grammar, limits)?,
            Transformation::EpsilonizeQuantifiers => {
                crate::epsilonize_quantifiers(grammar, limits)?
            }
            Transformation::UnfoldRegexes => crate::unfold_regexes(grammar, limits)?,
            Transformation::MergeLiterals => crate::merge_literals(grammar, limits)?,
            Transformation::Reduce => crate::reduce(grammar, limits)?,
        })
    }
}

/// Why there is no transformed grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransformError {
    /// The result, or an intermediate result, would be too large.
    Limit(LimitReached),
    /// The start rule derives no sentence, so the result would have no rules.
    NoSentence,
}

impl fmt::Display for TransformError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TransformError::Limit(limit) => limit.fmt(f),
            TransformError::NoSentence => f.write_str("the start rule derives no sentence"),
        }
    }
}

impl std::error::Error for TransformError {}

impl From<LimitReached> for TransformError {
    fn from(limit: LimitReached) -> Self {
        TransformError::Limit(limit)
    }
}

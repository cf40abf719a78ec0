//! Regular expressions as trees, with intersection and complement. Their concrete syntax is in
//! [`dialect`](crate::dialect).
//!
//! Walks over a tree are recursive: a builder of trees must limit their nesting, as the dialects
//! do.

use crate::CharSet;

/// A regular expression over code points.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Regex {
    /// The empty language.
    Nothing,
    /// The language of the empty word.
    Empty,
    /// One character of a set.
    Chars(CharSet),
    /// A sequence; the empty word if the list is empty.
    Concat(Vec<Regex>),
    /// A union; the empty language if the list is empty.
    Union(Vec<Regex>),
    /// An intersection; the language of all words if the list is empty.
    Intersection(Vec<Regex>),
    /// All words that it does not match.
    Complement(Box<Regex>),
    /// At least `min` and at most `max` repetitions; unbounded if `max` is `None`, empty if `max`
    /// is less than `min`.
    Repeat {
        /// What is repeated.
        inner: Box<Regex>,
        /// The minimum number of repetitions.
        min: u32,
        /// The maximum number of repetitions.
        max: Option<u32>,
    },
}

impl Regex {
    /// The expression that matches exactly `text`.
    #[must_use]
    pub fn literal(text: &str) -> Self {
        match text.chars().count() {
            0 => Regex::Empty,
            1 => Regex::Chars(text.chars().collect()),
            _ => Regex::Concat(text.chars().map(|c| Regex::Chars(CharSet::single(c))).collect()),
        }
    }
}

//! Regular expressions as trees, with intersection and complement. The dialects in which people
//! write them (that of Rust programmers, that of Tribble) are read by the notations.

use crate::CharSet;

/// A regular expression over code points.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Regex {
    /// The language without any word.
    Nothing,
    /// The language of the empty word alone.
    Empty,
    /// One character of a set.
    Chars(CharSet),
    /// One after the other.
    Concat(Vec<Regex>),
    /// Any of them.
    Union(Vec<Regex>),
    /// All of them at once.
    Intersection(Vec<Regex>),
    /// Every word that it does not match.
    Complement(Box<Regex>),
    /// At least `min`, at most `max` times, without a bound if `max` is `None`.
    Repeat {
        /// What is repeated.
        inner: Box<Regex>,
        /// The least number of times.
        min: u32,
        /// The greatest number of times.
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

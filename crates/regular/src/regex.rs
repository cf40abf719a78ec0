//! Regular expressions as trees, with intersection and complement. The dialects in which people
//! write them are read in [`dialect`](crate::dialect).
//!
//! Walks over a tree are recursive: whoever builds one bounds its nesting, as the dialects do.

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
    /// One after the other; the empty word if there is none.
    Concat(Vec<Regex>),
    /// Any of them; nothing if there is none.
    Union(Vec<Regex>),
    /// All of them at once; every word if there is none.
    Intersection(Vec<Regex>),
    /// Every word that it does not match.
    Complement(Box<Regex>),
    /// At least `min`, at most `max` times, without a bound if `max` is `None`; nothing if `max` is
    /// less than `min`.
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

//! What a test is: a text, and what is said about it.
//!
//! A [`Test`] borrows everything, so that a suite of a million of them passes through one place in
//! memory. What only some sinks write down is made only for them; see [`Wants`](crate::Wants).

/// One test of a suite.
#[derive(Clone, Copy, Debug)]
pub struct Test<'t> {
    /// Its number in the whole suite, counted from 1.
    pub id: u64,
    /// The input.
    pub text: &'t str,
    /// The tokens that the parser sees, if they are wanted.
    pub tokens: &'t [Token<'t>],
    /// How many tokens there are.
    pub token_count: usize,
    /// What the program under test ought to say.
    pub expect: Expect<'t>,
    /// What it was made for, as a pattern, if that is wanted.
    pub target: Option<&'t str>,
    /// What it is the first to cover, if that is wanted.
    pub covers: &'t [Target<'t>],
    /// The seed of its suite, where one was used.
    pub seed: Option<u64>,
}

/// A token of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'t> {
    /// The name of its type.
    pub name: &'t str,
    /// Its first byte.
    pub start: usize,
    /// One past its last byte.
    pub end: usize,
}

/// A target of a criterion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target<'t> {
    /// The criterion's name.
    pub criterion: &'t str,
    /// The target's rank.
    pub rank: u64,
}

/// What a program ought to say to a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expect<'t> {
    /// The text is in the language.
    Accept,
    /// It is not, and this is its first error.
    Reject(&'t Error<'t>),
}

/// Where a text stops being the beginning of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error<'t> {
    /// The number of the first token that cannot come, from 0.
    pub token: usize,
    /// Where it begins, from 0; at the end, the text's length.
    pub byte: usize,
    /// Its line, from 1.
    pub line: usize,
    /// Its column in code points, from 1.
    pub column: usize,
    /// What could have come there.
    pub expected: Vec<&'t str>,
    /// The class of the error.
    pub class: &'t str,
}

impl Expect<'_> {
    /// The word for it.
    #[must_use]
    pub fn as_str(&self) -> &'static str {
        match self {
            Expect::Accept => "accept",
            Expect::Reject(_) => "reject",
        }
    }
}

//! What a test is: an input, what a program ought to say to it, and where it comes from.
//!
//! A [`Test`] borrows everything, so that a suite of a million of them passes through one place in
//! memory. What only some sinks write down is made only for them; see [`Wants`](crate::Wants).

/// One test of a suite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Test<'t> {
    /// Its number in the whole suite, counted from 1.
    pub id: u64,
    /// The input.
    pub content: Content<'t>,
    /// The tokens that the parser sees, if they are wanted.
    pub tokens: &'t [Token<'t>],
    /// How many tokens there are.
    pub token_count: usize,
    /// What the program under test ought to say.
    pub expect: Expect<'t>,
    /// Where it comes from.
    pub origin: Origin<'t>,
    /// What it is the first to cover, if that is wanted.
    pub covers: &'t [Target<'t>],
    /// The seed of its suite, where one was used.
    pub seed: Option<u64>,
}

/// An input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content<'t> {
    /// A text.
    Text(&'t str),
    /// Bytes that are not UTF-8.
    Bytes(&'t [u8]),
}

impl<'t> Content<'t> {
    /// The bytes of the input.
    #[must_use]
    pub fn as_bytes(self) -> &'t [u8] {
        match self {
            Content::Text(text) => text.as_bytes(),
            Content::Bytes(bytes) => bytes,
        }
    }

    /// The input of these bytes.
    #[must_use]
    pub fn of(bytes: &'t [u8]) -> Self {
        std::str::from_utf8(bytes).map_or(Content::Bytes(bytes), Content::Text)
    }

    /// The bytes as text; `U+FFFD` stands for what is not UTF-8.
    #[must_use]
    pub fn to_text(self) -> std::borrow::Cow<'t, str> {
        String::from_utf8_lossy(self.as_bytes())
    }
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
    /// The input is in the language.
    Accept,
    /// It is not, and this is its first error.
    Reject(&'t Error<'t>),
}

/// Where an input stops being the beginning of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error<'t> {
    /// The number of the first token that cannot come, from 0.
    pub token: usize,
    /// Where it begins, from 0; at the end, the input's length.
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

/// Where a test comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin<'t> {
    /// It was made for a target; its pattern, if that is wanted.
    Target(Option<&'t str>),
    /// It was drawn at random, or nothing is known of its origin.
    Draw,
    /// It was made by changing another test.
    Mutation(&'t Mutation<'t>),
}

/// How a test was made by changing another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutation<'t> {
    /// The operator: `word-delete`, `rule-insert`, `character-substitute`.
    pub operator: &'t str,
    /// The rule that was changed, where the operator changes rules.
    pub rule: Option<&'t str>,
    /// The changed item of this rule: its production with a dot at the place.
    pub item: Option<&'t str>,
    /// Where this item stands in the grammar: `FILE:LINE:COLUMN`.
    pub source: Option<&'t str>,
    /// The token, or the byte for changes of characters, at which the input was changed, from 0.
    pub place: usize,
    /// What was put in.
    pub inserted: Vec<&'t str>,
    /// What was taken out.
    pub removed: Vec<&'t str>,
    /// The input that was changed. It is in the language, and so it is a repair of this one.
    pub base: &'t str,
    /// The target it was made for, as a pattern, if there is one and it is wanted.
    pub target: Option<&'t str>,
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

impl<'t> Test<'t> {
    /// What it was made for, as a pattern, if that is known.
    #[must_use]
    pub fn target(&self) -> Option<&'t str> {
        match self.origin {
            Origin::Target(target) => target,
            Origin::Mutation(mutation) => mutation.target,
            Origin::Draw => None,
        }
    }
}

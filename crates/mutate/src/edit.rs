//! A change of a sentence, and the class of the error that it makes.

use std::fmt;
use std::str::FromStr;

use gramercy_base::named::{Choice, Named, choice};
use gramercy_grammar::{ProductionId, TerminalId};

/// A family of operators, as users choose it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// Single tokens of a sentence.
    Word,
    /// Symbols of a production, in the smallest sentence around it.
    Rule,
    /// Terminal push edges along the path of a sentence in the LR-graph.
    Edge,
    /// Whole reductions along that path.
    Stack,
    /// Characters of a text.
    Character,
    /// Bytes that are not UTF-8, and a byte order mark.
    Encoding,
}

impl Named for Family {
    const CHOICES: &'static [Choice<Self>] = &[
        choice(Self::Word, "word", "delete, insert, substitute and transpose tokens"),
        choice(Self::Rule, "rule", "delete, insert, substitute and transpose symbols of rules"),
        choice(Self::Edge, "edge", "insert, substitute and delete tokens on LR-graph paths"),
        choice(Self::Stack, "stack", "insert, substitute and delete whole reductions"),
        choice(Self::Character, "character", "delete, insert, substitute and transpose characters"),
        choice(Self::Encoding, "encoding", "bytes that are not UTF-8, and a byte order mark"),
    ];
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Family {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known =
            || format!("`{text}` is not an operator; known are {}", Self::names().join(", "));
        Self::from_name(text).ok_or_else(known)
    }
}

/// What is done to a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Something is taken out.
    Delete,
    /// Something is put in.
    Insert,
    /// Something is put in the place of something else.
    Substitute,
    /// Two neighbours change places.
    Transpose,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 4] = [Kind::Delete, Kind::Insert, Kind::Substitute, Kind::Transpose];

    /// The name after that of the family: `word-delete`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Delete => "delete",
            Kind::Insert => "insert",
            Kind::Substitute => "substitute",
            Kind::Transpose => "transpose",
        }
    }

    /// The class of an error that it makes at a token.
    #[must_use]
    pub fn class(self) -> Class {
        match self {
            Kind::Delete => Class::Missing,
            Kind::Insert => Class::Extra,
            Kind::Substitute => Class::Wrong,
            Kind::Transpose => Class::Swapped,
        }
    }
}

/// An operator: a kind of change within a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Operator {
    /// The family.
    pub family: Family,
    /// The kind of change.
    pub kind: Kind,
}

impl Operator {
    /// The name: `word-delete`.
    #[must_use]
    pub fn name(self) -> String {
        format!("{}-{}", self.family.name(), self.kind.as_str())
    }
}

/// The class of a first error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Something is missing before the place.
    Missing,
    /// Something stands there that should not.
    Extra,
    /// Something stands there in the place of something else.
    Wrong,
    /// Two parts are in the wrong order.
    Swapped,
    /// The input ends too early.
    End,
    /// No token can be made there.
    Lexical,
    /// The bytes are not UTF-8, or do not begin as text does.
    Encoding,
}

impl Class {
    /// All of them.
    pub const ALL: [Class; 7] = [
        Class::Missing,
        Class::Extra,
        Class::Wrong,
        Class::Swapped,
        Class::End,
        Class::Lexical,
        Class::Encoding,
    ];

    /// The name in NDJSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Class::Missing => "missing",
            Class::Extra => "extra",
            Class::Wrong => "wrong",
            Class::Swapped => "swapped",
            Class::End => "end",
            Class::Lexical => "lexical",
            Class::Encoding => "encoding",
        }
    }
}

/// An item: a production with a dot before one of its symbols, or after all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Item {
    /// The production.
    pub production: ProductionId,
    /// How many of its symbols are before the dot.
    pub dot: usize,
}

/// A change of a token string: from `place` on, `removed` tokens give way to `inserted`.
#[derive(Clone, Copy, Debug)]
pub struct Edit<'e> {
    /// What is done.
    pub operator: Operator,
    /// The token at which it is done, from 0.
    pub place: usize,
    /// How many tokens are taken out.
    pub removed: usize,
    /// The tokens that are put in.
    pub inserted: &'e [TerminalId],
    /// The item that is changed, where the operator changes productions.
    pub item: Option<Item>,
}

impl Edit<'_> {
    /// The changed token string.
    #[must_use]
    pub fn apply(&self, tokens: &[TerminalId]) -> Vec<TerminalId> {
        let (before, rest) = tokens.split_at(self.place);
        [before, self.inserted, &rest[self.removed..]].concat()
    }
}

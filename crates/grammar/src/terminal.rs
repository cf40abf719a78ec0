//! Terminals: the units of the parser's input, or of a lexical rule.

use gramercy_base::{LimitReached, Limits, Span};
use gramercy_regular::{CharSet, Dfa, Regex};

gramercy_base::define_id!(
    /// Terminals of syntax rules come first, in the order of their first occurrence, then token
    /// types that no syntax rule uses, then the terminals that occur only in lexical rules, the end
    /// of input and the empty literal. So the first [`Bnf::terminal_count`](crate::Bnf) ids are
    /// exactly the terminals of the BNF core.
    pub struct TerminalId, "a terminal");

/// A unit of text or of tokens. Equal kinds are the same terminal.
#[derive(Clone, Debug)]
pub struct Terminal {
    /// What it is.
    pub kind: TerminalKind,
    /// Its spelling in the grammar: `ID`, `'+'`, `"while"`, `[a-z]`.
    pub name: Box<str>,
    /// Its declaration or first occurrence.
    pub span: Option<Span>,
    /// Its declared precedence (yacc).
    pub precedence: Option<Precedence>,
}

/// The kinds of terminals.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TerminalKind {
    /// A fixed text. The empty one is the leaf of an empty alternative.
    Literal(Box<str>),
    /// One character out of a set.
    Chars(CharSet),
    /// A word of a regular language.
    Regex {
        /// The pattern in its dialect, without delimiters and their escapes.
        source: Box<str>,
        /// Its meaning.
        regex: Regex,
    },
    /// A token type with a name.
    Token {
        /// The name of the type; for a literal in a syntax rule, the literal as written.
        name: Box<str>,
        /// Its text where that is fixed: an alias, a quoted character, a literal.
        text: Option<Box<str>>,
    },
    /// Any token except these; if the list is empty, any token.
    AnyTokenBut(Box<[TerminalId]>),
    /// The end of the input.
    Eof,
}

impl TerminalKind {
    /// The empty literal: the leaf of an empty alternative.
    #[must_use]
    pub fn empty() -> Self {
        TerminalKind::Literal("".into())
    }

    /// Whether this is the empty literal.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        matches!(self, TerminalKind::Literal(text) if text.is_empty())
    }

    /// Whether no text matches it: an empty character class, or a regular expression of the empty
    /// language.
    ///
    /// # Errors
    /// If the automaton of a regular expression exceeds the limits.
    pub fn is_textless(&self, limits: &Limits) -> Result<bool, LimitReached> {
        match self {
            TerminalKind::Chars(set) => Ok(set.is_empty()),
            TerminalKind::Regex { regex, .. } => Ok(Dfa::minimal(regex, limits)?.is_empty()),
            TerminalKind::Literal(_)
            | TerminalKind::Token { .. }
            | TerminalKind::AnyTokenBut(_)
            | TerminalKind::Eof => Ok(false),
        }
    }

    /// Whether an occurrence in a syntax rule makes it a terminal of the BNF core.
    #[must_use]
    pub fn is_visible(&self) -> bool {
        *self != TerminalKind::Eof && !self.is_empty()
    }
}

/// A precedence level: higher levels bind tighter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Precedence {
    /// The level, from 1.
    pub level: u32,
    /// The associativity of operators of the same level.
    pub associativity: Associativity,
}

/// How two operators of the same level associate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Associativity {
    /// The left one binds tighter.
    Left,
    /// The right one binds tighter.
    Right,
    /// They may not follow each other (bison's `%nonassoc`). Ignored: the language here allows it.
    Never,
    /// Not specified (bison's `%precedence`).
    Undeclared,
}

//! What the parser, or the lexer inside its rules, sees as a unit.

use gramercy_base::Span;
use gramercy_regular::{CharSet, Regex};

gramercy_base::define_id!(
    /// The terminals that occur in syntax rules come first, in the order of their first occurrence,
    /// then token types that no syntax rule uses, then what occurs in lexical rules only, the end
    /// of input and the empty literal. So the first [`Bnf::terminal_count`](crate::Bnf) ids are
    /// exactly the BNF core's terminals.
    pub struct TerminalId, "a terminal");

/// A unit of text or of tokens. Equal kinds are one terminal.
#[derive(Clone, Debug)]
pub struct Terminal {
    /// What it is.
    pub kind: TerminalKind,
    /// As the user writes it: `ID`, `'+'`, `"while"`, `[a-z]`.
    pub name: Box<str>,
    /// Where it was declared or first occurs.
    pub span: Option<Span>,
    /// Its declared precedence (yacc).
    pub precedence: Option<Precedence>,
}

/// The kinds of terminals.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TerminalKind {
    /// Text that stands for itself. The empty one is the leaf of an empty alternative.
    Literal(Box<str>),
    /// One character of a set.
    Chars(CharSet),
    /// A word of a regular language.
    Regex {
        /// The pattern as its dialect reads it: without delimiters and their escapes.
        source: Box<str>,
        /// What it means.
        regex: Regex,
    },
    /// A token type, known by name.
    Token {
        /// The type's own name; for a literal in a syntax rule, the literal as written.
        name: Box<str>,
        /// The text it stands for where that is fixed: an alias, a quoted character, a literal.
        text: Option<Box<str>>,
    },
    /// Any token but these; with none, any token at all.
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

    /// Whether the BNF core has it as a terminal if it occurs in a syntax rule.
    #[must_use]
    pub fn is_visible(&self) -> bool {
        *self != TerminalKind::Eof && !self.is_empty()
    }
}

/// A level of binding: higher binds tighter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Precedence {
    /// The level, from 1.
    pub level: u32,
    /// What happens between equals.
    pub associativity: Associativity,
}

/// What happens between two operators of one level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Associativity {
    /// The left one binds tighter.
    Left,
    /// The right one binds tighter.
    Right,
    /// They may not stand side by side (bison's `%nonassoc`). Set aside: the language keeps them.
    Never,
    /// Nothing is said (bison's `%precedence`).
    Undeclared,
}

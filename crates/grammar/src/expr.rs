//! Right-hand sides as trees of expressions in one arena.

use gramercy_base::Span;

use crate::{Command, RuleId, TerminalId};

gramercy_base::define_id!(pub struct ExprId, "an expression of a right-hand side");

/// A node of a right-hand side.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
    /// The name that the author gave to this occurrence, as in ANTLR's `left=expr`.
    pub label: Option<Box<str>>,
}

/// The kinds of expressions. Nesting is as written, without redundant parentheses.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// One of several; one alone where it has attributes, or as the body of a rule.
    Alternation(Box<[Alternative]>),
    /// Two or more, one after the other.
    Sequence(Box<[ExprId]>),
    /// The same thing several times.
    Repeat {
        /// What is repeated.
        body: ExprId,
        /// At least so often.
        min: u32,
        /// At most so often; `None` is without a bound.
        max: Option<u32>,
        /// Whether the lexer prefers to go on. A parser's language does not depend on it.
        greedy: bool,
    },
    /// A reference: in a syntax rule to a syntax rule, in a lexical rule to a lexical rule.
    Rule(RuleId),
    /// A terminal. An empty alternative is the empty literal.
    Terminal(TerminalId),
    /// What the lexer does once it matched along here; only in lexical rules.
    Commands(Box<[Command]>),
}

/// A branch of an alternation.
#[derive(Clone, Debug, PartialEq)]
pub struct Alternative {
    /// What it derives.
    pub expr: ExprId,
    /// What the notation says about it, if anything.
    pub attributes: Option<Box<Attributes>>,
}

impl Alternative {
    /// A branch of which nothing more is said.
    #[must_use]
    pub fn plain(expr: ExprId) -> Self {
        Self { expr, attributes: None }
    }
}

/// What a notation may say about an alternative.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Attributes {
    /// Its name, as in ANTLR's `# Multiply`.
    pub label: Option<Box<str>>,
    /// The probability of choosing it.
    pub probability: Option<f64>,
    /// The token whose precedence it has (yacc's `%prec`).
    pub precedence_of: Option<TerminalId>,
    /// Its associativity (ANTLR's `<assoc=right>`).
    pub associativity: Option<crate::Associativity>,
    /// Its rank among several readings (bison's `%dprec`).
    pub dynamic_precedence: Option<u32>,
}

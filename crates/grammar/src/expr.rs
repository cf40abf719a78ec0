//! Right-hand sides as trees of expressions in one arena.

use gramercy_base::Span;

use crate::{Command, RuleId, TerminalId};

gramercy_base::define_id!(pub struct ExprId, "an expression of a right-hand side");

/// A node of a right-hand side.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its source span.
    pub span: Span,
    /// The name that the author gave to this occurrence, as in ANTLR's `left=expr`.
    pub label: Option<Box<str>>,
}

/// The kinds of expressions. Nesting is as written, without redundant parentheses.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A choice. It has a single alternative only where that has attributes, or as the body of a
    /// rule.
    Alternation(Box<[Alternative]>),
    /// Two or more expressions in order.
    Sequence(Box<[ExprId]>),
    /// A repetition.
    Repeat {
        /// What is repeated.
        body: ExprId,
        /// The minimum number of repetitions.
        min: u32,
        /// The maximum number of repetitions; `None` means unbounded.
        max: Option<u32>,
        /// Whether the lexer prefers more repetitions. A parser's language does not depend on it.
        greedy: bool,
    },
    /// A reference: in a syntax rule to a syntax rule, in a lexical rule to a lexical rule.
    Rule(RuleId),
    /// A terminal. An empty alternative is the empty literal.
    Terminal(TerminalId),
    /// The commands that the lexer executes when it matches this alternative; only in lexical
    /// rules.
    Commands(Box<[Command]>),
}

/// A quantifier in EBNF, such as `?`, `*` or `{2,5}`.
#[must_use]
pub fn quantifier(min: u32, max: Option<u32>) -> String {
    match (min, max) {
        (0, Some(1)) => "?".to_owned(),
        (0, None) => "*".to_owned(),
        (1, None) => "+".to_owned(),
        (min, None) => format!("{{{min},}}"),
        (min, Some(max)) if min == max => format!("{{{min}}}"),
        (min, Some(max)) => format!("{{{min},{max}}}"),
    }
}

/// A branch of an alternation.
#[derive(Clone, Debug, PartialEq)]
pub struct Alternative {
    /// Its right-hand side.
    pub expr: ExprId,
    /// Its attributes, if the notation has any for it.
    pub attributes: Option<Box<Attributes>>,
}

impl Alternative {
    /// An alternative without attributes.
    #[must_use]
    pub fn plain(expr: ExprId) -> Self {
        Self { expr, attributes: None }
    }
}

/// The attributes that a notation can give to an alternative.
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
    /// Its rank among ambiguous parses (bison's `%dprec`).
    pub dynamic_precedence: Option<u32>,
}

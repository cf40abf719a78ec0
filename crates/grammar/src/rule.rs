//! Rules: a name with its right-hand side as written.

use gramercy_base::Span;

use crate::{ExprId, ModeId, TerminalId};

gramercy_base::define_id!(pub struct RuleId, "a rule");

/// A name with its right-hand side.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The name.
    pub name: Box<str>,
    /// The name's place.
    pub span: Span,
    /// Whether the parser or the lexer uses it.
    pub kind: RuleKind,
    /// The right-hand side: always an alternation, if of one alternative.
    pub body: ExprId,
}

impl Rule {
    /// Whether the parser uses it.
    #[must_use]
    pub fn is_syntax(&self) -> bool {
        self.kind == RuleKind::Syntax
    }

    /// What makes it a token rule, if it is one.
    #[must_use]
    pub fn token(&self) -> Option<&TokenRule> {
        match &self.kind {
            RuleKind::Token(token) => Some(token),
            RuleKind::Syntax | RuleKind::Fragment { .. } => None,
        }
    }
}

/// Who uses a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RuleKind {
    /// The parser.
    Syntax,
    /// The lexer, to make tokens.
    Token(TokenRule),
    /// The lexer, inside other rules.
    Fragment {
        /// Whether its literals match in either case. Readers widen its sets themselves: each
        /// notation has its own rule for ranges.
        ignore_case: bool,
    },
}

/// What makes a lexical rule a token rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenRule {
    /// The mode in which it is tried.
    pub mode: ModeId,
    /// The type of its tokens, unless a command says otherwise.
    pub token: TerminalId,
    /// Whether its literals match in either case. Readers widen its sets themselves: each notation
    /// has its own rule for ranges.
    pub ignore_case: bool,
    /// Whether it stands for a literal in a syntax rule instead of a rule of the file.
    pub implicit: bool,
}

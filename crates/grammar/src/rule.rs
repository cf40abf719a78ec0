//! Rules: a name with its right-hand side as written.

use gramercy_base::Span;

use crate::{ExprId, ModeId, TerminalId};

gramercy_base::define_id!(pub struct RuleId, "a rule");

/// A name with its right-hand side.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The name.
    pub name: Box<str>,
    /// The span of the name.
    pub span: Span,
    /// Whether it is a rule of the parser or of the lexer.
    pub kind: RuleKind,
    /// The right-hand side: always an alternation, possibly with a single alternative.
    pub body: ExprId,
}

impl Rule {
    /// Whether it is a rule of the parser.
    #[must_use]
    pub fn is_syntax(&self) -> bool {
        self.kind == RuleKind::Syntax
    }

    /// The data of a token rule, if it is one.
    #[must_use]
    pub fn token(&self) -> Option<&TokenRule> {
        match &self.kind {
            RuleKind::Token(token) => Some(token),
            RuleKind::Syntax | RuleKind::Fragment { .. } => None,
        }
    }
}

/// The part of the language processor that uses a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RuleKind {
    /// The parser.
    Syntax,
    /// The lexer: its matches are tokens.
    Token(TokenRule),
    /// The lexer: only other lexical rules refer to it.
    Fragment {
        /// Whether its literals match in either case. Readers extend its character sets themselves,
        /// because each notation has its own convention for ranges.
        ignore_case: bool,
    },
}

/// The data of a token rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenRule {
    /// The mode in which it can match.
    pub mode: ModeId,
    /// The type of its tokens, unless a command changes it.
    pub token: TerminalId,
    /// Whether its literals match in either case. Readers extend its character sets themselves,
    /// because each notation has its own convention for ranges.
    pub ignore_case: bool,
    /// Whether it was created for a literal in a syntax rule and is not a rule of the file.
    pub implicit: bool,
}

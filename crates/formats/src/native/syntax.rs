//! The syntax tree of a file in the native notation.

use gramercy_base::{Map, Span};
use gramercy_grammar::Associativity;

use crate::ebnf::syntax::{Argument, ExprNode, NameId, RuleSyntax, Tree};

/// The initial mode.
pub(super) const DEFAULT_MODE: &str = "DEFAULT_MODE";
/// The channel that the parser reads.
pub(super) const DEFAULT_CHANNEL: &str = "DEFAULT_TOKEN_CHANNEL";

/// The content of a file, in its order.
pub(super) struct NativeFile<'t> {
    pub(super) text: &'t str,
    pub(super) tree: Tree,
    pub(super) rules: Vec<RuleSyntax>,
    /// The sort of each rule.
    pub(super) sorts: Vec<Sort>,
    pub(super) tokens: Vec<TokenSyntax>,
    pub(super) modes: Modes,
    /// Whether the grammar has a lexer: lexical rules or a mode.
    pub(super) has_lexer: bool,
    pub(super) starts: Vec<Argument>,
    pub(super) levels: Vec<PrecedenceLevel>,
    /// Whether literals in syntax rules match in either case.
    pub(super) nocase_literals: bool,
}

/// The modes in addition to the default one, each once.
#[derive(Default)]
pub(super) struct Modes {
    /// In the order of their first mention.
    pub(super) declared: Vec<Argument>,
    index: Map<NameId, usize>,
}

impl Modes {
    /// The index of a mode, counted from the default one.
    pub(super) fn get(&self, tree: &Tree, name: NameId) -> Option<usize> {
        if tree.text(name) == DEFAULT_MODE { Some(0) } else { self.index.get(&name).copied() }
    }

    /// The index of a mode, which is added at its first mention.
    pub(super) fn add(&mut self, tree: &Tree, mode: Argument) -> usize {
        if let Some(known) = self.get(tree, mode.name) {
            return known;
        }
        self.declared.push(mode);
        self.index.insert(mode.name, self.declared.len());
        self.declared.len()
    }
}

/// The user of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    /// The parser.
    Syntax,
    /// The parser; further alternatives of an earlier rule.
    Continued,
    /// The lexer: the rule creates tokens. The mode is counted from the default one.
    Token { mode: usize, ignore_case: bool },
    /// The lexer: only other lexical rules use it.
    Fragment { ignore_case: bool },
}

impl Sort {
    pub(super) fn is_syntax(self) -> bool {
        matches!(self, Sort::Syntax | Sort::Continued)
    }
}

/// A token type that is declared without a rule: by name, possibly with its text, or as a literal.
pub(super) struct TokenSyntax {
    pub(super) name: Argument,
    pub(super) text: Option<Box<str>>,
}

/// Terminals of the same precedence; later levels bind tighter.
pub(super) struct PrecedenceLevel {
    pub(super) associativity: Associativity,
    /// Names and literals.
    pub(super) operands: Vec<ExprNode>,
}

impl NativeFile<'_> {
    /// Whether the parser sees tokens; otherwise it sees text.
    pub(super) fn has_tokens(&self) -> bool {
        self.has_lexer || !self.tokens.is_empty()
    }

    /// The text at a span of the file.
    pub(super) fn written(&self, span: Span) -> &str {
        &self.text[span.range()]
    }
}

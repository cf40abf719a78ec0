//! A file of the native notation as it is written.

use gramercy_base::{Map, Span};
use gramercy_grammar::Associativity;

use crate::ebnf::syntax::{Argument, NameId, Piece, RuleSyntax, Tree};

/// The mode in which lexing begins.
pub(super) const DEFAULT_MODE: &str = "DEFAULT_MODE";
/// The channel that the parser reads.
pub(super) const DEFAULT_CHANNEL: &str = "DEFAULT_TOKEN_CHANNEL";

/// Everything that a file says, in its order.
pub(super) struct NativeFile<'t> {
    pub(super) text: &'t str,
    pub(super) tree: Tree,
    pub(super) rules: Vec<RuleSyntax>,
    /// For each rule its sort.
    pub(super) sorts: Vec<Sort>,
    pub(super) tokens: Vec<TokenSyntax>,
    pub(super) modes: Modes,
    /// Whether the grammar has a lexer: lexical rules, or a mode at least.
    pub(super) has_lexer: bool,
    pub(super) starts: Vec<Argument>,
    pub(super) levels: Vec<Level>,
    /// Whether literals in syntax rules match in either case.
    pub(super) nocase_literals: bool,
}

/// The modes beside the default one, each once.
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

/// Who uses a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    /// The parser.
    Syntax,
    /// The parser; further alternatives of a rule above.
    Continued,
    /// The lexer, to make tokens. The mode is counted from the default one.
    Token { mode: usize, ignore_case: bool },
    /// The lexer, inside other rules.
    Fragment { ignore_case: bool },
}

impl Sort {
    pub(super) fn is_syntax(self) -> bool {
        matches!(self, Sort::Syntax | Sort::Continued)
    }
}

/// A token type that is declared without a rule: by name, perhaps with its text, or as a literal.
pub(super) struct TokenSyntax {
    pub(super) name: Argument,
    pub(super) text: Option<Box<str>>,
}

/// Terminals of one precedence; later levels bind tighter.
pub(super) struct Level {
    pub(super) associativity: Associativity,
    /// Names and literals.
    pub(super) operands: Vec<Piece>,
}

impl NativeFile<'_> {
    /// Whether the parser sees tokens; text otherwise.
    pub(super) fn has_tokens(&self) -> bool {
        self.has_lexer || !self.tokens.is_empty()
    }

    /// What stands at a place of the file.
    pub(super) fn written(&self, span: Span) -> &str {
        &self.text[span.range()]
    }
}

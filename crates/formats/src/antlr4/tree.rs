//! The syntax tree of a `.g4` file.
//!
//! Names and literals are spans in the file; [`Texts`] has the characters. The parser limits the
//! nesting, so walks over a tree may recurse.

use std::sync::Arc;

use gramercy_base::{Id, SourceId, Span};
use gramercy_grammar::{Associativity, NoteKind};

/// The texts of all files that were read.
#[derive(Debug, Default)]
pub(super) struct Texts {
    texts: Vec<Option<Arc<str>>>,
}

impl Texts {
    pub(super) fn add(&mut self, source: SourceId, text: Arc<str>) {
        self.texts.resize(self.texts.len().max(source.index() + 1), None);
        self.texts[source.index()] = Some(text);
    }

    /// The characters under a span.
    pub(super) fn get(&self, span: Span) -> &str {
        let text = self.texts[span.source.index()].as_ref();
        &text.expect("invariant: spans are in files that were read")[span.range()]
    }
}

/// The kind of a grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GrammarKind {
    /// `grammar`: lexer and parser rules.
    Combined,
    /// `lexer grammar`.
    Lexer,
    /// `parser grammar`.
    Parser,
}

impl GrammarKind {
    /// Its name in messages.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            GrammarKind::Combined => "combined",
            GrammarKind::Lexer => "lexer",
            GrammarKind::Parser => "parser",
        }
    }
}

/// One file.
#[derive(Debug)]
pub(super) struct File {
    pub(super) kind: GrammarKind,
    /// The grammar's name, unless the head of the file has an error.
    pub(super) name: Option<Span>,
    pub(super) options: Vec<Setting>,
    pub(super) imports: Vec<Span>,
    pub(super) tokens: Vec<Span>,
    pub(super) channels: Vec<Span>,
    /// The sections `mode NAME;`, in order. The rules before the first are in the default mode.
    pub(super) modes: Vec<Span>,
    pub(super) rules: Vec<Rule>,
    pub(super) asides: Vec<IgnoredCode>,
}

/// `name = value` in an `options` section.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting {
    pub(super) name: Span,
    pub(super) value: Span,
}

/// Code of the target language, which is ignored.
#[derive(Clone, Copy, Debug)]
pub(super) struct IgnoredCode {
    pub(super) kind: NoteKind,
    pub(super) span: Span,
}

/// A rule.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) name: Span,
    /// Whether its name is that of a lexer rule.
    pub(super) lexical: bool,
    pub(super) fragment: bool,
    /// The mode section that contains it.
    pub(super) mode: Option<usize>,
    pub(super) options: Vec<Setting>,
    pub(super) body: Block,
}

/// Alternatives, in parentheses or as the body of a rule.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) alternatives: Vec<Alternative>,
    pub(super) span: Span,
}

/// One alternative.
#[derive(Debug)]
pub(super) struct Alternative {
    pub(super) elements: Vec<Element>,
    pub(super) commands: Vec<CommandSyntax>,
    pub(super) label: Option<Span>,
    pub(super) associativity: Option<Associativity>,
    pub(super) span: Span,
}

/// One element of an alternative.
#[derive(Debug)]
pub(super) struct Element {
    pub(super) atom: Atom,
    /// The span of the atom, without label and suffix.
    pub(super) span: Span,
    pub(super) label: Option<Span>,
    pub(super) suffix: Option<Suffix>,
    /// Whether options in angle brackets follow.
    pub(super) adorned: bool,
}

/// The kind of an element.
#[derive(Debug)]
pub(super) enum Atom {
    /// The name of a token or lexer rule.
    Token,
    /// The name of a parser rule.
    Rule,
    /// `'text'`.
    Literal,
    /// `'a'..'z'`.
    Range(Span, Span),
    /// `[a-z]`.
    Set,
    /// `~` and the excluded set.
    Not(Vec<SetItem>),
    /// `.`.
    Any,
    /// `(…)`.
    Block(Block),
    /// Code or a predicate; it is among the ignored parts of the file.
    Code,
    /// An erroneous element, which is already reported.
    Broken,
}

/// A member of a set under `~`.
#[derive(Clone, Copy, Debug)]
pub(super) struct SetItem {
    pub(super) kind: SetItemKind,
    pub(super) span: Span,
}

/// The kinds of members.
#[derive(Clone, Copy, Debug)]
pub(super) enum SetItemKind {
    Token,
    Literal,
    Range(Span, Span),
    Set,
}

/// `?`, `*` or `+`, and whether it is followed by another `?`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Suffix {
    pub(super) min: u32,
    pub(super) max: Option<u32>,
    pub(super) greedy: bool,
    pub(super) span: Span,
}

/// A lexer command.
#[derive(Clone, Copy, Debug)]
pub(super) struct CommandSyntax {
    pub(super) name: Span,
    pub(super) argument: Option<Span>,
}

impl CommandSyntax {
    pub(super) fn span(self) -> Span {
        self.argument.map_or(self.name, |argument| self.name.to(argument))
    }
}

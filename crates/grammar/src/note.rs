//! Notes on what a reader ignored or decided, so that every output can mention it.

use gramercy_base::{Code, Diagnostic, Span};

use crate::codes;

/// One thing that was ignored or decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The kind.
    pub kind: NoteKind,
    /// The source span.
    pub span: Option<Span>,
    /// A sentence without a final period.
    pub message: String,
}

impl Note {
    /// The note as a diagnostic.
    #[must_use]
    pub fn diagnostic(&self) -> Diagnostic {
        match self.span {
            Some(span) => Diagnostic::at(self.kind.code(), span, self.message.as_str()),
            None => Diagnostic::new(self.kind.code(), self.message.as_str()),
        }
    }
}

/// The kinds of notes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NoteKind {
    /// A semantic predicate: the original accepts less than the plain grammar.
    Predicate,
    /// Code that runs when a rule matches.
    Action,
    /// Code of a base class or a member section that may control the lexer or parser.
    HostCode,
    /// A production with the `error` token.
    ErrorProduction,
    /// A `%nonassoc` operator: the original rejects `a < b < c`.
    NonAssociative,
    /// The start rule does not end with the end of input, so the original may stop early.
    StartWithoutEof,
    /// A declaration that has no effect on the language.
    Ignored,
}

impl NoteKind {
    /// The diagnostic code of the kind.
    #[must_use]
    pub fn code(self) -> Code {
        match self {
            NoteKind::Predicate => codes::PREDICATE,
            NoteKind::Action => codes::ACTION,
            NoteKind::HostCode => codes::HOST_CODE,
            NoteKind::ErrorProduction => codes::ERROR_PRODUCTION,
            NoteKind::NonAssociative => codes::NON_ASSOCIATIVE,
            NoteKind::StartWithoutEof => codes::START_WITHOUT_EOF,
            NoteKind::Ignored => codes::IGNORED,
        }
    }

    /// The stable name, in kebab case.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.code().name
    }

    /// Whether the original tool may accept a different language because of it.
    #[must_use]
    pub fn changes_language(self) -> bool {
        match self {
            NoteKind::Predicate
            | NoteKind::HostCode
            | NoteKind::ErrorProduction
            | NoteKind::NonAssociative
            | NoteKind::StartWithoutEof => true,
            NoteKind::Action | NoteKind::Ignored => false,
        }
    }
}

//! What a reader set aside, so that every output can say so.

use gramercy_base::Span;

/// One thing that was set aside or decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Of which kind.
    pub kind: NoteKind,
    /// Where.
    pub span: Option<Span>,
    /// A sentence about it, without a final period.
    pub message: String,
}

/// The kinds of notes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NoteKind {
    /// A semantic predicate: the original accepts less than the plain grammar.
    Predicate,
    /// Code that runs when a rule matches.
    Action,
    /// Code of a base class or a member section that may steer the lexer or parser.
    HostCode,
    /// A production with the `error` token.
    ErrorProduction,
    /// A `%nonassoc` operator: the original rejects `a < b < c`.
    NonAssociative,
    /// The start rule does not ask for the end of input, where the original may stop early.
    StartWithoutEof,
    /// A declaration that has no bearing on the language.
    Ignored,
}

impl NoteKind {
    /// The stable name, in kebab case.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            NoteKind::Predicate => "predicate",
            NoteKind::Action => "action",
            NoteKind::HostCode => "host-code",
            NoteKind::ErrorProduction => "error-production",
            NoteKind::NonAssociative => "non-associative",
            NoteKind::StartWithoutEof => "start-without-eof",
            NoteKind::Ignored => "ignored",
        }
    }

    /// Whether the original tool may accept another language because of it.
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

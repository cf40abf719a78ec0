//! Right-hand sides as they are written, before it is known what their names mean.
//!
//! All pieces of a file lie in one arena, parts before the whole and the pieces of a rule side by
//! side, so that a walk over a rule is a walk over a slice.

use std::ops::Range;

use gramercy_base::{Id, IndexSet, Map, Span, Table, define_id};
use gramercy_grammar::Associativity;
use gramercy_regular::{CharSet, Regex};

define_id!(pub(crate) struct PieceId, "a piece of a right-hand side");
define_id!(pub(crate) struct NameId, "a name that a file mentions");

/// A piece of a right-hand side.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub(crate) kind: PieceKind,
    pub(crate) span: Span,
}

/// What a piece is. Tribble's notations never make the last four.
#[derive(Clone, Debug)]
pub(crate) enum PieceKind {
    Name(NameId),
    Literal(Box<str>),
    Chars(Box<CharSet>),
    Pattern(Box<Pattern>),
    Sequence(Box<[PieceId]>),
    Alternation(Box<[Branch]>),
    Repeat {
        body: PieceId,
        min: u32,
        max: Option<u32>,
        greedy: bool,
    },
    /// Any character, or any token.
    Any,
    /// Any character or token but these, which are names, literals and sets.
    AnyBut(Box<[Piece]>),
    Eof,
    Commands(Box<[CommandSyntax]>),
}

/// A regular expression: what its dialect read, and what it means.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    pub(crate) source: Box<str>,
    pub(crate) regex: Regex,
}

/// A lexer command before its names are looked up.
#[derive(Clone, Debug)]
pub(crate) struct CommandSyntax {
    pub(crate) kind: CommandKind,
    pub(crate) argument: Option<Argument>,
}

/// A name in parentheses behind a command.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Argument {
    pub(crate) name: NameId,
    pub(crate) span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CommandKind {
    Skip,
    More,
    Type,
    Channel,
    Mode,
    Push,
    Pop,
}

/// An alternative.
#[derive(Clone, Debug)]
pub(crate) struct Branch {
    pub(crate) piece: PieceId,
    pub(crate) marks: Option<Box<Marks>>,
}

/// What is said about an alternative.
#[derive(Clone, Debug, Default)]
pub(crate) struct Marks {
    pub(crate) label: Option<Box<str>>,
    pub(crate) probability: Option<Probability>,
    pub(crate) precedence_of: Option<Piece>,
    pub(crate) associativity: Option<Associativity>,
    pub(crate) dynamic_precedence: Option<u32>,
}

/// A probability and its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Probability {
    pub(crate) value: f64,
    pub(crate) span: Span,
}

/// A name with its right-hand side.
#[derive(Clone, Debug)]
pub(crate) struct RuleSyntax {
    pub(crate) name: NameId,
    /// The name's place.
    pub(crate) span: Span,
    pub(crate) branches: Vec<Branch>,
    /// The right-hand side's place.
    pub(crate) body: Span,
    /// The pieces of the right-hand side.
    pub(crate) pieces: Range<usize>,
}

/// All names and pieces of a file.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    pieces: Table<PieceId, Piece>,
    names: IndexSet<Box<str>>,
    labels: Map<PieceId, Box<str>>,
}

impl Tree {
    /// The id of a name, the same for the same text.
    pub(crate) fn name(&mut self, text: &str) -> NameId {
        let index = match self.names.get_index_of(text) {
            Some(known) => known,
            None => self.names.insert_full(text.into()).0,
        };
        NameId::from_index(index)
    }

    /// The text of a name.
    pub(crate) fn text(&self, name: NameId) -> &str {
        &self.names[name.index()]
    }

    /// The number of different names.
    pub(crate) fn name_count(&self) -> usize {
        self.names.len()
    }

    pub(crate) fn push(&mut self, kind: PieceKind, span: Span) -> PieceId {
        self.pieces.push(Piece { kind, span })
    }

    pub(crate) fn piece(&self, id: PieceId) -> &Piece {
        &self.pieces[id]
    }

    /// How many pieces there are so far.
    pub(crate) fn len(&self) -> usize {
        self.pieces.len()
    }

    /// The pieces of a rule, parts before the whole.
    pub(crate) fn pieces_of(&self, rule: &RuleSyntax) -> &[Piece] {
        &self.pieces.as_slice()[rule.pieces.clone()]
    }

    /// Names an occurrence.
    pub(crate) fn label(&mut self, piece: PieceId, label: &str) {
        self.labels.insert(piece, label.into());
    }

    /// The name of an occurrence.
    pub(crate) fn label_of(&self, piece: PieceId) -> Option<&str> {
        self.labels.get(&piece).map(|label| &**label)
    }

    /// The names that a rule's right-hand side mentions as references, each with its place.
    pub(crate) fn mentions<'t>(
        &'t self,
        rule: &RuleSyntax,
    ) -> impl Iterator<Item = (NameId, Span)> + 't {
        let inside = |piece: &'t Piece| match &piece.kind {
            PieceKind::AnyBut(units) => &units[..],
            _ => std::slice::from_ref(piece),
        };
        self.pieces_of(rule).iter().flat_map(inside).filter_map(|piece| match piece.kind {
            PieceKind::Name(name) => Some((name, piece.span)),
            _ => None,
        })
    }
}

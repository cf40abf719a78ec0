//! The parts of the file that the reader ignored. Many actions are one note with their number and
//! the first spans; parts that may change the language are listed, up to a limit.

use gramercy_base::Diagnostic;
use gramercy_grammar::{Note, NoteKind};

use crate::context::Context;

/// The number of notes of one kind that are listed if they may change the language.
const LISTED: usize = 10;
/// The number of spans in a summary.
const PLACES: usize = 3;

pub(super) fn find(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let notes = context.grammar.notes();
    let mut kinds: Vec<_> = notes.iter().map(|note| note.kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    for kind in kinds {
        let of_kind: Vec<_> = notes.iter().filter(|note| note.kind == kind).collect();
        let listed = match of_kind.len() {
            1 => 1,
            _ if kind.changes_language() => of_kind.len().min(LISTED),
            _ => 0,
        };
        let (listed, rest) = of_kind.split_at(listed);
        found.extend(listed.iter().map(|note| note.diagnostic()));
        found.extend(summary(kind, rest, listed.is_empty()));
    }
}

fn summary(kind: NoteKind, notes: &[&Note], is_all: bool) -> Option<Diagnostic> {
    notes.first()?;
    let more = if is_all { "" } else { "more " };
    let what = plural(kind);
    let message = format!("{} {more}{what} are ignored", notes.len());
    let places = notes.iter().filter_map(|note| note.span).take(PLACES);
    Some(places.fold(Diagnostic::new(kind.code(), message), |it, span| it.label(span, "")))
}

fn plural(kind: NoteKind) -> &'static str {
    match kind {
        NoteKind::Predicate => "predicates",
        NoteKind::Action => "actions",
        NoteKind::HostCode => "pieces of host code",
        NoteKind::ErrorProduction => "error productions",
        NoteKind::NonAssociative => "non-associative operators",
        NoteKind::StartWithoutEof => "start rules without an end of input",
        NoteKind::Ignored => "declarations without an effect on the language",
    }
}

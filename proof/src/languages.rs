//! Languages of grammar files for the proofs: with a parser, and with the ignored parts of the
//! files.

use std::path::Path;

use gramercy_formats::{Disk, Files, LoadOptions};
use gramercy_grammar::NoteKind;
use gramercy_language::Language;
use gramercy_parse::TextParser;

use crate::Fallible;

/// Reads a grammar file and builds its parser.
///
/// # Errors
/// If it has errors, or its automata are too large.
pub fn read(path: &Path, start: Option<&str>) -> Fallible<Language> {
    read_from(path, &Disk, start)
}

/// As [`read`], from files on disk or in memory.
///
/// # Errors
/// As [`read`].
pub fn read_from(path: &Path, files: &dyn Files, start: Option<&str>) -> Fallible<Language> {
    let options = LoadOptions { start: start.map(str::to_owned), ..LoadOptions::default() };
    let language = Language::read_from(path, files, &options);
    let language = language.map_err(|error| format!("{}: {error}", path.display()))?;
    parser(&language)?;
    Ok(language)
}

/// The parser of a language.
///
/// # Errors
/// If its automata are too large.
pub fn parser(language: &Language) -> Fallible<&TextParser> {
    language.parser().map_err(|error| format!("{error:?}"))
}

/// Whether the grammar has a note of this kind.
#[must_use]
pub fn has_note(language: &Language, kind: NoteKind) -> bool {
    language.grammar().notes().iter().any(|note| note.kind == kind)
}

/// Ignored code of the grammar, because of which other programs may accept less.
#[must_use]
pub fn ignored_code(language: &Language) -> Vec<&'static str> {
    let kinds = [
        (NoteKind::Predicate, "predicates"),
        (NoteKind::HostCode, "host code"),
        (NoteKind::Action, "actions"),
    ];
    let found = kinds.into_iter().filter(|(kind, _)| has_note(language, *kind));
    found.map(|(_, name)| name).collect()
}

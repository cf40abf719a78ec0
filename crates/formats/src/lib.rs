//! The notations in which people have their grammars: a room each, with a reader that turns a file
//! into a [`Grammar`] and, where it is worth having, a writer that turns it back.
//!
//! A reader never fails half way: it reports every mistake of a file at once, each with its place,
//! a reason and help, and gives a grammar only if there was no error. Files are reached through
//! [`Files`], so that imports can be served from memory as well.
//!
//! In reading order: [`files`], [`cursor`], [`reading`], [`start`], [`suggest`], [`codes`]; then
//! the notations: [`ebnf`] (what the next three share), [`native`], [`tribble`], [`scala`],
//! [`antlr4`], [`yacc`]; and for people: [`bnf_listing`](mod@bnf_listing).

pub mod antlr4;
pub mod bnf_listing;
pub mod codes;
pub mod cursor;
pub mod ebnf;
pub mod files;
pub mod native;
pub mod reading;
pub mod scala;
pub mod start;
pub mod suggest;
pub mod tribble;
pub mod yacc;

use std::path::Path;

use gramercy_base::{Diagnostic, Limits, SourceId, Sources};
use gramercy_grammar::{Grammar, Notation};

pub use bnf_listing::bnf_listing;
pub use files::{Disk, Files, Memory, WrittenFile};
pub use reading::Reading;

/// What a user may say about how a grammar is to be read.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// The notation; by the file's extension if not given.
    pub notation: Option<Notation>,
    /// The start rule; found by the notation's own custom if not given.
    pub start: Option<String>,
    /// Bounds on size and nesting.
    pub limits: Limits,
}

/// What became of reading a grammar.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The grammar, if no diagnostic is an error.
    pub grammar: Option<Grammar>,
    /// Everything there is to say, in the order of the file.
    pub diagnostics: Vec<Diagnostic>,
    /// The files that the diagnostics speak of.
    pub sources: Sources,
}

/// Reads the grammar in a file.
#[must_use]
pub fn load(path: &Path, files: &dyn Files, options: &LoadOptions) -> Loaded {
    let mut reading = Reading::new(files, options);
    let grammar = reading.read_grammar(path);
    reading.finish(grammar)
}

/// The notation that a file's extension stands for.
#[must_use]
pub fn notation_of(path: &Path) -> Option<Notation> {
    match path.extension()?.to_str()? {
        "gram" => Some(Notation::Native),
        "g4" => Some(Notation::Antlr4),
        "y" | "yy" | "ypp" | "yxx" | "y++" => Some(Notation::Yacc),
        "tribble" => Some(Notation::Tribble),
        "scala" => Some(Notation::Scala),
        _ => None,
    }
}

fn read_notation(
    reading: &mut Reading<'_>,
    notation: Notation,
    source: SourceId,
    path: &Path,
) -> Option<Grammar> {
    match notation {
        // Readers are listed here, one line each.
        Notation::Antlr4 => antlr4::read(reading, source, path),
        Notation::Native => native::read(reading, source, path),
        Notation::Scala => scala::read(reading, source, path),
        Notation::Tribble => tribble::read(reading, source, path),
        Notation::Yacc => yacc::read(reading, source, path),
    }
}

//! The notations of grammars, one folder each: a reader turns a file into a [`Grammar`], and some
//! notations have a writer for the reverse.
//!
//! A reader does not stop at the first error: it reports all errors of a file, each with its span,
//! a reason and help, and returns a grammar only if there is none. Files come through [`Files`], so
//! imports can also come from memory.
//!
//! In reading order: [`files`], [`cursor`], [`reading`], [`start`], [`suggest`], [`codes`]; then
//! the notations: [`ebnf`] (shared by the next three), [`native`], [`tribble`], [`scala`],
//! [`antlr4`], [`yacc`]; `pairing` (with a lexer in another file); and a readable listing:
//! [`bnf_listing`](mod@bnf_listing).

pub mod antlr4;
pub mod bnf_listing;
pub mod codes;
pub mod cursor;
pub mod ebnf;
pub mod files;
pub mod native;
mod pairing;
pub mod reading;
pub mod scala;
pub mod start;
pub mod suggest;
pub mod tribble;
pub mod yacc;

use std::path::{Path, PathBuf};

use gramercy_base::{Diagnostic, Limits, SourceId, Sources};
use gramercy_grammar::{Grammar, Notation};

pub use bnf_listing::bnf_listing;
pub use files::{Disk, Encoded, Files, Memory, WrittenFile};
pub use reading::Reading;

/// The options for reading a grammar.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// The notation; by default, the extension of the file determines it.
    pub notation: Option<Notation>,
    /// The start rule; by default, the convention of the notation determines it.
    pub start: Option<String>,
    /// A file with the token rules for a grammar without a lexer.
    pub lexer: Option<PathBuf>,
    /// Limits on size and nesting.
    pub limits: Limits,
}

/// The result of reading a grammar.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The grammar, if no diagnostic is an error.
    pub grammar: Option<Grammar>,
    /// All diagnostics, in the order of the file.
    pub diagnostics: Vec<Diagnostic>,
    /// The files that the diagnostics refer to.
    pub sources: Sources,
}

/// Reads the grammar in a file.
#[must_use]
pub fn load(path: &Path, files: &dyn Files, options: &LoadOptions) -> Loaded {
    let mut reading = Reading::new(files, options);
    let mut grammar = reading.read_grammar(path);
    if let (Some(alone), Some(lexer)) = (&grammar, &options.lexer) {
        grammar = pairing::pair(&mut reading, alone, lexer);
    }
    reading.finish(grammar)
}

/// The notation of a file extension.
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
        // All readers, one line each.
        Notation::Antlr4 => antlr4::read(reading, source, path),
        Notation::Native => native::read(reading, source, path),
        Notation::Scala => scala::read(reading, source, path),
        Notation::Tribble => tribble::read(reading, source, path),
        Notation::Yacc => yacc::read(reading, source, path),
    }
}

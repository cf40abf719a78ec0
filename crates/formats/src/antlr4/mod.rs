//! The notation of ANTLR 4 (`.g4`).
//!
//! The reader accepts the grammars of ANTLR 4.13: combined grammars, and parser grammars with the
//! lexer grammar of `tokenVocab` or the one next to them, each with imports. The meaning is that of
//! ANTLR, including the token types of literals; code of the target language, predicates and
//! superclasses are ignored with notes. Some constructs that ANTLR rejects but that have a clear
//! meaning (mutual left recursion, loops over empty bodies) are loaded with a warning.
//!
//! The phases: `lex` creates tokens, `parse` a `tree`, `gather` joins it with its imports,
//! `vocabulary` finds the lexer, `symbols` resolves names and literals, `lower` builds the grammar
//! with the help of `sets`, `choose_start` finds the start rule, and `check` warns. Each phase is
//! linear in the files. [`write`](fn@write) is the reverse.

mod check;
mod choose_start;
pub mod codes;
mod gather;
mod implications;
mod lex;
mod lower;
mod parse;
mod sets;
mod symbols;
mod tree;
mod vocabulary;
mod write;

use std::path::Path;

use gramercy_base::SourceId;
use gramercy_grammar::Grammar;

use crate::Reading;

pub use write::{lost_precedence, write};

/// Reads a `.g4` file and the files that it needs.
pub(crate) fn read(reading: &mut Reading<'_>, source: SourceId, path: &Path) -> Option<Grammar> {
    let mut texts = tree::Texts::default();
    let grammar = gather::gather(reading, &mut texts, source, path);
    let vocabulary = vocabulary::vocabulary(reading, &mut texts, &grammar);
    lower::lower(reading, &texts, &grammar, &vocabulary)
}

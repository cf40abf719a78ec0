//! The notation of ANTLR 4 (`.g4`).
//!
//! The reader takes what ANTLR 4.13 takes: combined grammars, and parser grammars with the lexer
//! grammar that `tokenVocab` names or that lies beside them, each with imports. The meaning is
//! ANTLR's (FACTS §7), down to which literal is which token type; code of the target language,
//! predicates and superclasses are set aside as notes. What ANTLR refuses but is meaningful
//! nevertheless (mutual left recursion, loops over nothing) is loaded with a warning.
//!
//! The way of a file: `lex` makes words, `parse` a `tree`, `gather` joins it with its imports,
//! `vocabulary` finds the lexer, `symbols` says what names and literals stand for, `lower` builds the
//! grammar with the help of `sets`, `choose_start` finds the start rule, and `check` warns. Each step
//! is linear in the files. The way back is [`write`](fn@write).

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

/// Reads a `.g4` file and what belongs to it.
pub(crate) fn read(reading: &mut Reading<'_>, source: SourceId, path: &Path) -> Option<Grammar> {
    let mut texts = tree::Texts::default();
    let grammar = gather::gather(reading, &mut texts, source, path);
    let vocabulary = vocabulary::vocabulary(reading, &mut texts, &grammar);
    lower::lower(reading, &texts, &grammar, &vocabulary)
}

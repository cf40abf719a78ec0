//! Writes any grammar as one for ANTLR 4.
//!
//! A grammar from an ANTLR source keeps its rules with their labels, commands, modes and options,
//! so that reading it back gives the same productions and lexical rules; ignored parts are not
//! written. Other notations need more, each in its file: [`lexed`] (lexical rules), [`tokens`]
//! (token types that are only names), [`scannerless`] (terminals that are text). Names are changed
//! to legal ANTLR names, uniquely and deterministically: parser rules begin with a lower-case
//! letter, tokens and lexer rules with an upper-case one.
//!
//! In reading order: [`phrase`] (right-hand sides as text), [`expand`] (expressions as phrases),
//! [`precedence`] (the order of alternatives), [`spell`] (characters), [`names`], [`page`] (files), and the three above. Linear in the output:
//! bounded repetitions are expanded, up to the limit on symbols.

mod expand;
mod lexed;
mod names;
mod page;
mod phrase;
mod precedence;
mod regular;
mod scannerless;
mod spell;
mod tokens;

use gramercy_base::{LimitReached, Limits};
use gramercy_grammar::{Grammar, TextKind};

pub use precedence::lost_precedence;

use crate::WrittenFile;

/// The grammar for ANTLR: one combined grammar or, if there are modes or channels, a lexer grammar
/// and, last, the parser grammar that uses it.
///
/// # Errors
/// If bounded repetitions or automata of regular expressions grow beyond the limits.
pub fn write(grammar: &Grammar, limits: &Limits) -> Result<Vec<WrittenFile>, LimitReached> {
    match grammar.text_kind() {
        TextKind::Lexed => lexed::write(grammar, limits),
        TextKind::TokensOnly => tokens::write(grammar, limits),
        TextKind::Scannerless => scannerless::write(grammar, limits),
    }
}

//! Writes any grammar as one for ANTLR 4.
//!
//! From an ANTLR source come the same rules with their labels, commands, modes and options, so that
//! reading them back gives the same productions and lexical rules; what was set aside stays aside.
//! Other notations need more, each in its file: [`lexed`] (lexical rules), [`tokens`] (token types
//! that are names only), [`scannerless`] (terminals that are text). Names are made legal for ANTLR,
//! uniquely and the same on every run: parser rules begin with a lower-case letter, tokens and lexer
//! rules with an upper-case one.
//!
//! In reading order: [`phrase`] (right-hand sides as text), [`expand`] (expressions as phrases),
//! [`precedence`] (the order of alternatives), [`spell`] (characters), [`names`], [`page`] (files), and the three above. The cost is linear in what
//! is written: repetitions with bounds are written out, up to the limit on symbols.

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

/// The grammar for ANTLR: one combined grammar, or a lexer grammar and, last, the parser grammar that
/// uses it where modes or channels ask for that.
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

//! Regular languages over characters: sets of code points, regular expressions as trees, and their
//! automata. Knows no grammar and no lexer: what a *token* is, is decided further down the pipeline.
//!
//! In reading order: [`chars`], [`regex`].

pub mod chars;
pub mod regex;

pub use chars::CharSet;
pub use regex::Regex;

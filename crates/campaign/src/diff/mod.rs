//! What differs: programs on the same tests, or grammars on each other's suites.
//!
//! In reading order: [`programs`], [`grammars`], `lexemes` (lexers against lexers).

pub mod grammars;
mod lexemes;
pub mod programs;

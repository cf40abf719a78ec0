//! What differs: programs on the same tests, or grammars on each other's suites.
//!
//! In reading order: [`programs`], [`grammars`].

pub mod grammars;
pub mod programs;

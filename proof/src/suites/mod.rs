//! Suites as a whole: for every criterion and every grammar there is, each test parses, and together
//! the tests cover all targets that are told to be written. The parser and the criteria measure it, not
//! what made the suite; where the grammar is one of ANTLR's, ANTLR judges the texts as well.
//!
//! In reading order: [`subject`] (the grammars), [`trial`] (one criterion on one grammar), [`measured`]
//! (what measures tests as they are made), [`table`].

pub mod measured;
pub mod subject;
pub mod table;
pub mod trial;

//! Complete suites: for every criterion and every grammar, each test parses, and together the tests
//! cover all targets that are reported as written. The parser and the criteria measure this, not
//! the strategies; for grammars of ANTLR, ANTLR also judges the texts.
//!
//! In reading order: [`subject`] (the grammars), [`trial`] (one criterion on one grammar),
//! [`measured`] (the measuring sink), [`table`].

pub mod measured;
pub mod subject;
pub mod table;
pub mod trial;

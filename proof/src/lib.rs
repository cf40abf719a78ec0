//! Proofs that need all steps from a grammar to text and back: random trees are written as text,
//! and the text is read by this project and by other programs.
//!
//! In reading order: [`languages`] (languages of grammar files), [`trees`] (random trees),
//! [`round_trip`] (the text of a tree is read back to the tree), [`antlr`] (ANTLR as the judge),
//! [`suites`] (suites of every criterion cover their targets), [`lr_suites`] (complete suites over
//! LR-graphs), [`negatives`] (errors are where ANTLR and bison report them), [`preferred_trees`] (preferred trees are those of ANTLR and bison), [`faults`] (real faults of grammars
//! are localized and repaired), [`seeded_faults`] (faults that are made on purpose are localized).

pub mod antlr;
pub mod columns;
pub mod faults;
pub mod languages;
pub mod lr_suites;
pub mod negatives;
pub mod preferred_trees;
pub mod round_trip;
pub mod seeded_faults;
pub mod suites;
pub mod trees;

/// The result of an operation that can fail with a message.
pub type Fallible<T = ()> = Result<T, String>;

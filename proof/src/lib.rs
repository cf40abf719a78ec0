//! Proofs that need the whole way from a grammar to text and back: random trees are written as text,
//! and the text is read by our own reader and by other programs.
//!
//! In reading order: [`languages`] (languages of grammar files), [`trees`] (random trees), [`round_trip`] (a
//! tree's text gives back the tree), [`antlr`] (ANTLR itself as the judge), [`suites`] (suites of every criterion
//! cover what they say), [`lr_suites`] (whole suites over LR-graphs), [`preferred_trees`] (trees are those of ANTLR and bison).

pub mod antlr;
pub mod columns;
pub mod languages;
pub mod lr_suites;
pub mod preferred_trees;
pub mod round_trip;
pub mod suites;
pub mod trees;

/// Something went wrong, in a sentence.
pub type Fallible<T = ()> = Result<T, String>;

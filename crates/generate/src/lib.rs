//! Strategies that make systematic suites from a grammar.
//!
//! In reading order: the [`strategies`], one file or folder each, [`minimize`] (a suite without what it can do
//! without) and [`compare`] (criteria and strategies against each other).

pub mod compare;
pub mod minimize;
pub mod strategies;

pub use minimize::{Minimized, Minimizer};

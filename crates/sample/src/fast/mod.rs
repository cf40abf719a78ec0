//! Texts of random tests without a tree: sentences grow by runs of tokens that are written at once.
//!
//! In reading order: `runs` (tokens that are put down together), `phrases`, `sentences` (how a sentence grows
//! from them), `chains` (runs as links of text).

pub(crate) mod chains;
pub(crate) mod phrases;
pub(crate) mod runs;
pub(crate) mod sentences;

//! What a test is, and every form in which tests and inputs are read and written.
//!
//! In reading order: [`corpus`] (inputs that people already have).

pub mod corpus;

pub use corpus::{Corpus, CorpusError, Input};

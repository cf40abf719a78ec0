//! What a test is, and every form in which tests and inputs are read and written.
//!
//! In reading order: [`mod@test`] (what a test is), [`document`] (a test as JSON), [`sink`] (where tests go),
//! [`sinks`] (one file per form), [`manifest`] (the file beside a suite), [`corpus`] (inputs that people already
//! have).

pub mod corpus;
pub mod document;
pub mod manifest;
pub mod sink;
pub mod sinks;
pub mod test;

pub use corpus::{Corpus, CorpusError, Expectation, Input, NamePattern};
pub use document::Document;
pub use sink::{Rendering, Sink, SinkError, Wants};
pub use test::{Content, Expect, Mutation, Origin, Target, Test, Token};

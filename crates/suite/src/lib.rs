//! What a test is, and every form in which tests and inputs are read and written.
//!
//! In reading order: [`mod@test`] (what a test is), [`sink`] (where tests go), [`sinks`] (one file per
//! form), [`manifest`] (how a suite was made), [`corpus`] (inputs that people already have).

pub mod corpus;
pub mod manifest;
pub mod sink;
pub mod sinks;
pub mod test;

pub use corpus::{Corpus, CorpusError, Input};
pub use manifest::{Manifest, ManifestError};
pub use sink::{Rendering, Sink, SinkError, Wants};
pub use test::{Expect, Target, Test, Token};

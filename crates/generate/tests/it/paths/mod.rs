//! Suites of k-paths: that they are complete, and how large they are.

mod complete;
mod figures;
mod options;
mod pack;
pub(crate) mod support;

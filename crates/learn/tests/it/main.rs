//! Tests of the crate as its users see it.

mod arithmetic;
mod refining;
mod reports;
mod solving;
mod trees;

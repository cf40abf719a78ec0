//! Tests of the crate as its users see it.

mod arithmetic;
mod reports;
mod solving;
mod trees;

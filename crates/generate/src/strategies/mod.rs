//! The strategies, a file or a folder each.

pub mod random;

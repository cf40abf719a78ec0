//! The strategies, a file or folder each.

pub mod kpath;
pub mod pack;

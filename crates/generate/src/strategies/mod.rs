//! The strategies, a file each.

pub mod pop_edge;

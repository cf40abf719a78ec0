//! The strategies, a file each.

pub mod lr_bfs;
pub mod lr_path;
pub mod pop_edge;
pub mod variants;

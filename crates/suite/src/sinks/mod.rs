//! The forms in which a suite is kept, a file each.

pub mod lines;

pub use lines::{Lines, Nul};

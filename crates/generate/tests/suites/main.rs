//! Suites as a whole: how large they are, what they cover, and that they do not depend on how they
//! are made.

mod modes;
mod packed;
mod pipeline;
mod sizes;
mod support;

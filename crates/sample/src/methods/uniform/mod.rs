//! Exactly uniform random trees.
//!
//! Every tree of a size, or of a range of sizes, has the same probability; so has every word, where that is requested;
//! or every tree that covers a given element.
//!
//! In reading order: [`stream`] (random numbers), [`space`] (which trees there are), [`sampler`] (one of them),
//! [`rank`] (trees by number).

pub mod rank;
pub mod sampler;
pub mod space;
pub mod stream;

pub use rank::{Ranking, distinct_ranks};
pub use sampler::{Sampler, Scratch};
pub use space::{SizeRange, SpaceError, TreeSpace};
pub use stream::Stream;

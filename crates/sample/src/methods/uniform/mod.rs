//! Exactly uniform random trees.
//!
//! Every tree of a size, or of a range of sizes, has the same probability; so has every word, where that is requested;
//! or every tree that covers a given element.
//!
//! In reading order: [`stream`] (random numbers), [`space`] (which trees there are), [`sampler`] (one of them),
//! [`rank`] (trees by number), [`words`] (how many trees a word has), [`strategy`] (trees as candidates),
//! [`elements`] (what trees can cover), [`plan`] (how all of it is covered soon), [`boltzmann`] (trees of about a
//! size without tables).

pub mod boltzmann;
pub mod elements;
pub mod plan;
pub mod rank;
pub mod sampler;
pub mod space;
pub mod strategy;
pub mod stream;
pub mod words;

pub use boltzmann::{Boltzmann, Frequency, TuneError};
pub use elements::{Element, ElementError, ElementKind, ElementKinds, Elements};
pub use plan::{Plan, PlanError, PlanOptions, Planned};
pub use rank::{Ranking, distinct_ranks};
pub use sampler::{Sampler, Scratch};
pub use space::{SizeRange, SpaceError, TreeSpace};
pub use strategy::{BoltzmannTrees, Drawn, RankedTrees, Ranks, UniformTrees};
pub use stream::Stream;
pub use words::WordTrees;

//! Random derivation trees.
//!
//! Every test has its own random stream, derived from the seed and its number, so tests are made in any order.
//!
//! In reading order: [`weighing`] (how probable productions are); trees by the grammar graph: [`graph_sampler`]
//! and [`least_used`]; trees by the BNF core: [`grow`] (what the methods share), [`methods`] (one file each), and
//! [`fast`], which writes the texts of large suites without a tree, byte for byte as the plain path does.

pub mod fast;
pub mod graph_sampler;
pub mod grow;
pub mod least_used;
pub mod methods;
pub mod weighing;

pub use graph_sampler::{Choice, GraphOptions, GraphSampler};
pub use least_used::LeastUsed;
pub use weighing::Weighing;

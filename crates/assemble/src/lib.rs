//! From a recipe to a suite: the one engine under every command that makes tests.
//!
//! A [`Recipe`] says completely how a suite is made. [`suite()`] turns a language and a recipe into tests and hands
//! them to a sink: it builds the strategies, takes their candidates, writes their texts, proves them, merges
//! equal ones and answers each strategy with the outcome. Nothing else makes suites.
//!
//! In reading order: [`recipe`], `named` (recipes in files), [`plan`] (what a recipe needs, built once), `given`
//! (what a corpus covers already), [`systematic`], [`random`], [`uniform`] and [`negative`] (the strategies of each
//! kind of recipe),
//! `guided` (tests that a model predicts to reach a target),
//! [`engine`] (from candidates to tests), [`mod@suite`] (the whole way), [`manifest`] (a recipe beside its suite),
//! [`iterate`] (a suite as an iterator).

pub mod engine;
mod given;
mod guided;
pub mod iterate;
pub mod manifest;
mod named;
pub mod negative;
pub mod plan;
pub mod random;
pub mod recipe;
pub mod suite;
pub mod systematic;
pub mod uniform;

pub use engine::options::Shard;
pub use engine::summary::{Summary, Unwritten};
pub use engine::{Progress, Watch};
pub use iterate::{OwnedTest, Tests};
pub use manifest::{Manifest, ManifestError};
pub use recipe::Recipe;
pub use suite::{SuiteError, suite};

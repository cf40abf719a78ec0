//! Building blocks for derivation trees.
//!
//! A strategy proposes [`Candidate`]s: the productions of a leftmost derivation and the tokens they give, both
//! as flat lists. What most strategies share are two tables: how a nonterminal is derived as cheaply as possible
//! ([`CheapestTrees`]), and how a sentence gets down to it as cheaply as possible ([`Contexts`]). With both, the
//! cheapest sentence around any fragment of a tree is a few copies.
//!
//! In reading order: [`candidate`], [`strategy`] (how strategies propose candidates and learn what became of
//! them), [`obstacle`] (what keeps a candidate from becoming a test), [`resolution`] (what is cheap, and how ties
//! are broken), [`cheapest`], [`contexts`], [`lr_contexts`] (the same over LR-graphs), [`turns`] (cheapest trees
//! in turn), [`search`] (other trees where the cheapest have no text), [`resolutions`] (several resolutions at
//! once). For k-paths: [`agenda`] (what is still missing), [`path_ranks`] (the paths of a tree) and [`routes`]
//! (how a tree gets to them).

pub mod agenda;
pub mod candidate;
pub mod cheapest;
pub mod contexts;
pub mod lr_contexts;
pub mod obstacle;
pub mod path_ranks;
pub mod resolution;
pub mod resolutions;
pub mod routes;
pub mod search;
pub mod strategy;
pub mod turns;

pub use agenda::Agenda;
pub use candidate::{Candidate, FixedText, Goal};
pub use cheapest::CheapestTrees;
pub use contexts::Contexts;
pub use lr_contexts::LrContexts;
pub use obstacle::Obstacle;
pub use resolution::{Embedding, Resolution, Ties};
pub use resolutions::Resolutions;

//! Strategies that make tests from a grammar.
//!
//! A strategy makes derivation trees, one a test, in a [`Draft`]: the productions of the leftmost
//! derivation and the tokens they give, both as flat lists. What most of them share are two tables:
//! how a nonterminal is closed off as cheaply as possible ([`Minimal`]), and how a sentence gets
//! down to it as cheaply as possible ([`Contexts`]). With both, the cheapest sentence around any
//! fragment of a tree is a few copies.
//!
//! In reading order: [`draft`], [`resolution`] (what is cheap, and how ties are broken), [`minimal`],
//! [`contexts`], [`closings`] (several resolutions at once), [`strategy`] (what each strategy must do),
//! [`strategies`], [`pipeline`] (from strategies to a suite).

pub mod closings;
pub mod contexts;
pub mod draft;
pub mod minimal;
pub mod pipeline;
pub mod resolution;
pub mod strategies;
pub mod strategy;

pub use closings::Closings;
pub use contexts::Contexts;
pub use draft::{Draft, Goal};
pub use minimal::Minimal;
pub use pipeline::{Named, Options, Pipeline, Progress, Shard, Summary};
pub use resolution::{Embedding, Resolution, Ties};
pub use strategy::{Indexed, Sequential, Strategy};

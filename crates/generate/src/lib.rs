//! Strategies that make tests from a grammar.
//!
//! A strategy makes derivation trees, one a test, in a [`Draft`]: the productions of the leftmost
//! derivation and the tokens they give, both as flat lists. What most of them share are two tables:
//! how a nonterminal is closed off as cheaply as possible ([`Minimal`]), and how a sentence gets
//! down to it as cheaply as possible ([`Contexts`]). With both, the cheapest sentence around any
//! fragment of a tree is a few copies.
//!
//! In reading order: [`draft`], [`resolution`] (what is cheap, and how ties are broken), [`minimal`],
//! [`contexts`], [`lr_contexts`] (the same over LR-graphs), [`strategy`] (what each strategy must do),
//! [`strategies`], [`compare`] (strategies against each other).

pub mod compare;
pub mod contexts;
pub mod draft;
pub mod lr_contexts;
pub mod minimal;
pub mod resolution;
pub mod strategies;
pub mod strategy;

pub use contexts::Contexts;
pub use draft::{Draft, Goal};
pub use lr_contexts::LrContexts;
pub use minimal::Minimal;
pub use resolution::{Embedding, Resolution, Ties};
pub use strategy::{Indexed, Sequential, Strategy};

//! Strategies that make tests from a grammar.
//!
//! A strategy makes derivation trees, one a test, in a [`Draft`]: the productions of the leftmost
//! derivation and the tokens they give, both as flat lists. What most of them share are two tables:
//! how a nonterminal is closed off as cheaply as possible ([`Minimal`]), and how a sentence gets
//! down to it as cheaply as possible ([`Contexts`]). With both, the cheapest sentence around any
//! fragment of a tree is a few copies.
//!
//! In reading order: [`draft`], [`resolution`] (what is cheap, and how ties are broken), [`minimal`],
//! [`contexts`], [`lr_contexts`] (the same over LR-graphs), [`turns`] (cheapest trees in turn),
//! [`closings`] (several resolutions at once), [`search`] (other trees where the cheapest have no text),
//! [`strategy`] (what each strategy must do). For k-paths: [`agenda`] (what is still missing),
//! [`path_ranks`] (the paths of a tree), [`routes`] (how a tree gets to them), [`weighing`], [`drawing`]
//! and [`least_used`] (random trees). Then the [`strategies`], [`pipeline`] (from strategies to a suite),
//! [`minimize`] (a suite without what it can do without) and [`compare`] (strategies against each other).

pub mod agenda;
pub mod closings;
pub mod compare;
pub mod contexts;
pub mod draft;
pub mod drawing;
pub mod least_used;
pub mod lr_contexts;
pub mod minimal;
pub mod minimize;
pub mod path_ranks;
pub mod pipeline;
pub mod resolution;
pub mod routes;
pub mod search;
pub mod strategies;
pub mod strategy;
pub mod turns;
pub mod weighing;

pub use agenda::Agenda;
pub use closings::Closings;
pub use contexts::Contexts;
pub use draft::{Draft, Fixed, Goal};
pub use drawing::{Choice, DrawOptions, Drawer};
pub use least_used::LeastUsed;
pub use lr_contexts::LrContexts;
pub use minimal::Minimal;
pub use minimize::{Minimized, Minimizer};
pub use pipeline::{Kept, Named, Options, Pipeline, Progress, Shard, Summary, Survey};
pub use resolution::{Embedding, Resolution, Ties};
pub use strategy::{Indexed, Maker, Mended, Plain, Sequential, Strategy};
pub use weighing::Weighing;

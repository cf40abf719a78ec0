//! What random methods share: choices by weight, and trees that grow towards a number of tokens.
//!
//! In reading order: `aliases` and `alias_tables` (choices by weight), `rules` (what productions consist of),
//! `receivers` (who takes a tree as it is made), `parts`, `endings` and `shapes` (tables of `growth`), `growth`,
//! `repair` (other parts for what cannot be written), `fill` (what the methods have in common).

pub(crate) mod alias_tables;
pub(crate) mod aliases;
pub(crate) mod endings;
pub(crate) mod fill;
pub(crate) mod growth;
pub(crate) mod parts;
pub(crate) mod receivers;
pub(crate) mod repair;
pub(crate) mod rules;
pub(crate) mod shapes;

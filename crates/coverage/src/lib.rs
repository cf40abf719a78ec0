//! What a criterion wants covered, what of it can be covered, and what derivations cover.
//!
//! A criterion's targets are ranked to dense integers, so coverage is a bit set, and counting them
//! needs no enumeration. Each criterion is a file in [`criteria`] and a line in its registry; it
//! measures [`Derivations`](gramercy_parse::Derivations), so a tree and a forest of all trees, cyclic
//! ones included, are measured alike; criteria on tokens measure the lexemes that come with them.
//!
//! In reading order: [`spec`] (how criteria are named), [`targets`] (sets of targets), [`criterion`] (what each must do),
//! [`path_walk`] (paths of the grammar graph in derivations), [`criteria`],
//! `token_grammar`, [`witness`], [`pattern`], [`measure`] (what a corpus covers), [`alternatives`] (how often each
//! was used), [`select`] (a small subset that covers the same), [`exempt`] (targets to leave).

pub mod alternatives;
pub mod criteria;
pub mod criterion;
pub mod exempt;
pub mod measure;
pub mod path_walk;
pub mod pattern;
pub mod select;
pub mod spec;
pub mod targets;
mod token_grammar;
mod used_tokens;
pub mod witness;

pub use alternatives::{AlternativeUses, uses_of_alternatives};
pub use criterion::{
    Criterion, Fragment, FragmentItem, Lexeme, Reading, RejectedInput, Uncoverable,
};
pub use exempt::Exemptions;
pub use measure::{CountedTrees, Covered, Measure};
pub use spec::{Argument, CriterionSpec, SpecError};
pub use targets::{TargetId, TargetSet};

//! LR automata of grammars, their conflicts, and LR-graphs (Rossouw, Fischer, JSS 2024).
//!
//! Three constructions return the same type, [`Automaton`]: LR(0), LALR(1) and canonical LR(1).
//! They have the same interface: a grammar, facts and limits give an automaton, or the limit that
//! was reached. All accept any grammar: ε-rules, cycles, hidden left recursion, unproductive or
//! unreachable symbols, even a grammar without sentences. Conflicts are not resolved in this crate.
//!
//! In reading order: [`labels`], [`items`], [`automaton`], `collection`, [`lr0`], `contexts`,
//! [`canonical`], [`lalr`], [`closure_lookaheads`], [`conflicts`], [`graph`], [`neighbors`], [`reduction_path`], [`gotos`],
//! [`embedding`], [`shallowest`], [`pop_paths`].

use gramercy_analysis::{First, Nullable};

pub use gramercy_analysis::TerminalOrEnd;

pub mod automaton;
pub mod canonical;
pub mod closure_lookaheads;
mod collection;
pub mod conflicts;
mod contexts;
pub mod embedding;
pub mod gotos;
pub mod graph;
mod intern;
pub mod items;
pub mod labels;
pub mod lalr;
pub mod lr0;
pub mod neighbors;
pub mod pop_paths;
pub mod reduction_path;
pub mod shallowest;

pub use automaton::{
    Automaton, Construction, KernelItem, LookaheadsId, Reduction, StateId, Transition,
};
pub use closure_lookaheads::Closures;
pub use conflicts::{Conflict, ConflictCounts};
pub use embedding::{EmbeddingTree, Occurrence};
pub use gotos::{GotoId, Gotos};
pub use graph::{LrGraph, PopEdge, PushEdge};
pub use items::{ItemId, Items};
pub use labels::{Label, LabelId, Labels};
pub use neighbors::Neighbors;
pub use pop_paths::{PopId, PopPaths};
pub use reduction_path::ReductionPath;
pub use shallowest::Shallowest;

/// The facts that the constructions need.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    /// The nullable symbols.
    pub nullable: &'a Nullable,
    /// The first sets.
    pub first: &'a First,
}

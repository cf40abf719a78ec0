//! Facts about grammars, one per file. Each is computed from plain productions or from the grammar
//! graph, and immutable.
//!
//! A fact that depends on others takes them as parameters, so each is computed once and only if it
//! is needed. All are linear in the grammar for a fixed number of terminals, except for the
//! logarithm of a queue where costs are compared. Sets of terminals are bit sets, so their memory
//! is bounded by nonterminals times terminals. Nothing recurses on the grammar.
//!
//! Two solvers do most of the work: [`fixpoint`] for facts in which a production depends on all its
//! symbols, and [`components`] for sets that spread along a graph.
//!
//! In reading order: [`rows`], [`components`], [`fixpoint`], [`alphabet`]; on productions
//! [`productive`], [`reachable`], [`useful`], [`nullable`], [`sides`], [`first`], [`last`], [`follow`],
//! [`precede`], [`adjacency`], [`shortest_yield`], [`longest_yield`], [`heights`], [`cyclic`], [`left_recursive`],
//! [`duplicates`], [`counts`]; on the grammar graph [`viable`], [`kpaths`] and, again, [`heights`].

pub mod adjacency;
pub mod alphabet;
mod and_or;
pub mod components;
pub mod counts;
pub mod cyclic;
pub mod duplicates;
pub mod first;
pub mod fixpoint;
pub mod follow;
pub mod heights;
pub mod kpaths;
pub mod last;
pub mod left_recursive;
pub mod longest_yield;
pub mod nullable;
pub mod precede;
pub mod productive;
pub mod reachable;
pub mod rows;
pub mod shortest_yield;
pub mod sides;
pub mod useful;
pub mod viable;

pub use adjacency::Adjacency;
pub use alphabet::{TerminalOrEnd, TerminalSets};
pub use components::Components;
pub use cyclic::Cyclic;
pub use duplicates::Duplicates;
pub use first::First;
pub use follow::Follow;
pub use heights::{Heights, NodeHeights};
pub use kpaths::KPaths;
pub use last::Last;
pub use left_recursive::LeftRecursive;
pub use longest_yield::{Longest, LongestYield};
pub use nullable::Nullable;
pub use precede::Precede;
pub use productive::Productive;
pub use reachable::Reachable;
pub use rows::Rows;
pub use shortest_yield::{Length, ShortestYield};
pub use useful::Useful;
pub use viable::Viable;

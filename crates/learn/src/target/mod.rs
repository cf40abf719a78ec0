//! Inputs that reach a target: the conditions of its tree, solved.
//!
//! Each leaf of a tree that predicts "covered" is a conjunction: paths that an input must have and paths that it must
//! not have. Havrikov, Kampmann and Zeller (TOSEM, section 5.3) search partial derivation trees, best first, for one
//! that fulfils it (Algorithm 3), after a check that filters out some conjunctions that nothing fulfils. Both steps
//! are exact here, because a conjunction of paths is a regular property of trees: the grammar is combined with an
//! automaton that follows the paths, and with the set of demanded paths that are still missing (see [`product`]).
//! The combination has a tree exactly if some tree of the grammar fulfils the conjunction, and its cheapest tree is
//! the smallest input. More inputs are drawn from the same combination with some room beyond the smallest size.
//!
//! A feature of an ambiguous input counts if one of its trees has it, and questions about sizes are not part of the
//! combination. So every input is written and asked about again, and is dropped if the model does not predict that it
//! covers the target.
//!
//! In reading order: [`constraint`], [`automaton`], [`product`], [`guided`] (the strategy), [`probes`] (inputs that test
//! conditions).

pub mod automaton;
pub mod constraint;
pub mod guided;
pub mod probes;
pub mod product;

pub use constraint::Constraint;
pub use guided::{Guided, GuidedError};

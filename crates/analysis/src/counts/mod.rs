//! Numbers of derivation trees by size, for every nonterminal.
//!
//! The number of trees of a nonterminal A with size k is the sum over its productions r of the ways to share
//! k − β(r) out among the nonterminals of r, where β(r) is what r adds itself: in nodes 1 + its terminals, in
//! tokens its terminals, in characters the lengths of their texts (Dreyfus, Héam and Kouchnarenko, "Random
//! grammar-based testing for covering all non-terminals", ICST Workshops 2013, section II). An empty leaf does not count.
//! What is counted are trees of the BNF core: the auxiliary nonterminals of groups and repetitions are nodes too.
//!
//! Right-hand sides are binarized ([`forms`]): a *form* is a nonterminal followed by the rest of a right-hand side,
//! and equal rests are one form. So each size costs one convolution per form, and the tables are linear in forms
//! times sizes. The same recurrence is computed in three arithmetics ([`arithmetic`]): big integers, floating point
//! with a proven bound on its error, and long floating point for the cases that the short one leaves open.
//!
//! From [`tables`] come the numbers of all trees, of the trees without some productions, and of the trees with at
//! least one of them: |with E| = |all| − |without E|, computed without a subtraction so that small numbers keep their
//! relative precision. This replaces the grammars G_X and G_XY of the publication, which are exponential in the
//! length of right-hand sides.
//!
//! Example: for `S: S S | "a";` in nodes, β is 1 and 2. S(2) = 1, S(5) = S(2)·S(2) = 1, and S(8) = 2: the two ways to
//! share 7 out among two trees.
//!
//! Cost: forms × sizes² products, forms × sizes numbers of memory.

pub mod arithmetic;
pub mod forms;
pub mod size_unit;
pub mod tables;

pub use arithmetic::{Arithmetic, Exact, Long, LongNumber, Short, ShortNumber};
pub use forms::{CyclicSizes, Forms, UnitId};
pub use size_unit::SizeUnit;
pub use tables::{CountTables, Restriction};

//! Patches of a grammar file with which failing tests pass.
//!
//! Every explanation of a failing test's first error becomes one or more edits of the grammar's own text: a part is
//! made optional or repeated or is deleted, symbols are inserted before it or stand in its place or beside it as an
//! alternative, two parts change places, a set of characters is widened. Wrongly accepted tests give edits with which
//! the grammar accepts less. Each edited grammar is loaded, and all tests are run on it. If none makes all tests pass, the search
//! goes on from the edit that brings the failing tests furthest, for a few rounds.
//!
//! In reading order: [`edits`] (from explanations to edits), [`narrow`] (edits for wrongly accepted
//! tests), [`patch`] (edited files and their difference), [`search`].
//!
//! The cost is that of loading a grammar and running the tests, for every edit that is tried.
//!
//! Example: `stmt : 'print' expr ';'` with the failing test `print 1` gives the edit `';'?` of the third element.

pub mod edits;
pub mod narrow;
pub mod patch;
pub mod search;

pub use edits::Edit;
pub use patch::{PatchedFiles, unified_diff};
pub use search::{Differences, Proposal, RepairOptions, RepairTest, Repaired, repair};

//! How many conflicts the author of a grammar expects, so that `check` can report the others.

use gramercy_base::Span;

/// The numbers of expected conflicts. A kind that the file does not mention has 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExpectedConflicts {
    /// Shift/reduce conflicts.
    pub shift_reduce: u32,
    /// Reduce/reduce conflicts: reductions beyond the first, summed.
    pub reduce_reduce: u32,
    /// The first declaration of it.
    pub span: Span,
}

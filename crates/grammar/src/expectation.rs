//! How many conflicts an author expects a parser generator to find, so that others are told apart.

use gramercy_base::Span;

/// What a file says of its conflicts. A kind of which it says nothing is not expected at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExpectedConflicts {
    /// Between reading on and reducing.
    pub shift_reduce: u32,
    /// Between reductions, each beyond the first.
    pub reduce_reduce: u32,
    /// Where it says so first.
    pub span: Span,
}

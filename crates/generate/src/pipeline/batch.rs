//! Tests on their way from a worker to the place where they are committed, in a few flat lists.

use std::ops::Range;

use gramercy_coverage::TargetId;
use gramercy_lexis::WrittenToken;

use crate::draft::Goal;
use crate::pipeline::summary::Unwritten;

/// The tests of some numbers, in order.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// The tests that were written.
    pub tests: Vec<Entry>,
    /// Their texts.
    pub texts: String,
    /// Their tokens, if somebody wants them.
    pub tokens: Vec<WrittenToken>,
    /// What their trees cover, by criterion, if somebody wants it.
    pub covers: Vec<(usize, TargetId)>,
    /// What could not be written.
    pub unwritten: Vec<Unwritten>,
    /// Targets whose tests are equal to earlier ones, so that they were not written again.
    pub merged: u64,
    /// How many numbers were worked off.
    pub numbers: u64,
    /// Whether names stand in for lexemes that nobody knows.
    pub placeholders: bool,
}

/// One test: where its parts lie.
#[derive(Clone, Debug)]
pub struct Entry {
    /// By what it is told from others.
    pub fingerprint: u128,
    /// What it was made for.
    pub goal: Option<Goal>,
    /// How many tokens it has.
    pub token_count: usize,
    /// Its text.
    pub text: Range<usize>,
    /// Its tokens.
    pub tokens: Range<usize>,
    /// What it covers.
    pub covers: Range<usize>,
}

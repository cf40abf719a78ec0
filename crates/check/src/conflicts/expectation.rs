//! The conflicts that there are beside those that the author expects: `%expect` and `%expect-rr`.

use gramercy_base::Diagnostic;
use gramercy_grammar::{ExpectedConflicts, Grammar};

use super::summary::Counts;
use crate::codes::UNEXPECTED_CONFLICTS;

/// What became of an author's expectation.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Expectation {
    /// There is none, or none that we can compare with.
    None,
    /// It holds.
    Right,
    /// It does not.
    Wrong(ExpectedConflicts),
}

impl Expectation {
    pub(crate) fn of(grammar: &Grammar, counts: Counts) -> Self {
        match grammar.expected_conflicts() {
            None => Expectation::None,
            Some(expected) if in_counts(expected) == counts => Expectation::Right,
            Some(expected) => Expectation::Wrong(expected),
        }
    }
}

fn in_counts(expected: ExpectedConflicts) -> Counts {
    Counts {
        shift_reduce: expected.shift_reduce as usize,
        reduce_reduce: expected.reduce_reduce as usize,
    }
}

/// Says that there are others.
pub(crate) fn unexpected(counts: Counts, expected: ExpectedConflicts) -> Diagnostic {
    let (expects, has) = (in_counts(expected).in_words(), counts.in_words());
    let message = format!("the file expects {expects}, but LALR(1) has {has}");
    Diagnostic::at(UNEXPECTED_CONFLICTS, expected.span, message)
}

//! Compares conflicts with the numbers that the author expects: `%expect` and `%expect-rr`.

use gramercy_base::Diagnostic;
use gramercy_grammar::{ExpectedConflicts, Grammar};

use super::summary::Counts;
use crate::codes::UNEXPECTED_CONFLICTS;

/// The result of the comparison.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Expectation {
    /// There is no expectation, or none that can be compared.
    None,
    /// The numbers are equal.
    Right,
    /// The numbers differ.
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

/// The diagnostic for different numbers.
pub(crate) fn unexpected(counts: Counts, expected: ExpectedConflicts) -> Diagnostic {
    let (expects, has) = (in_counts(expected).in_words(), counts.in_words());
    let message = format!("the file expects {expects}, but LALR(1) has {has}");
    Diagnostic::at(UNEXPECTED_CONFLICTS, expected.span, message)
}

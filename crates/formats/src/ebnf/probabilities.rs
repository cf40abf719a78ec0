//! Probabilities of alternatives: those without one share what the others leave, so the others
//! together must leave at least nothing.

use gramercy_base::Diagnostic;

use super::syntax::{Branch, PieceKind, Probability, RuleSyntax, Tree};
use crate::{Reading, codes};

/// What rounding may add to a sum of probabilities.
const TOLERANCE: f64 = 1e-9;

/// Reports alternatives whose probabilities add up to more than one.
pub(crate) fn check(reading: &mut Reading<'_>, tree: &Tree, rules: &[RuleSyntax]) {
    for rule in rules {
        check_branches(reading, &rule.branches);
        for piece in tree.pieces_of(rule) {
            if let PieceKind::Alternation(branches) = &piece.kind {
                check_branches(reading, branches);
            }
        }
    }
}

fn check_branches(reading: &mut Reading<'_>, branches: &[Branch]) {
    let given = branches.iter().filter_map(|branch| branch.marks.as_ref()?.probability);
    let mut sum = 0.0;
    for Probability { value, span } in given {
        sum += value;
        if sum > 1.0 + TOLERANCE {
            let message = format!("the probabilities up to here add up to {sum:.4}, more than 1");
            let help = "alternatives without a probability share what is left; leave some out";
            reading.report(Diagnostic::at(codes::BAD_PROBABILITY, span, message).help(help));
            return;
        }
    }
}

//! Probabilities of alternatives: those without one share the rest, so the sum of the others must
//! not exceed 1.

use gramercy_base::Diagnostic;

use super::syntax::{Branch, ExprNodeKind, Probability, RuleSyntax, Tree};
use crate::{Reading, codes};

/// The tolerance for rounding in a sum of probabilities.
const TOLERANCE: f64 = 1e-9;

/// Reports alternatives whose probabilities add up to more than one.
pub(crate) fn check(reading: &mut Reading<'_>, tree: &Tree, rules: &[RuleSyntax]) {
    for rule in rules {
        check_branches(reading, &rule.branches);
        for node in tree.nodes_of(rule) {
            if let ExprNodeKind::Alternation(branches) = &node.kind {
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
            let help = "alternatives without a probability share the rest; remove some";
            reading.report(Diagnostic::at(codes::BAD_PROBABILITY, span, message).help(help));
            return;
        }
    }
}

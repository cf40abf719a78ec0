//! Alternatives that are written twice: the second adds nothing, and makes all its sentences
//! ambiguous. Where a predicate was set aside, equal alternatives may have been told apart by it.
//! Linear in the grammar.

use gramercy_base::{Diagnostic, Map};
use gramercy_grammar::{Alternative, ExprKind};

use crate::codes::DUPLICATE_ALTERNATIVE;
use crate::context::Context;
use crate::walk;

pub(super) fn find(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let grammar = context.grammar;
    for rule in grammar.rules().values() {
        if context.has_predicate(rule) {
            continue;
        }
        for expr in walk::exprs(grammar, rule.body) {
            if let ExprKind::Alternation(alternatives) = &grammar.expr(expr).kind {
                find_in(context, alternatives, &rule.name, found);
            }
        }
    }
}

fn find_in(
    context: &Context<'_>,
    alternatives: &[Alternative],
    rule: &str,
    found: &mut Vec<Diagnostic>,
) {
    let mut first = Map::default();
    for alternative in alternatives {
        let shape = context.shapes.shape(alternative.expr);
        let kept = *first.entry(shape).or_insert(alternative.expr);
        if kept != alternative.expr {
            let (kept, again) =
                (context.grammar.expr(kept), context.grammar.expr(alternative.expr));
            let text = context.names().expr(alternative.expr);
            let message = format!("`{rule}` has the alternative `{text}` twice");
            found.push(
                Diagnostic::at(DUPLICATE_ALTERNATIVE, again.span, message)
                    .label(kept.span, "first here")
                    .help("remove one of them"),
            );
        }
    }
}

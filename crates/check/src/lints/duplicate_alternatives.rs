//! Repeated alternatives: the second one adds nothing and makes all its sentences ambiguous. An
//! ignored predicate may distinguish equal alternatives, so rules with one are skipped. Linear in
//! the grammar.

use gramercy_base::{Diagnostic, IndexMap};
use gramercy_grammar::{Alternative, ExprId, ExprKind, Notation};

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
    let mut same: IndexMap<_, Vec<ExprId>> = IndexMap::default();
    for alternative in alternatives {
        same.entry(context.structures.structure(alternative.expr))
            .or_default()
            .push(alternative.expr);
    }
    let repeated = same.values().filter(|places| places.len() > 1);
    found.extend(repeated.map(|places| report(context, places, rule)));
}

fn report(context: &Context<'_>, places: &[ExprId], rule: &str) -> Diagnostic {
    let grammar = context.grammar;
    let times = match places.len() {
        2 => "twice".to_owned(),
        times => format!("{times} times"),
    };
    let message = match &grammar.expr(places[0]).kind {
        ExprKind::Terminal(id) if grammar.terminals()[*id].kind.is_empty() => {
            format!("`{rule}` has an empty alternative {times}")
        }
        _ => {
            let text = context.names().expr(places[0]);
            format!("`{rule}` has the alternative `{text}` {times}")
        }
    };
    let span = |expr: ExprId| grammar.expr(expr).span;
    let mut diagnostic = Diagnostic::at(DUPLICATE_ALTERNATIVE, span(places[1]), message)
        .label(span(places[0]), "first here");
    for &again in places.iter().skip(2).take(3) {
        diagnostic = diagnostic.label(span(again), "");
    }
    diagnostic.help(match grammar.notation() {
        Notation::Tribble | Notation::Scala => "keep one; a weight is written with @@",
        Notation::Native | Notation::Antlr4 | Notation::Yacc => "keep one",
    })
}

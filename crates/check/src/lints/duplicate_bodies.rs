//! Rules that differ only in their names. A rule that is only another name for one symbol is not a
//! mistake, and an ignored predicate may make a difference. Linear in the grammar.

use gramercy_base::{Diagnostic, IndexMap};
use gramercy_grammar::{ExprKind, Grammar, Rule};

use crate::codes::DUPLICATE_BODY;
use crate::context::Context;
use crate::names;

pub(super) fn find(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let grammar = context.grammar;
    let mut same: IndexMap<_, Vec<&Rule>> = IndexMap::default();
    let is_telling = |rule: &Rule| !is_alias(grammar, rule) && !context.has_predicate(rule);
    for (_, rule) in grammar.syntax_rules().filter(|(_, rule)| is_telling(rule)) {
        same.entry(context.structures.structure(rule.body)).or_default().push(rule);
    }
    for rules in same.values().filter(|rules| rules.len() > 1) {
        let listed = names::list(rules.iter().map(|rule| &rule.name));
        let message = format!("the rules {listed} differ only in their names");
        let diagnostic = Diagnostic::at(DUPLICATE_BODY, rules[0].span, message);
        found.push(rules[1..].iter().take(3).fold(diagnostic, |it, rule| it.label(rule.span, "")));
    }
}

/// Whether a rule is one symbol, or a choice between symbols.
fn is_alias(grammar: &Grammar, rule: &Rule) -> bool {
    let is_symbol = |kind: &ExprKind| matches!(kind, ExprKind::Rule(_) | ExprKind::Terminal(_));
    match &grammar.expr(rule.body).kind {
        ExprKind::Alternation(alternatives) => {
            alternatives.iter().all(|it| is_symbol(&grammar.expr(it.expr).kind))
        }
        kind => is_symbol(kind),
    }
}

//! Walks over right-hand sides.

use gramercy_analysis::Rows;
use gramercy_grammar::{ExprId, ExprKind, Grammar, RuleId, TerminalId};

/// An expression and all its descendants, in textual order.
pub(crate) fn exprs(grammar: &Grammar, root: ExprId) -> impl Iterator<Item = ExprId> + '_ {
    let mut stack = vec![root];
    std::iter::from_fn(move || {
        let id = stack.pop()?;
        match &grammar.expr(id).kind {
            ExprKind::Alternation(alternatives) => {
                stack.extend(alternatives.iter().rev().map(|alternative| alternative.expr));
            }
            ExprKind::Sequence(items) => stack.extend(items.iter().rev()),
            ExprKind::Repeat { body, .. } => stack.push(*body),
            ExprKind::Rule(_) | ExprKind::Terminal(_) | ExprKind::Commands(_) => {}
        }
        Some(id)
    })
}

/// For every rule the rules that it refers to, with repetitions.
pub(crate) fn references(grammar: &Grammar) -> Rows<RuleId, RuleId> {
    let mut references = Rows::new();
    for rule in grammar.rules().values() {
        references.push(exprs(grammar, rule.body).filter_map(|id| match grammar.expr(id).kind {
            ExprKind::Rule(to) => Some(to),
            _ => None,
        }));
    }
    references
}

/// The first use of a terminal in a syntax rule.
pub(crate) fn first_use(grammar: &Grammar, terminal: TerminalId) -> Option<ExprId> {
    let wanted = ExprKind::Terminal(terminal);
    let mut rules = grammar.syntax_rules();
    rules.find_map(|(_, rule)| {
        exprs(grammar, rule.body).find(|&expr| grammar.expr(expr).kind == wanted)
    })
}

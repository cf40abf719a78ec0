//! What the sentences of a language can contain.

use gramercy_analysis::{Productive, Useful, Viable};
use gramercy_base::{IdSet, Table};
use gramercy_grammar::{Bnf, ExprKind, Grammar, GrammarGraph, NodeId, RuleId, TerminalId};

/// Facts that depend on which terminals have a text.
#[derive(Debug)]
pub(crate) struct LanguageFacts {
    pub(crate) productive: Productive,
    pub(crate) useful: Useful,
    pub(crate) viable: Viable,
}

impl LanguageFacts {
    /// The facts of a grammar in which these terminals have no text.
    pub(crate) fn new(graph: &GrammarGraph, bnf: &Bnf, textless: &IdSet<TerminalId>) -> Self {
        let productive = Productive::without(bnf, textless);
        let useful = Useful::of(bnf, &productive);
        let viable = Viable::without(graph, |terminal| textless.contains(terminal));
        Self { productive, useful, viable }
    }
}

/// For each node of the graph, the rule whose right-hand side contains it.
pub(crate) fn rules_of_nodes(grammar: &Grammar, graph: &GrammarGraph) -> Table<NodeId, RuleId> {
    let mut rules = Table::filled(grammar.start(), graph.len());
    for (id, rule) in grammar.syntax_rules() {
        let mut stack = vec![rule.body];
        while let Some(expr) = stack.pop() {
            if let Some(node) = graph.node_of(expr) {
                rules[node] = id;
            }
            match &grammar.expr(expr).kind {
                ExprKind::Alternation(branches) => stack.extend(branches.iter().map(|b| b.expr)),
                ExprKind::Sequence(items) => stack.extend(items),
                ExprKind::Repeat { body, .. } => stack.push(*body),
                ExprKind::Rule(_) | ExprKind::Terminal(_) | ExprKind::Commands(_) => {}
            }
        }
    }
    rules
}

//! What the sentences of a language can contain.

use gramercy_analysis::{Productive, Useful, Viable};
use gramercy_base::{Id, IdSet, Limits, Table};
use gramercy_grammar::{
    Bnf, ExprKind, Grammar, GrammarGraph, NodeId, RuleId, TerminalId, TerminalKind,
};
use gramercy_regular::Dfa;

/// Facts that depend on which terminals have a text.
#[derive(Debug)]
pub(crate) struct Facts {
    pub(crate) productive: Productive,
    pub(crate) useful: Useful,
    pub(crate) viable: Viable,
}

impl Facts {
    /// The facts of a grammar in which these terminals derive nothing.
    pub(crate) fn new(graph: &GrammarGraph, bnf: &Bnf, textless: &IdSet<TerminalId>) -> Self {
        let productive = Productive::without(bnf, textless);
        let useful = Useful::of(bnf, &productive);
        let viable = Viable::without(graph, |terminal: TerminalId| {
            terminal.index() < bnf.terminal_count() && textless.contains(terminal)
        });
        Self { productive, useful, viable }
    }
}

/// The terminals that no text matches: empty classes and regexes. An automaton beyond the limits is
/// taken to match something.
pub(crate) fn textless(grammar: &Grammar, bnf: &Bnf, limits: &Limits) -> IdSet<TerminalId> {
    let mut textless = IdSet::new(bnf.terminal_count());
    for terminal in bnf.terminals() {
        let is_textless = match &grammar.terminals()[terminal].kind {
            TerminalKind::Chars(set) => set.is_empty(),
            TerminalKind::Regex { regex, .. } => {
                Dfa::minimal(regex, limits).is_ok_and(|dfa| dfa.is_empty())
            }
            _ => false,
        };
        if is_textless {
            textless.insert(terminal);
        }
    }
    textless
}

/// The rule in whose right-hand side each node of the graph stands.
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

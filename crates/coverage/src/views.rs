//! A grammar with its two views, and the facts that many criteria rest on.

use gramercy_analysis::{Productive, Useful, Viable};
use gramercy_base::{Id, IdSet, Limits, Table};
use gramercy_grammar::{
    Bnf, ExprKind, Grammar, GrammarGraph, NodeId, NonterminalId, Origin, RuleId, TerminalId,
    TerminalKind,
};
use gramercy_regular::Dfa;

/// A grammar as criteria and generators see it.
#[derive(Clone, Debug)]
pub struct Views<'g> {
    /// The grammar.
    pub grammar: &'g Grammar,
    /// Its graph.
    pub graph: &'g GrammarGraph,
    /// Its BNF core.
    pub bnf: &'g Bnf,
    /// The nonterminals and productions that some derivation of a sentence uses.
    pub useful: Useful,
    /// The nonterminals that derive anything.
    pub productive: Productive,
    /// The edges of the graph that some derivation tree has.
    pub viable: Viable,
    textless: IdSet<TerminalId>,
    rules: Table<NodeId, RuleId>,
}

impl<'g> Views<'g> {
    /// The views with their facts.
    #[must_use]
    pub fn new(
        grammar: &'g Grammar,
        graph: &'g GrammarGraph,
        bnf: &'g Bnf,
        limits: &Limits,
    ) -> Self {
        let rules = rules_of_nodes(grammar, graph);
        Self::of_texts(grammar, graph, bnf, textless(grammar, bnf, limits), rules)
    }

    fn of_texts(
        grammar: &'g Grammar,
        graph: &'g GrammarGraph,
        bnf: &'g Bnf,
        textless: IdSet<TerminalId>,
        rules: Table<NodeId, RuleId>,
    ) -> Self {
        let productive = Productive::without(bnf, &textless);
        let useful = Useful::of(bnf, &productive);
        let viable = Viable::without(graph, |terminal: TerminalId| {
            terminal.index() < bnf.terminal_count() && textless.contains(terminal)
        });
        Self { grammar, graph, bnf, useful, productive, viable, textless, rules }
    }

    /// The same grammar with the facts about its sentences that have none of these terminals.
    #[must_use]
    pub fn without(&self, terminals: &IdSet<TerminalId>) -> Self {
        let mut textless = self.textless.clone();
        textless.union_with(terminals.words());
        Self::of_texts(self.grammar, self.graph, self.bnf, textless, self.rules.clone())
    }

    /// The rule in whose right-hand side a node stands.
    #[must_use]
    pub fn rule_of(&self, node: NodeId) -> RuleId {
        self.rules[node]
    }

    /// The name of a nonterminal for people: the rule's, or the text of the group it stands for.
    #[must_use]
    pub fn nonterminal_name(&self, id: NonterminalId) -> &str {
        let nonterminal = &self.bnf.nonterminals()[id];
        match nonterminal.origin {
            Origin::Rule(_) | Origin::Start => &nonterminal.name,
            Origin::Group(expr) | Origin::Repeat(expr) => {
                self.grammar.sources().text(self.grammar.expr(expr).span)
            }
        }
    }
}

/// The terminals that no text matches: empty classes and regexes.
fn textless(grammar: &Grammar, bnf: &Bnf, limits: &Limits) -> IdSet<TerminalId> {
    let mut textless = IdSet::new(bnf.terminal_count());
    for terminal in bnf.terminals() {
        let is_textless = match &grammar.terminals()[terminal].kind {
            TerminalKind::Chars(set) => set.is_empty(),
            // An automaton beyond the limits has words.
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

/// The rule in whose right-hand side each node stands.
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

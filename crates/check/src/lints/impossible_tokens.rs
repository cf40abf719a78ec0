//! Tokens that the lexer cannot create where a parser rule uses them, because it is in modes
//! without them. A typical case is a line end after a parenthesis that enters a mode in which line
//! ends are skipped.
//!
//! The modes before every position of the BNF core are an over-approximation by [`ModeFlow`]: they
//! contain all modes that any derivation and lexing of the preceding input leads to. So a token
//! that none of them creates can never occur there. First each nonterminal gets a summary of how it
//! changes modes, bottom up; then modes spread from the start symbol down. There is no report if
//! ignored code may control the lexer, or if there are too many modes.
//!
//! Cost: the size of the grammar times the tops of mode stacks; times these again if each summary
//! grows one by one.

use std::collections::VecDeque;

use gramercy_base::{Diagnostic, IdSet, IndexMap, Span, Table};
use gramercy_grammar::{
    ModeId, NodeId, NonterminalId, NoteKind, ProductionId, RuleKind, Symbol, TerminalId,
    TerminalKind,
};
use gramercy_lexis::{Inventory, ModeFlow, Tops};

use crate::codes::IMPOSSIBLE_TOKEN;
use crate::context::Context;
use crate::names;

/// The number of spans of one finding that are shown.
const SHOWN: usize = 4;

pub(super) fn find(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let Some(lexical) = context.lexical.as_ref().filter(|lexical| lexical.is_complete()) else {
        return;
    };
    let Some(flow) = lexical.inventory.flow.as_ref().filter(|flow| flow.len() > 1) else {
        return;
    };
    if context.useful.is_empty() || lexer_runs_code(context) {
        return;
    }
    let spread = Spread::new(context, flow);
    let graph = context.grammar.graph();
    for ((token, modes), nodes) in spread.impossible(&lexical.inventory) {
        let place = |&node: &NodeId| context.grammar.expr(graph.expr(node)).span;
        let mut places: Vec<Span> = nodes.iter().map(place).collect();
        places.sort_unstable();
        found.push(report(context, &lexical.inventory, token, &modes, &places));
    }
}

/// Whether ignored code may choose tokens or modes.
fn lexer_runs_code(context: &Context<'_>) -> bool {
    let grammar = context.grammar;
    let lexical = grammar.rules().values().filter(|rule| rule.kind != RuleKind::Syntax);
    let mut places: Vec<Span> =
        lexical.map(|rule| Span { end: grammar.expr(rule.body).span.end, ..rule.span }).collect();
    places.sort_unstable();
    let is_lexical = |span: Span| {
        let behind =
            places.partition_point(|rule| (rule.source, rule.start) <= (span.source, span.start));
        let rule = behind.checked_sub(1).map(|at| places[at]);
        rule.is_some_and(|rule| rule.source == span.source && span.start <= rule.end)
    };
    grammar.notes().iter().any(|note| match note.kind {
        NoteKind::HostCode => true,
        NoteKind::Predicate | NoteKind::Action => note.span.is_none_or(is_lexical),
        _ => false,
    })
}

/// The tops after each top.
type Summary = Box<[Tops]>;

/// The tops before and after every symbol of a grammar.
struct Spread<'a> {
    context: &'a Context<'a>,
    flow: &'a ModeFlow,
    summaries: Table<NonterminalId, Summary>,
    /// The tops before each nonterminal, over all its occurrences.
    before: Table<NonterminalId, Tops>,
}

impl<'a> Spread<'a> {
    fn new(context: &'a Context<'a>, flow: &'a ModeFlow) -> Self {
        let count = context.bnf.nonterminal_count();
        let none: Summary = vec![Tops::default(); flow.len()].into();
        let summaries = Table::filled(none, count);
        let before = Table::filled(Tops::default(), count);
        let mut spread = Self { context, flow, summaries, before };
        spread.summarize();
        spread.descend();
        spread
    }

    fn summarize(&mut self) {
        let bnf = self.context.bnf;
        let users = users(self.context);
        let mut queue = Queue::new(bnf.production_count(), bnf.productions());
        while let Some(production) = queue.next() {
            let lhs = bnf.lhs(production);
            let mut grown = false;
            for (at, top) in self.flow.all().each() {
                let after = bnf.rhs(production).iter().fold(top, |now, &it| self.after(it, now));
                let known = self.summaries[lhs][at];
                grown |= known.union(after) != known;
                self.summaries[lhs][at] = known.union(after);
            }
            if grown {
                users[lhs].iter().for_each(|&user| queue.push(user));
            }
        }
    }

    fn descend(&mut self) {
        let bnf = self.context.bnf;
        self.before[bnf.start()] = self.flow.initial();
        let mut queue =
            Queue::new(bnf.production_count(), bnf.productions_of(bnf.start()).iter().copied());
        while let Some(production) = queue.next() {
            let mut now = self.before[bnf.lhs(production)];
            for &symbol in bnf.rhs(production) {
                if let Symbol::Nonterminal(inner) = symbol {
                    let known = self.before[inner];
                    if known.union(now) != known {
                        self.before[inner] = known.union(now);
                        let productions = bnf.productions_of(inner).iter();
                        productions.for_each(|&production| queue.push(production));
                    }
                }
                now = self.after(symbol, now);
            }
        }
    }

    fn after(&self, symbol: Symbol, before: Tops) -> Tops {
        match symbol {
            Symbol::Nonterminal(inner) => {
                let summary = &self.summaries[inner];
                before.each().fold(Tops::default(), |all, (at, _)| all.union(summary[at]))
            }
            Symbol::Terminal(terminal) => self.after_terminal(terminal, before),
        }
    }

    fn after_terminal(&self, terminal: TerminalId, before: Tops) -> Tops {
        let terminals = self.context.grammar.terminals();
        match &terminals[terminal].kind {
            TerminalKind::Token { .. } => self.flow.after(terminal, before),
            TerminalKind::AnyTokenBut(excluded) => {
                let members = terminals.ids().filter(|id| !excluded.contains(id));
                let each = members.map(|member| self.flow.after(member, before));
                each.fold(Tops::default(), Tops::union)
            }
            // A terminal that is not a token is unknown to the lexer, so anything may follow.
            _ if before.is_empty() => before,
            _ => self.flow.all(),
        }
    }

    /// The tokens that cannot occur, with the modes there and the graph nodes of their positions. A
    /// node with several positions must be impossible at all of them.
    fn impossible(
        &self,
        inventory: &Inventory,
    ) -> IndexMap<(TerminalId, Vec<ModeId>), Vec<NodeId>> {
        let mut at_node: IndexMap<NodeId, Option<(TerminalId, Tops)>> = IndexMap::default();
        for (terminal, node, before) in self.waiting() {
            let here = at_node.entry(node).or_insert(Some((terminal, Tops::default())));
            let is_dead = self.after_terminal(terminal, before).is_empty();
            *here = here.filter(|_| is_dead).map(|(it, known)| (it, known.union(before)));
        }
        let mut found: IndexMap<_, Vec<NodeId>> = IndexMap::default();
        for (node, dead) in at_node {
            // Other lints report tokens that are never created.
            if let Some((token, tops)) = dead.filter(|(it, _)| !inventory.missing.contains(it)) {
                found.entry((token, self.flow.modes(tops))).or_default().push(node);
            }
        }
        found
    }

    /// All positions of terminals that are reachable, with the tops before them.
    fn waiting(&self) -> Vec<(TerminalId, NodeId, Tops)> {
        let bnf = self.context.bnf;
        let mut positions = Vec::new();
        for production in bnf.productions() {
            let mut now = self.before[bnf.lhs(production)];
            for (&symbol, &node) in bnf.rhs(production).iter().zip(bnf.nodes(production)) {
                if now.is_empty() {
                    break;
                }
                if let (Symbol::Terminal(terminal), Some(node)) = (symbol, node) {
                    positions.push((terminal, node, now));
                }
                now = self.after(symbol, now);
            }
        }
        positions
    }
}

/// For every nonterminal the productions that use it.
fn users(context: &Context<'_>) -> Table<NonterminalId, Vec<ProductionId>> {
    let bnf = context.bnf;
    let mut users = Table::filled(Vec::new(), bnf.nonterminal_count());
    for production in bnf.productions() {
        for symbol in bnf.rhs(production) {
            if let Symbol::Nonterminal(inner) = *symbol {
                users[inner].push(production);
            }
        }
    }
    users
}

/// Productions to visit, each at most once at a time.
struct Queue {
    waiting: VecDeque<ProductionId>,
    queued: IdSet<ProductionId>,
}

impl Queue {
    fn new(count: usize, first: impl Iterator<Item = ProductionId>) -> Self {
        let mut queue = Self { waiting: VecDeque::new(), queued: IdSet::new(count) };
        first.for_each(|production| queue.push(production));
        queue
    }

    fn push(&mut self, production: ProductionId) {
        if self.queued.insert(production) {
            self.waiting.push_back(production);
        }
    }

    fn next(&mut self) -> Option<ProductionId> {
        let production = self.waiting.pop_front()?;
        self.queued.remove(production);
        Some(production)
    }
}

fn report(
    context: &Context<'_>,
    inventory: &Inventory,
    token: TerminalId,
    modes: &[ModeId],
    places: &[Span],
) -> Diagnostic {
    let grammar = context.grammar;
    let mode_names = |modes: &[ModeId]| {
        let lexicon = grammar.lexicon().expect("invariant: there is a lexer");
        names::list(modes.iter().map(|&mode| &lexicon.modes[mode].name))
    };
    let name = &grammar.terminals()[token].name;
    let message = format!("the token `{name}` can never come here");
    let what = if modes.len() == 1 { "the mode" } else { "one of the modes" };
    let mut diagnostic = Diagnostic::at(IMPOSSIBLE_TOKEN, places[0], message)
        .note(format!("the lexer is in {what} {} there", mode_names(modes)))
        .note(format!("`{name}` is created in {}", mode_names(&inventory.made_in[token])));
    for &place in places.iter().skip(1).take(SHOWN) {
        diagnostic = diagnostic.label(place, "nor here");
    }
    match places.len().saturating_sub(1 + SHOWN) {
        0 => diagnostic,
        more => diagnostic.note(format!("nor at {more} more places")),
    }
}

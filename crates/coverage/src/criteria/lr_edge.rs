//! `push-edge:A` and `pop-edge:A`: every edge of the LR-graph of automaton A is taken (paper 003).
//!
//! Which edges a derivation takes depends on the state to its left, so measuring goes down from the
//! root with the state in which each node begins: linear in the pairs of a node and a state. Edges
//! are ranked in the graph's own order. LALR(1) has the graph of LR(0).

use gramercy_analysis::{First, Nullable};
use gramercy_base::{Id, LimitReached, Limits, Set, Span};
use gramercy_grammar::{ProductionId, Symbol};
use gramercy_lr::{Automaton, Construction, Facts, Label, LabelId, LrGraph, StateId};
use gramercy_parse::{Derived, DerivedId, Part};

use crate::criteria::{useless_production, useless_symbol};
use crate::criterion::{Criterion, Reading, Uncoverable};
use crate::pattern;
use crate::targets::{TargetId, TargetSet};
use crate::views::Views;

/// The push or pop edges of an LR-graph as targets.
#[derive(Debug)]
pub struct LrEdges<'v> {
    views: &'v Views<'v>,
    automaton: Automaton,
    kind: Kind,
    /// The rank of the first edge of each state (which it leaves by pushing, or which is popped
    /// to), and behind them the number of all edges.
    starts: Vec<u64>,
    coverable: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Push,
    Pop,
}

impl<'v> LrEdges<'v> {
    /// The push edges.
    ///
    /// # Errors
    /// If the automaton has more states than the limit.
    pub fn push(
        views: &'v Views<'v>,
        construction: Construction,
        limits: &Limits,
    ) -> Result<Self, LimitReached> {
        Self::new(views, construction, limits, Kind::Push)
    }

    /// The pop edges.
    ///
    /// # Errors
    /// If the automaton has more states than the limit.
    pub fn pop(
        views: &'v Views<'v>,
        construction: Construction,
        limits: &Limits,
    ) -> Result<Self, LimitReached> {
        Self::new(views, construction, limits, Kind::Pop)
    }

    fn new(
        views: &'v Views<'v>,
        construction: Construction,
        limits: &Limits,
        kind: Kind,
    ) -> Result<Self, LimitReached> {
        let nullable = Nullable::of(views.bnf);
        let first = First::of(views.bnf, &views.productive, &nullable);
        let facts = Facts { nullable: &nullable, first: &first };
        let automaton = construction.build(views.bnf, &facts, limits)?;
        let mut starts = vec![0];
        for state in automaton.states() {
            let here = match kind {
                Kind::Push => automaton.transitions(state).len(),
                Kind::Pop => {
                    let productions = |(lhs, _)| views.bnf.productions_of(lhs).len();
                    automaton.gotos(state).map(productions).sum()
                }
            };
            starts.push(starts[starts.len() - 1] + here as u64);
        }
        let mut edges = Self { views, automaton, kind, starts, coverable: 0 };
        let all = 0..edges.targets();
        edges.coverable = all.filter(|&edge| edges.uncoverable(edge).is_none()).count() as u64;
        Ok(edges)
    }

    /// The automaton.
    #[must_use]
    pub fn automaton(&self) -> &Automaton {
        &self.automaton
    }

    fn state_of(&self, target: TargetId) -> (StateId, usize) {
        let state = self.starts.partition_point(|&start| start <= target) - 1;
        let within = usize::try_from(target - self.starts[state]).expect("invariant: edges fit");
        (StateId::from_index(state), within)
    }

    fn push_rank(&self, state: StateId, label: LabelId) -> TargetId {
        let row = self.automaton.transitions(state);
        let at = row.binary_search_by_key(&label, |step| step.label);
        self.starts[state.index()] + at.expect("invariant: the derivation pushes it") as u64
    }

    fn pop_rank(&self, state: StateId, production: ProductionId) -> TargetId {
        let (bnf, lhs) = (self.views.bnf, self.views.bnf.lhs(production));
        let before = self.automaton.gotos(state).take_while(|&(other, _)| other < lhs);
        let before: usize = before.map(|(other, _)| bnf.productions_of(other).len()).sum();
        let within = bnf.productions_of(lhs).binary_search(&production);
        let within = within.expect("invariant: a nonterminal's productions are in order");
        self.starts[state.index()] + (before + within) as u64
    }

    fn step(&self, state: StateId, label: LabelId) -> StateId {
        self.automaton.step(state, label).expect("invariant: a derivation is in the automaton")
    }
}

impl Criterion for LrEdges<'_> {
    fn targets(&self) -> u64 {
        self.starts[self.starts.len() - 1]
    }

    fn coverable(&self) -> u64 {
        self.coverable
    }

    fn uncoverable(&self, target: TargetId) -> Option<Uncoverable> {
        let (state, within) = self.state_of(target);
        match self.kind {
            Kind::Pop => {
                let graph = LrGraph::new(self.views.bnf, &self.automaton);
                let production = graph.pops_to(state).nth(within);
                useless_production(self.views, production.expect("invariant: within the row"))
            }
            Kind::Push => {
                let label = self.automaton.transitions(state)[within].label;
                let symbol = match self.automaton.labels().label(label) {
                    Label::Terminal(terminal) => Symbol::Terminal(terminal),
                    Label::Nonterminal(nonterminal) => Symbol::Nonterminal(nonterminal),
                    Label::End => Symbol::Nonterminal(self.views.bnf.start()),
                };
                useless_symbol(self.views, symbol)
            }
        }
    }

    fn cover(&self, reading: &Reading<'_>, covered: &mut TargetSet) {
        let derivations = reading.derivations;
        let labels = self.automaton.labels();
        let initial = self.automaton.initial();
        if self.kind == Kind::Push {
            let start = labels.nonterminal(self.views.bnf.start());
            covered.insert(self.push_rank(initial, start));
            covered.insert(self.push_rank(self.step(initial, start), labels.end()));
        }
        let mut seen: Set<(DerivedId, StateId)> = Set::default();
        let mut stack = vec![(derivations.root(), initial)];
        while let Some((node, state)) = stack.pop() {
            if !seen.insert((node, state)) {
                continue;
            }
            let is_whole = matches!(derivations.label(node), Derived::Nonterminal(_));
            for way in derivations.ways(node) {
                if let Some(prefix) = way.prefix {
                    stack.push((prefix, state));
                }
                let mut at = state;
                let symbols = self.views.bnf.rhs(way.production);
                for (position, &symbol) in symbols.iter().enumerate() {
                    let part = position.checked_sub(way.position).and_then(|at| way.parts.get(at));
                    if position >= way.position + way.parts.len() {
                        break;
                    }
                    let label = labels.symbol(symbol);
                    if let Some(part) = part {
                        if let Part::Node(child) = part {
                            stack.push((*child, at));
                        }
                        if self.kind == Kind::Push {
                            covered.insert(self.push_rank(at, label));
                        }
                    }
                    at = self.step(at, label);
                }
                if is_whole && self.kind == Kind::Pop {
                    covered.insert(self.pop_rank(state, way.production));
                }
            }
        }
    }

    fn describe(&self, target: TargetId) -> String {
        let (state, within) = self.state_of(target);
        match self.kind {
            Kind::Push => {
                let step = self.automaton.transitions(state)[within];
                let name = match self.automaton.labels().label(step.label) {
                    Label::Terminal(terminal) => {
                        pattern::symbol(self.views, Symbol::Terminal(terminal))
                    }
                    Label::Nonterminal(id) => pattern::symbol(self.views, Symbol::Nonterminal(id)),
                    Label::End => "$",
                };
                format!("q{} → {name} → q{}", state.index(), step.target.index())
            }
            Kind::Pop => {
                let graph = LrGraph::new(self.views.bnf, &self.automaton);
                let rank = usize::try_from(target).expect("invariant: edges fit in memory");
                let edge = graph.pop_edge_at(rank);
                let production = pattern::production(self.views, edge.production);
                format!("q{} ⇢ q{} by {production}", edge.source.index(), edge.target.index())
            }
        }
    }

    fn place(&self, target: TargetId) -> Option<Span> {
        let (state, within) = self.state_of(target);
        match self.kind {
            Kind::Push => None,
            Kind::Pop => {
                let graph = LrGraph::new(self.views.bnf, &self.automaton);
                let production = graph.pops_to(state).nth(within)?;
                pattern::production_place(self.views, production)
            }
        }
    }
}

//! The LR-graph: an automaton's states with push and pop edges (paper 003 §3).
//!
//! Push edges are the transitions, that by `$` included. A pop edge by A → α leads from a state in
//! which A → α • is complete to every state from which α leads there. The paper searches backwards
//! from complete items; but a target and a production determine the path, and every state with A in
//! its closure is a target, so walking forward finds each pop edge once (FACTS §4). They are
//! therefore counted without any walk, as the productions of all nonterminals in the closures of
//! all states, and ranked: by target, then in the order of nonterminals and of their productions.
//! Look-aheads restrict nothing.

use gramercy_analysis::Duplicates;
use gramercy_base::Id;
use gramercy_grammar::{Cfg, ProductionId};

use crate::automaton::{Automaton, StateId};
use crate::labels::LabelId;

/// The top of the stack becomes `target` by pushing `label`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PushEdge {
    /// The state before.
    pub source: StateId,
    /// What is pushed.
    pub label: LabelId,
    /// The state after.
    pub target: StateId,
}

/// The top of the stack becomes `target` by popping the right-hand side of `production`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PopEdge {
    /// The state before, in which the production is complete.
    pub source: StateId,
    /// The production.
    pub production: ProductionId,
    /// The state after, which has the production's left-hand side in its closure.
    pub target: StateId,
}

/// An automaton as a graph.
#[derive(Clone, Debug)]
pub struct LrGraph<'a> {
    cfg: &'a Cfg,
    automaton: &'a Automaton,
    /// For every state the number of pop edges into those before it, and the number of all.
    before: Vec<usize>,
}

impl<'a> LrGraph<'a> {
    /// The graph of an automaton.
    #[must_use]
    pub fn new(cfg: &'a Cfg, automaton: &'a Automaton) -> Self {
        let mut before = vec![0];
        let mut sum = 0;
        for state in automaton.states() {
            let productions = |(nonterminal, _)| cfg.productions_of(nonterminal).len();
            sum += automaton.gotos(state).map(productions).sum::<usize>();
            before.push(sum);
        }
        Self { cfg, automaton, before }
    }

    /// The grammar.
    #[must_use]
    pub fn cfg(&self) -> &'a Cfg {
        self.cfg
    }

    /// The automaton.
    #[must_use]
    pub fn automaton(&self) -> &'a Automaton {
        self.automaton
    }

    /// The number of push edges.
    #[must_use]
    pub fn push_edge_count(&self) -> usize {
        self.automaton.all_transitions().items().len()
    }

    /// All push edges, by source, then by label.
    pub fn push_edges(&self) -> impl Iterator<Item = PushEdge> + 'a {
        let of = |(source, row): (StateId, &'a [_])| {
            row.iter().map(move |&crate::Transition { label, target }| PushEdge {
                source,
                label,
                target,
            })
        };
        self.automaton.all_transitions().iter().flat_map(of)
    }

    /// The number of pop edges.
    #[must_use]
    pub fn pop_edge_count(&self) -> usize {
        self.before[self.before.len() - 1]
    }

    /// The number of pop edges that differ in source, left-hand side, length or target: fewer than
    /// all only where productions are listed twice.
    #[must_use]
    pub fn pop_label_count(&self, duplicates: &Duplicates) -> usize {
        let distinct = |&&id: &&ProductionId| !duplicates.repeats(id);
        let states = self.automaton.states();
        let gotos = states.flat_map(|state| self.automaton.gotos(state));
        gotos.map(|(lhs, _)| self.cfg.productions_of(lhs).iter().filter(distinct).count()).sum()
    }

    /// The productions that pop to a state, in order.
    pub fn pops_to(&self, target: StateId) -> impl Iterator<Item = ProductionId> + 'a {
        let cfg = self.cfg;
        self.automaton.gotos(target).flat_map(move |(lhs, _)| cfg.productions_of(lhs)).copied()
    }

    /// All pop edges, in the order of their ranks.
    pub fn pop_edges(&self) -> impl Iterator<Item = PopEdge> + '_ {
        self.automaton.states().flat_map(move |target| {
            self.pops_to(target).map(move |production| {
                let edge = self.pop_edge(target, production);
                edge.expect("invariant: the left-hand side is in the closure")
            })
        })
    }

    /// The pop edge by a production to a state; `None` if the state does not have the production's
    /// left-hand side in its closure.
    #[must_use]
    pub fn pop_edge(&self, target: StateId, production: ProductionId) -> Option<PopEdge> {
        let labels = self.automaton.labels();
        self.automaton.step(target, labels.nonterminal(self.cfg.lhs(production)))?;
        let rhs = self.cfg.rhs(production).iter();
        let source = rhs.fold(target, |state, &symbol| {
            let next = self.automaton.step(state, labels.symbol(symbol));
            next.expect("invariant: what is behind a dot can be pushed")
        });
        Some(PopEdge { source, production, target })
    }

    /// The number of a pop edge, from 0 to [`pop_edge_count`](Self::pop_edge_count) - 1, by its
    /// target and production; `None` if there is none.
    #[must_use]
    pub fn pop_rank(&self, target: StateId, production: ProductionId) -> Option<usize> {
        let at = self.pops_to(target).position(|other| other == production)?;
        Some(self.before[target.index()] + at)
    }

    /// The pop edge of a number.
    ///
    /// # Panics
    /// If there are not that many pop edges.
    #[must_use]
    pub fn pop_edge_at(&self, rank: usize) -> PopEdge {
        assert!(rank < self.pop_edge_count(), "invariant: there is a pop edge of this rank");
        let target = self.before.partition_point(|&before| before <= rank) - 1;
        let (at, target) = (rank - self.before[target], StateId::from_index(target));
        let production = self.pops_to(target).nth(at);
        let production = production.expect("invariant: ranks count productions");
        self.pop_edge(target, production).expect("invariant: it pops to this state")
    }
}

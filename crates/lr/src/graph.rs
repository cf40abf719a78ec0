//! The LR-graph: the states of an automaton with push and pop edges (Rossouw, Fischer, JSS 2024,
//! section 3).
//!
//! Push edges are the transitions, including that by `$`. A pop edge by A → α leads from a state in
//! which A → α • is complete to every state from which α leads there. The publication searches
//! backwards from complete items. But a target and a production determine the path, and every state
//! with A in its closure is a target, so walking forward finds each pop edge once. Therefore pop
//! edges are counted without any walk, as the productions of all nonterminals in the closures of
//! all states, and ranked by target, then in the order of nonterminals and of their productions.
//! Lookaheads do not restrict pop edges.
//!
//! Example: `S: C C; C: c C | d;` with LR(0). States in order: 0 initial, 1 after c, 2 after d, 3
//! after S, 4 after the first C, 5 after c C, 6 accepting, 7 after C C. There are 11 push edges and
//! 7 pop edges:
//!
//! ```text
//! to 0: S → C C from 7, C → c C from 5, C → d from 2
//! to 1: C → c C from 5, C → d from 2
//! to 4: C → c C from 5, C → d from 2
//! ```

use gramercy_analysis::Duplicates;
use gramercy_base::Id;
use gramercy_grammar::{Cfg, ProductionId};

use crate::automaton::{Automaton, StateId};
use crate::labels::LabelId;

/// Pushing `label` makes `target` the top of the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PushEdge {
    /// The top of the stack before.
    pub source: StateId,
    /// The pushed label.
    pub label: LabelId,
    /// The top of the stack after.
    pub target: StateId,
}

/// Popping the right-hand side of `production` makes `target` the top of the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PopEdge {
    /// The top of the stack before: the production is complete there.
    pub source: StateId,
    /// The production.
    pub production: ProductionId,
    /// The top of the stack after: it has the left-hand side of the production in its closure.
    pub target: StateId,
}

/// An automaton as a graph.
#[derive(Clone, Debug)]
pub struct LrGraph<'a> {
    cfg: &'a Cfg,
    automaton: &'a Automaton,
    /// For every state the number of pop edges into the states before it, and the number of all.
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

    /// The number of pop edges that differ in source, left-hand side, length or target: less than
    /// all only if productions are repeated.
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
            next.expect("invariant: the symbol after a dot can be pushed")
        });
        Some(PopEdge { source, production, target })
    }

    /// The rank of a pop edge, from 0 to [`pop_edge_count`](Self::pop_edge_count) - 1, by its
    /// target and production; `None` if there is none.
    #[must_use]
    pub fn pop_rank(&self, target: StateId, production: ProductionId) -> Option<usize> {
        let at = self.pops_to(target).position(|other| other == production)?;
        Some(self.before[target.index()] + at)
    }

    /// The pop edge of a rank.
    ///
    /// # Panics
    /// If the rank is too large.
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

//! Reduction paths (Rossouw, Fischer, JSS 2024, section 5): the push path of a production, the pop
//! edge at its end, and the push of its left-hand side. The pop edge determines the path. Linear in
//! the production.
//!
//! Example: `S: C C; C: c C | d;` with the LR(0) states of [`graph`](crate::graph). The pop edge by
//! C → c C to state 4 has the states 4, 1, 5 and is followed by the push of C onto 4.

use crate::automaton::StateId;
use crate::graph::{LrGraph, PopEdge, PushEdge};

/// The effect of a pop edge on the stack, from the state that it returns to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReductionPath {
    /// The states along the right-hand side: the first is the target of the pop edge, the last its
    /// source.
    pub states: Vec<StateId>,
    /// The pop edge.
    pub pop: PopEdge,
    /// The push of the left-hand side that follows it.
    pub push: PushEdge,
}

impl ReductionPath {
    /// The path of a pop edge of a graph; `None` if it is not one.
    #[must_use]
    pub fn of(graph: &LrGraph<'_>, pop: PopEdge) -> Option<Self> {
        let (cfg, automaton) = (graph.cfg(), graph.automaton());
        let labels = automaton.labels();
        let label = labels.nonterminal(cfg.lhs(pop.production));
        let target = automaton.step(pop.target, label)?;
        let push = PushEdge { source: pop.target, label, target };
        let mut states = vec![pop.target];
        let mut state = pop.target;
        for &symbol in cfg.rhs(pop.production) {
            state = automaton.step(state, labels.symbol(symbol))?;
            states.push(state);
        }
        (state == pop.source).then_some(Self { states, pop, push })
    }

    /// The push edges along the right-hand side.
    pub fn push_path<'a>(&'a self, graph: &LrGraph<'a>) -> impl Iterator<Item = PushEdge> + 'a {
        let labels = graph.automaton().labels();
        let rhs = graph.cfg().rhs(self.pop.production).iter();
        rhs.zip(self.states.windows(2)).map(move |(&symbol, pair)| PushEdge {
            source: pair[0],
            label: labels.symbol(symbol),
            target: pair[1],
        })
    }
}

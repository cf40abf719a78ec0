//! The inputs directly after a state, F(q), and directly before it, P(q) (Rossouw, Fischer, JSS
//! 2024, section 6). Corrected here: the printed definition of P is reversed, and F lacks `$`.
//!
//! A state *moves* to another by a pop edge and the following push, without reading. F(q) contains
//! the terminals, and the end `$`, that are pushed after any number of moves from q; P(q) contains
//! those, and the begin ⊢, after which any number of moves leads to q. A state is a *witness* for a
//! and b if a is in P and b is in F: if b follows a in a sentence, some state between them is a
//! witness. Both sets spread along moves: linear in the pop edges, times the words of a set.
//!
//! Example: `S: C C; C: c C | d;` with the LR(0) states of [`graph`](crate::graph). State 2, after
//! d, moves to 4, 5 and 7. So F(2) contains c and d, which are read in 4, and `$`, which is read
//! after further moves from 7. P(4) = {d}. The witnesses for d and c are 2, 4 and 5.

use gramercy_analysis::{Rows, TerminalOrEnd, components};
use gramercy_base::{BitMatrix, Id, bits};

use crate::automaton::StateId;
use crate::graph::LrGraph;

/// For each state, the inputs directly after and directly before it.
#[derive(Clone, Debug)]
pub struct Neighbors {
    follow: BitMatrix<StateId, TerminalOrEnd>,
    precede: BitMatrix<StateId, TerminalOrEnd>,
    states: usize,
}

impl Neighbors {
    /// The neighbors of the states of an LR-graph.
    #[must_use]
    pub fn of(graph: &LrGraph<'_>) -> Self {
        let (automaton, labels) = (graph.automaton(), graph.automaton().labels());
        let (states, symbols) = (automaton.state_count(), TerminalOrEnd::count(graph.cfg()));
        let mut follow = BitMatrix::new(states, symbols);
        let mut precede = BitMatrix::new(states, symbols);
        // The begin, which has the same number as the end, is before the initial state.
        precede.insert(automaton.initial(), TerminalOrEnd::end(graph.cfg()));
        for push in graph.push_edges() {
            if let Some(read) = labels.as_input(push.label) {
                follow.insert(push.source, read);
                precede.insert(push.target, read);
            }
        }
        let moves: Vec<(StateId, StateId)> = graph
            .pop_edges()
            .filter_map(|pop| {
                let label = labels.nonterminal(graph.cfg().lhs(pop.production));
                Some((pop.source, automaton.step(pop.target, label)?))
            })
            .collect();
        components::spread(&Rows::group(states, &moves), &mut follow);
        let back: Vec<_> = moves.into_iter().map(|(from, to)| (to, from)).collect();
        components::spread(&Rows::group(states, &back), &mut precede);
        Self { follow, precede, states }
    }

    /// F: the next inputs; the marker is `$`.
    pub fn follow(&self, state: StateId) -> impl Iterator<Item = TerminalOrEnd> + '_ {
        bits::ones(self.follow.row(state))
    }

    /// P: the previous inputs; the marker is the begin ⊢, except for the accepting state, where it
    /// is `$`.
    pub fn precede(&self, state: StateId) -> impl Iterator<Item = TerminalOrEnd> + '_ {
        bits::ones(self.precede.row(state))
    }

    /// W: the states between `a`, where the marker means the begin, and `b`.
    pub fn witnesses(
        &self,
        a: TerminalOrEnd,
        b: TerminalOrEnd,
    ) -> impl Iterator<Item = StateId> + '_ {
        let is_witness = move |&state: &StateId| {
            self.precede.contains(state, a) && self.follow.contains(state, b)
        };
        (0..self.states).map(StateId::from_index).filter(is_witness)
    }
}

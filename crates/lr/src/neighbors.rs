//! What can be read right after a state, F(q), and what was read right before it, P(q) (paper 003 §6, as
//! FACTS §5 corrects it).
//!
//! A state *moves* to another by a pop edge and the push behind it, reading nothing. F(q) has the
//! terminals, and the end `$`, that are pushed after any number of moves from q; P(q) those, and the
//! begin ⊢, after which any number of moves leads to q. A state is a *witness* for a and b if a is in
//! P and b in F: wherever b follows a in a sentence, some state on the way is one. Both are unions that
//! spread along moves: linear in the pop edges, times the words of a set.

use gramercy_analysis::{Rows, TerminalOrEnd, components};
use gramercy_base::{BitMatrix, Id, bits};

use crate::automaton::StateId;
use crate::graph::LrGraph;

/// For each state, what comes right after and right before it.
#[derive(Clone, Debug)]
pub struct Neighbors {
    follow: BitMatrix<StateId, TerminalOrEnd>,
    precede: BitMatrix<StateId, TerminalOrEnd>,
    states: usize,
}

impl Neighbors {
    /// Those of an LR-graph.
    #[must_use]
    pub fn of(graph: &LrGraph<'_>) -> Self {
        let (automaton, labels) = (graph.automaton(), graph.automaton().labels());
        let (states, symbols) = (automaton.state_count(), TerminalOrEnd::count(graph.cfg()));
        let mut follow = BitMatrix::new(states, symbols);
        let mut precede = BitMatrix::new(states, symbols);
        // Before the initial state stands the begin, which has the number of the end.
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

    /// F: what can be read next; the end is `$`.
    pub fn follow(&self, state: StateId) -> impl Iterator<Item = TerminalOrEnd> + '_ {
        bits::ones(self.follow.row(state))
    }

    /// P: what can have been read last; the end is the begin ⊢. Behind the accepting state it is `$`.
    pub fn precede(&self, state: StateId) -> impl Iterator<Item = TerminalOrEnd> + '_ {
        bits::ones(self.precede.row(state))
    }

    /// W: the states that are between `a`, where the end means the begin, and `b`.
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

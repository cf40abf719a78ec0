//! The subset construction, breadth first.
//!
//! A state is the set of nodes that read a character or accept; forks are followed immediately. For
//! each state the targets of the nodes are collected per class. Classes with the same targets share
//! one lookup, so a `.` over many classes costs one.
//!
//! Example: `(a|b)*a` has two states: the start, and the state after an `a`, which accepts. Both go
//! to the second state on `a` and to the start on `b`.
//!
//! Cost: exponential in the worst case; [`Budget`] limits states, memory and time.

use gramercy_base::{Id, IndexSet, LimitReached, Map, Table};

use crate::budget::Budget;
use crate::class_dfa::{ClassDfa, Edge, StateId};
use crate::classes::ClassId;
use crate::nfa::{Labels, Nfa, Node, NodeId};

/// A deterministic automaton of the same language.
pub(crate) fn determinize(
    nfa: &Nfa,
    labels: &Labels,
    budget: &mut Budget,
) -> Result<ClassDfa, LimitReached> {
    let mut subsets = Subsets::new(nfa, labels, budget);
    subsets.state_of(&[nfa.start()])?;
    let mut dfa = ClassDfa::new();
    while let Some(subset) = subsets.known.get_index(dfa.len()).cloned() {
        let accepting = subset.iter().any(|&node| matches!(nfa.node(node), Node::Accept));
        let edges = subsets.edges(&subset)?;
        dfa.push(accepting, edges);
    }
    Ok(dfa)
}

struct Subsets<'a> {
    nfa: &'a Nfa,
    labels: &'a Labels,
    budget: &'a mut Budget,
    /// The known states, each a sorted set of nodes.
    known: IndexSet<Box<[NodeId]>>,
    /// The last round that visited each node.
    visited: Table<NodeId, u32>,
    round: u32,
}

impl<'a> Subsets<'a> {
    fn new(nfa: &'a Nfa, labels: &'a Labels, budget: &'a mut Budget) -> Self {
        let visited = Table::filled(0, nfa.len());
        Self { nfa, labels, budget, known: IndexSet::default(), visited, round: 0 }
    }

    /// The outgoing edges of a state, ascending.
    fn edges(&mut self, subset: &[NodeId]) -> Result<Vec<Edge>, LimitReached> {
        let targets = self.targets(subset)?;
        let nodes: Vec<NodeId> = targets.iter().map(|&(_, node)| node).collect();
        let mut states: Map<&[NodeId], StateId> = Map::default();
        let mut edges = Vec::new();
        let mut first = 0;
        for same in targets.chunk_by(|a, b| a.0 == b.0) {
            let kernel = &nodes[first..first + same.len()];
            first += same.len();
            let target = match states.get(kernel) {
                Some(&state) => state,
                None => self.state_of(kernel)?,
            };
            states.insert(kernel, target);
            edges.push(Edge { class: same[0].0, target });
        }
        Ok(edges)
    }

    /// The targets of the nodes of a state for each class that they read, ascending.
    fn targets(&mut self, subset: &[NodeId]) -> Result<Vec<(ClassId, NodeId)>, LimitReached> {
        let mut targets = Vec::new();
        for &node in subset {
            if let Node::Read(label, next) = self.nfa.node(node) {
                let classes = self.labels.classes(label);
                self.budget.steps(classes.len())?;
                targets.extend(classes.iter().map(|&class| (class, next)));
            }
        }
        targets.sort_unstable();
        targets.dedup();
        Ok(targets)
    }

    /// The state of all nodes that `kernel` reaches without reading.
    fn state_of(&mut self, kernel: &[NodeId]) -> Result<StateId, LimitReached> {
        let subset = self.closure(kernel)?;
        let state = match self.known.get_index_of(&*subset) {
            Some(state) => state,
            None => self.known.insert_full(subset.into()).0,
        };
        self.budget.states(self.known.len())?;
        Ok(StateId::from_index(state))
    }

    /// The nodes that read or accept and that `kernel` reaches through forks, ascending.
    fn closure(&mut self, kernel: &[NodeId]) -> Result<Vec<NodeId>, LimitReached> {
        self.round += 1;
        let mut subset = Vec::new();
        let mut agenda = kernel.to_vec();
        while let Some(node) = agenda.pop() {
            if std::mem::replace(&mut self.visited[node], self.round) == self.round {
                continue;
            }
            self.budget.steps(1)?;
            match self.nfa.node(node) {
                Node::Accept | Node::Read(..) => subset.push(node),
                Node::Fork(a, b) => agenda.extend([a, b]),
                Node::Dead => {}
            }
        }
        subset.sort_unstable();
        Ok(subset)
    }
}

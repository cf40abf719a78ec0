//! Deterministic automata over alphabet classes, which all constructions and operations use. A
//! [`Dfa`](crate::Dfa) is such an automaton together with its classes.
//!
//! The automata are partial: a class without an edge means rejection. The first state is the start.
//! Rows are appended state by state, in the order of breadth-first constructions, into one vector
//! of edges. Every operation here is linear in the edges of its result and arguments.

use gramercy_base::{Id, IdSet, IndexSet, LimitReached, Table, define_id};

use crate::budget::Budget;
use crate::classes::ClassId;

define_id!(pub struct StateId, "a state of a deterministic automaton");

/// An edge to a state for all characters of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    /// The class.
    pub class: ClassId,
    /// The target state.
    pub target: StateId,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    accepting: bool,
    /// One past the last edge of the state; its first edge is at the end of the previous row.
    end: usize,
}

/// A partial deterministic automaton whose first state is the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ClassDfa {
    rows: Table<StateId, Row>,
    edges: Vec<Edge>,
}

impl ClassDfa {
    /// An automaton without states. The start state must be pushed first.
    pub(crate) fn new() -> Self {
        Self { rows: Table::new(), edges: Vec::new() }
    }

    /// Appends a state; its edges are in ascending order of their classes.
    pub(crate) fn push(
        &mut self,
        accepting: bool,
        edges: impl IntoIterator<Item = Edge>,
    ) -> StateId {
        let first = self.edges.len();
        self.edges.extend(edges);
        let ordered = self.edges[first..].is_sorted_by(|a, b| a.class < b.class);
        debug_assert!(ordered, "invariant: one edge per class, ascending");
        self.rows.push(Row { accepting, end: self.edges.len() })
    }

    pub(crate) fn start(&self) -> StateId {
        StateId::from_index(0)
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether a trimmed automaton accepts no word.
    pub(crate) fn is_empty(&self) -> bool {
        !self.is_accepting(self.start()) && self.edges(self.start()).is_empty()
    }

    pub(crate) fn states(&self) -> impl DoubleEndedIterator<Item = StateId> + use<> {
        self.rows.ids()
    }

    pub(crate) fn is_accepting(&self, state: StateId) -> bool {
        self.rows[state].accepting
    }

    /// The edges of a state in ascending order of their classes.
    pub(crate) fn edges(&self, state: StateId) -> &[Edge] {
        let first = match state.index() {
            0 => 0,
            index => self.rows[StateId::from_index(index - 1)].end,
        };
        &self.edges[first..self.rows[state].end]
    }

    /// The edges of all states, state by state.
    pub(crate) fn all_edges(&self) -> &[Edge] {
        &self.edges
    }

    pub(crate) fn step(&self, state: StateId, class: ClassId) -> Option<StateId> {
        let edges = self.edges(state);
        let at = edges.binary_search_by_key(&class, |edge| edge.class).ok()?;
        Some(edges[at].target)
    }

    /// The same language with states numbered breadth first from the start, edges ascending;
    /// unreachable states are removed.
    pub(crate) fn renumbered(&self) -> Self {
        let mut order: IndexSet<StateId> = IndexSet::default();
        order.insert(self.start());
        let mut result = Self::new();
        while let Some(&state) = order.get_index(result.len()) {
            let edges = self.edges(state).iter().map(|edge| {
                let (target, _) = order.insert_full(edge.target);
                Edge { target: StateId::from_index(target), ..*edge }
            });
            result.push(self.is_accepting(state), edges);
        }
        result
    }

    /// The same language without the states that accept nothing; the start stays.
    pub(crate) fn trimmed(&self) -> Self {
        let live = self.live_states();
        let mut kept: Table<StateId, StateId> = Table::with_capacity(self.len());
        let mut next = 0;
        for state in self.states() {
            kept.push(StateId::from_index(next));
            next += usize::from(live.contains(state) || state == self.start());
        }
        let mut result = Self::new();
        for state in self.states().filter(|&state| live.contains(state) || state == self.start()) {
            let edges = self.edges(state).iter().filter(|edge| live.contains(edge.target));
            let edges = edges.map(|edge| Edge { target: kept[edge.target], ..*edge });
            result.push(self.is_accepting(state), edges);
        }
        result
    }

    fn live_states(&self) -> IdSet<StateId> {
        let incoming = Incoming::of(self);
        let mut live = IdSet::new(self.len());
        let mut agenda: Vec<_> = self.states().filter(|&state| self.is_accepting(state)).collect();
        agenda.iter().for_each(|&state| _ = live.insert(state));
        while let Some(state) = agenda.pop() {
            for &(source, _) in incoming.edges(state) {
                if live.insert(source) {
                    agenda.push(source);
                }
            }
        }
        live
    }

    /// The words over the first `classes` classes that this automaton rejects.
    pub(crate) fn complement(
        &self,
        classes: usize,
        budget: &mut Budget,
    ) -> Result<Self, LimitReached> {
        budget.states(self.len() + 1)?;
        budget.steps((self.len() + 1).saturating_mul(classes))?;
        let sink = StateId::from_index(self.len());
        let all = || (0..classes).map(ClassId::from_index);
        let mut result = Self::new();
        for state in self.states() {
            let mut edges = self.edges(state).iter().peekable();
            let completed = all().map(|class| {
                let own = edges.next_if(|edge| edge.class == class);
                own.copied().unwrap_or(Edge { class, target: sink })
            });
            result.push(!self.is_accepting(state), completed);
        }
        result.push(true, all().map(|class| Edge { class, target: sink }));
        Ok(result)
    }

    /// The words that both automata accept: the pairs of states that are reachable from the pair of
    /// starts.
    pub(crate) fn product(&self, other: &Self, budget: &mut Budget) -> Result<Self, LimitReached> {
        let mut pairs: IndexSet<(StateId, StateId)> = IndexSet::default();
        pairs.insert((self.start(), other.start()));
        let mut result = Self::new();
        while let Some(&(a, b)) = pairs.get_index(result.len()) {
            budget.states(pairs.len())?;
            budget.steps(self.edges(a).len() + other.edges(b).len())?;
            let edges = common_edges(self.edges(a), other.edges(b)).map(|(class, a, b)| {
                let (target, _) = pairs.insert_full((a, b));
                Edge { class, target: StateId::from_index(target) }
            });
            result.push(self.is_accepting(a) && other.is_accepting(b), edges);
        }
        Ok(result)
    }

    /// The same automaton over other classes; edges without a new class are dropped.
    pub(crate) fn with_classes(&self, new: impl Fn(ClassId) -> Option<ClassId>) -> Self {
        let renamed = |edge: &Edge| Some(Edge { class: new(edge.class)?, ..*edge });
        let mut result = Self::new();
        for state in self.states() {
            result.push(self.is_accepting(state), self.edges(state).iter().filter_map(renamed));
        }
        result
    }

    /// The same language without the empty word.
    pub(crate) fn without_empty(&self) -> Self {
        let shift = |edge: &Edge| {
            let target = StateId::from_index(edge.target.index() + 1);
            Edge { target, ..*edge }
        };
        let mut result = Self::new();
        result.push(false, self.edges(self.start()).iter().map(shift));
        for state in self.states() {
            result.push(self.is_accepting(state), self.edges(state).iter().map(shift));
        }
        result
    }
}

/// The classes for which both rows have an edge, with the two targets.
fn common_edges<'a>(
    a: &'a [Edge],
    b: &'a [Edge],
) -> impl Iterator<Item = (ClassId, StateId, StateId)> + 'a {
    let mut b = b.iter().peekable();
    a.iter().filter_map(move |a| {
        while b.next_if(|b| b.class < a.class).is_some() {}
        let b = b.next_if(|b| b.class == a.class)?;
        Some((a.class, a.target, b.target))
    })
}

/// The edges of an automaton by their targets.
pub(crate) struct Incoming {
    /// The first incoming edge of each state, and the number of all edges.
    firsts: Vec<usize>,
    /// Source and position among all edges.
    edges: Vec<(StateId, usize)>,
}

impl Incoming {
    pub(crate) fn of(dfa: &ClassDfa) -> Self {
        let mut ends = vec![0; dfa.len() + 1];
        dfa.edges.iter().for_each(|edge| ends[edge.target.index()] += 1);
        let mut sum = 0;
        for end in &mut ends {
            sum += *end;
            *end = sum;
        }
        let mut edges = vec![(dfa.start(), 0); dfa.edges.len()];
        let sources = dfa.states().flat_map(|state| dfa.edges(state).iter().map(move |_| state));
        for (at, (source, edge)) in sources.zip(&dfa.edges).enumerate() {
            let place = &mut ends[edge.target.index()];
            *place -= 1;
            edges[*place] = (source, at);
        }
        Self { firsts: ends, edges }
    }

    /// Source and position of every edge into `state`.
    pub(crate) fn edges(&self, state: StateId) -> &[(StateId, usize)] {
        &self.edges[self.firsts[state.index()]..self.firsts[state.index() + 1]]
    }
}

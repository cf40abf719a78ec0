//! Nondeterministic automata after Thompson: a node reads one character, forks or accepts.
//!
//! They are built from back to front, each expression with the node that follows it, so only loops
//! are patched. A repetition `x{n,m}` is m copies of `x`; the optional ones all leave to the same
//! end, so each node reaches only its own copy and the end.
//!
//! Cost: linear in the expression with its repetitions copied, which [`Budget`] limits.

use gramercy_base::{Id, IndexSet, LimitReached, Table, define_id};

use crate::budget::Budget;
use crate::class_dfa::{ClassDfa, StateId};
use crate::classes::ClassId;
use crate::plan::Plan;

define_id!(pub(crate) struct NodeId, "a node of a nondeterministic automaton");
define_id!(pub(crate) struct LabelId, "a set of classes that a node reads");

/// One node.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Node {
    /// The end of a word.
    Accept,
    /// No word continues from here.
    Dead,
    /// Two successors.
    Fork(NodeId, NodeId),
    /// Reads a character of one of the classes.
    Read(LabelId, NodeId),
}

/// The sets of classes that nodes read, each stored once.
#[derive(Default)]
pub(crate) struct Labels {
    sets: IndexSet<Box<[ClassId]>>,
}

impl Labels {
    /// The label of a set, whose classes are ascending.
    pub(crate) fn label(&mut self, classes: &[ClassId]) -> LabelId {
        let label = match self.sets.get_index_of(classes) {
            Some(label) => label,
            None => self.sets.insert_full(classes.into()).0,
        };
        LabelId::from_index(label)
    }

    /// The classes of a label, ascending.
    pub(crate) fn classes(&self, label: LabelId) -> &[ClassId] {
        &self.sets[label.index()]
    }
}

/// A nondeterministic automaton.
pub(crate) struct Nfa {
    nodes: Table<NodeId, Node>,
    start: NodeId,
}

impl Nfa {
    /// The automaton of a planned expression.
    pub(crate) fn new(
        plan: &Plan,
        labels: &mut Labels,
        budget: &mut Budget,
    ) -> Result<Self, LimitReached> {
        let mut nodes = Table::new();
        let accept = nodes.push(Node::Accept);
        let mut builder = Builder { nodes, labels, budget };
        let start = builder.build(plan, accept)?;
        Ok(Self { nodes: builder.nodes, start })
    }

    pub(crate) fn start(&self) -> NodeId {
        self.start
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn node(&self, id: NodeId) -> Node {
        self.nodes[id]
    }
}

struct Builder<'a> {
    nodes: Table<NodeId, Node>,
    labels: &'a mut Labels,
    budget: &'a mut Budget,
}

impl Builder<'_> {
    fn push(&mut self, node: Node) -> Result<NodeId, LimitReached> {
        self.budget.position()?;
        Ok(self.nodes.push(node))
    }

    /// A node that forks to all of `nodes`.
    fn fork(&mut self, nodes: &[NodeId]) -> Result<NodeId, LimitReached> {
        let Some((&last, rest)) = nodes.split_last() else { return self.push(Node::Dead) };
        rest.iter().try_rfold(last, |after, &node| self.push(Node::Fork(node, after)))
    }

    /// The first node of an automaton that reads `plan` and continues with `next`.
    fn build(&mut self, plan: &Plan, next: NodeId) -> Result<NodeId, LimitReached> {
        match plan {
            Plan::Empty => Ok(next),
            Plan::Chars(label) => self.push(Node::Read(*label, next)),
            Plan::Concat(parts) => {
                parts.iter().try_rfold(next, |next, part| self.build(part, next))
            }
            Plan::Union(parts) => {
                let parts: Result<Vec<_>, _> =
                    parts.iter().map(|part| self.build(part, next)).collect();
                self.fork(&parts?)
            }
            Plan::AtLeast(inner, min) => self.at_least(inner, *min, next),
            Plan::Between(inner, min, max) => {
                let end = (*min..*max).try_fold(next, |rest, _| {
                    let once = self.build(inner, rest)?;
                    self.push(Node::Fork(once, next))
                });
                self.copies(inner, *min, end?)
            }
            Plan::Automaton(dfa) => self.embed(dfa, next),
        }
    }

    fn copies(&mut self, inner: &Plan, count: u32, next: NodeId) -> Result<NodeId, LimitReached> {
        (0..count).try_fold(next, |next, _| self.build(inner, next))
    }

    fn at_least(&mut self, inner: &Plan, min: u32, next: NodeId) -> Result<NodeId, LimitReached> {
        let again = self.push(Node::Dead)?;
        let once = self.build(inner, again)?;
        self.nodes[again] = Node::Fork(once, next);
        match min.checked_sub(1) {
            None => Ok(again),
            Some(rest) => self.copies(inner, rest, once),
        }
    }

    /// A copy of a deterministic automaton that continues with `next` where that accepts.
    fn embed(&mut self, dfa: &ClassDfa, next: NodeId) -> Result<NodeId, LimitReached> {
        self.budget.steps(dfa.all_edges().len())?;
        let nodes: Result<Vec<_>, _> = dfa.states().map(|_| self.push(Node::Dead)).collect();
        let nodes: Table<StateId, NodeId> = nodes?.into();
        for state in dfa.states() {
            let mut ways = dfa.is_accepting(state).then_some(next).into_iter().collect::<Vec<_>>();
            for (classes, target) in by_target(dfa, state) {
                let label = self.labels.label(&classes);
                ways.push(self.push(Node::Read(label, nodes[target]))?);
            }
            self.nodes[nodes[state]] = match *ways {
                [] => Node::Dead,
                [only] => Node::Fork(only, only),
                [first, ref rest @ ..] => Node::Fork(first, self.fork(rest)?),
            };
        }
        Ok(nodes[dfa.start()])
    }
}

/// The edges of a state as one set of classes per target.
fn by_target(dfa: &ClassDfa, state: StateId) -> Vec<(Vec<ClassId>, StateId)> {
    let mut edges = dfa.edges(state).to_vec();
    edges.sort_unstable_by_key(|edge| (edge.target, edge.class));
    let same = edges.chunk_by(|a, b| a.target == b.target);
    same.map(|same| (same.iter().map(|edge| edge.class).collect(), same[0].target)).collect()
}

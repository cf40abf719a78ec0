//! Which of two derivations of the same node decides first as the grammar prefers.
//!
//! Both are unrolled into decisions side by side, from what is to be done next; parts that are the
//! same on both sides are dropped unseen. Linear in what lies before the first difference, but two
//! nodes that were found to differ are not unrolled again: that is remembered.

use std::cmp::Ordering;

use gramercy_base::{Id, Map};
use gramercy_grammar::{ProductionId, TerminalId};

use super::select::{ChosenPart, PickId, Selection};
use super::{Ending, Order, Role};
use crate::derivations::TokenRange;

/// One decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Decision {
    /// A terminal is read.
    Read(TerminalId, u32),
    /// A production is complete.
    Reduce(ProductionId),
    /// A production of this rank is begun.
    Choose(u32),
    /// A loop goes on with the production of this rank.
    GoOn(u32),
    /// A loop ends.
    End(Ending),
}

/// What is still to be unrolled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Task {
    Decision(Decision),
    /// A node that stands for itself.
    Whole(PickId),
    /// A node that is the loop so far of the one above it.
    LoopSoFar(PickId),
}

/// The parts of one way to derive a node.
#[derive(Debug)]
pub(crate) struct Unrolled {
    pub(crate) production: ProductionId,
    pub(crate) parts: Vec<ChosenPart>,
}

/// What comparisons leave after for the next.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// Which of two nodes is preferred, where a difference lies within both of them.
    nodes: Map<NodePair, Ordering>,
    /// Memory that is used again: there are as many comparisons as derivations.
    tasks: [Vec<Task>; 2],
    open: Vec<Open>,
}

impl Known {
    /// The bytes that are kept.
    pub(crate) fn memory(&self) -> usize {
        self.nodes.capacity() * size_of::<(NodePair, Ordering)>()
    }
}

/// Two tasks that are nodes, in one number: there may be as many pairs as derivations.
type NodePair = u64;

/// Two nodes that are being compared, with how much was left after them.
#[derive(Debug)]
struct Open {
    pair: NodePair,
    left: (usize, usize),
}

/// Compares two ways to derive the same node, whose parts are decided.
pub(crate) fn compare(
    selection: &Selection<'_>,
    known: &mut Known,
    one: &Unrolled,
    other: &Unrolled,
) -> Ordering {
    let [mut one, mut other] =
        [(0, one), (1, other)].map(|(at, way)| Side::new(selection, way, known.take(at)));
    let found = first_difference(&mut one, &mut other, known);
    known.tasks = [one.tasks, other.tasks];
    found
}

fn first_difference(one: &mut Side<'_>, other: &mut Side<'_>, known: &mut Known) -> Ordering {
    let Known { nodes, open, .. } = known;
    open.clear();
    loop {
        // Where either side is through with a node, a difference no longer lies within both.
        let (left, right) = (one.tasks.len(), other.tasks.len());
        while open.pop_if(|it| left <= it.left.0 || right <= it.left.1).is_some() {}
        let found = match (one.tasks.last().copied(), other.tasks.last().copied()) {
            (None, _) | (_, None) => return Ordering::Equal,
            (Some(left), Some(right)) if left == right => {
                one.tasks.pop();
                other.tasks.pop();
                continue;
            }
            (Some(Task::Decision(left)), Some(Task::Decision(right))) => {
                prefer(one.selection.order(), left, right)
            }
            (Some(left), Some(right)) => {
                let pair = node_pair(left, right);
                match pair.and_then(|pair| nodes.get(&pair)) {
                    Some(&found) => found,
                    None => {
                        one.unroll(left);
                        other.unroll(right);
                        let left = (one.behind, other.behind);
                        open.extend(pair.map(|pair| Open { pair, left }));
                        continue;
                    }
                }
            }
        };
        nodes.extend(open.iter().map(|it| (it.pair, found)));
        return found;
    }
}

impl Known {
    fn take(&mut self, side: usize) -> Vec<Task> {
        let mut tasks = std::mem::take(&mut self.tasks[side]);
        tasks.clear();
        tasks
    }
}

impl Task {
    /// A number of its own for each node in each of its roles.
    fn node_number(self) -> Option<u64> {
        match self {
            Task::Decision(_) => None,
            Task::Whole(pick) => Some(pick.index() as u64 * 2),
            Task::LoopSoFar(pick) => Some(pick.index() as u64 * 2 + 1),
        }
    }
}

fn node_pair(left: Task, right: Task) -> Option<NodePair> {
    let (left, right) = (left.node_number()?, right.node_number()?);
    assert!(left.max(right) >> 32 == 0, "invariant: there are fewer than 2^31 picks");
    Some(left << 32 | right)
}

/// Which of two different decisions is preferred.
fn prefer(order: &Order, one: Decision, other: Decision) -> Ordering {
    use Decision::{Choose, End, GoOn, Read, Reduce};
    match (order, one, other) {
        (Order::Actions(precedences), Reduce(production), Read(token, _)) => {
            if precedences.reduces(production, token) { Ordering::Less } else { Ordering::Greater }
        }
        (Order::Actions(_), Read(..), Reduce(_)) => prefer(order, other, one).reverse(),
        (_, Reduce(one), Reduce(other)) => one.cmp(&other),
        (_, Read(one, long), Read(other, short)) => short.cmp(&long).then(one.cmp(&other)),
        (_, Choose(one), Choose(other)) | (_, GoOn(one), GoOn(other)) => one.cmp(&other),
        (_, GoOn(_), End(Ending::Late)) | (_, End(Ending::Early), GoOn(_)) => Ordering::Less,
        (_, GoOn(_), End(Ending::Early)) | (_, End(Ending::Late), GoOn(_)) => Ordering::Greater,
        _ => Ordering::Equal,
    }
}

/// One of two derivations: what is left of it, the next thing last.
struct Side<'s> {
    selection: &'s Selection<'s>,
    tasks: Vec<Task>,
    /// How much is left after the node that was unrolled last.
    behind: usize,
}

impl<'s> Side<'s> {
    fn new(selection: &'s Selection<'s>, way: &Unrolled, tasks: Vec<Task>) -> Self {
        let mut side = Self { selection, tasks, behind: 0 };
        side.push_way(way);
        side
    }

    /// Replaces a node on top by its decisions; what is a decision already stays.
    fn unroll(&mut self, task: Task) {
        let (pick, is_whole) = match task {
            Task::Whole(pick) => (pick, true),
            Task::LoopSoFar(pick) => (pick, false),
            Task::Decision(_) => return,
        };
        self.tasks.pop();
        self.behind = self.tasks.len();
        let way = self.selection.chosen(pick);
        if let Order::Alternatives(choices) = self.selection.order()
            && let Role::Begin(ending) | Role::GoOn(ending) = choices[way.production].role
            && is_whole
        {
            self.push(Decision::End(ending));
        }
        self.push_way(&way);
    }

    /// All that a way does, but for the end of a loop.
    fn push_way(&mut self, way: &Unrolled) {
        let mut parts = &way.parts[..];
        let choice = match self.selection.order() {
            Order::Actions(_) => {
                self.push(Decision::Reduce(way.production));
                None
            }
            Order::Alternatives(choices) => Some(choices[way.production]),
        };
        let mut first = None;
        if let (Some(Role::GoOn(_)), Some((&ChosenPart::Pick(so_far), rest))) =
            (choice.map(|choice| choice.role), parts.split_first())
        {
            first = Some(so_far);
            parts = rest;
        }
        for part in parts.iter().rev() {
            match *part {
                ChosenPart::Terminal(terminal, TokenRange { start, end }) => {
                    self.push(Decision::Read(terminal, end - start));
                }
                ChosenPart::Pick(pick) => self.tasks.push(Task::Whole(pick)),
            }
        }
        match (choice, first) {
            (None, _) => {}
            (Some(choice), Some(so_far)) => {
                self.push(Decision::GoOn(choice.rank));
                self.tasks.push(Task::LoopSoFar(so_far));
            }
            (Some(choice), None) => self.push(Decision::Choose(choice.rank)),
        }
    }

    fn push(&mut self, decision: Decision) {
        self.tasks.push(Task::Decision(decision));
    }
}

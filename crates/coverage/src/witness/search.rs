//! The cheapest text of a token rule that contains a path of its graph and that the lexer takes for this
//! rule, whatever other rules would like to have.
//!
//! Dijkstra's algorithm over what is still to be written, as a list of parts of the graph, and the state
//! of the lexer after what is written. One part of the list is marked: the rest of the path has to be
//! below it. What derives a text without the path and what the lexer takes for another rule is tried too,
//! so an end without a text says that there is none, unless it was given up: recursive rules have
//! endlessly many lists. Cost: lists times states of the lexer, which meet in few pairs, times the
//! logarithm of these.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use gramercy_base::{IdSet, LimitReached, Linked, Set, Table};
use gramercy_grammar::{GrammarGraph, NodeId, NodeKind, TerminalId};
use gramercy_language::Language;
use gramercy_lexis::{DfaStateId, Matching};

use super::Witness;
use super::spelling::{SetNumber, Spellings};

/// How many steps every search may take.
const STEPS: usize = 1 << 16;
/// How many steps all searches for texts of one rule may take beyond these.
pub(super) const EXTRA_STEPS: usize = 1 << 20;

gramercy_base::define_id!(struct RestId, "what is still to be written");

/// How many nodes of the path are above a part, if the others have to be below it.
type Mark = Option<usize>;

/// A part of what is still to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum PatternPart {
    Node(NodeId, Mark),
    /// The children of a concatenation or of a reference, from one on.
    Children(NodeId, usize, Mark),
    /// A node, repeated between a minimum and a maximum number of times.
    Times(NodeId, u32, Option<u32>, Mark),
    /// A terminal, from a state of its spelling on.
    Spelling(TerminalId, usize),
    /// One character of a set.
    Letter(SetNumber),
}

/// Where a search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct PatternPosition {
    rest: Option<RestId>,
    state: DfaStateId,
    at_end: bool,
}

/// A place with the way to it.
struct Reached {
    place: PatternPosition,
    from: Option<usize>,
    letter: Option<char>,
}

/// A path, and what leads to it.
pub(super) struct Way<'p> {
    path: &'p [NodeId],
    /// For each node of the path the nodes from which the path can go on to it, or begin with it.
    leading: Vec<IdSet<NodeId>>,
}

impl<'p> Way<'p> {
    pub(super) fn new(
        graph: &GrammarGraph,
        parents: &Table<NodeId, Vec<NodeId>>,
        path: &'p [NodeId],
    ) -> Self {
        let leading_to = |(at, &to): (usize, &NodeId)| {
            let mut leading = IdSet::new(graph.len());
            leading.insert(to);
            let mut open = vec![to];
            while let Some(node) = open.pop() {
                for &parent in &parents[node] {
                    // From one node of a path to the next there is none between.
                    if (at == 0 || !graph.kind(parent).is_symbolic()) && leading.insert(parent) {
                        open.push(parent);
                    }
                }
            }
            leading
        };
        Self { path, leading: path.iter().enumerate().map(leading_to).collect() }
    }

    /// Whether what a mark says can be below a node.
    fn leads_on(&self, node: NodeId, mark: Mark) -> bool {
        mark.is_none_or(|above| self.leading[above].contains(node))
    }
}

pub(super) struct Search<'s, 'm> {
    token: &'s Language,
    way: &'s Way<'s>,
    spellings: &'s mut Spellings,
    matching: &'s mut Matching<'m>,
    rests: Linked<RestId, PatternPart>,
    reached: Vec<Reached>,
    queue: BinaryHeap<Reverse<(u64, usize)>>,
}

impl<'s, 'm> Search<'s, 'm> {
    /// A search for a text with a path, or for any text if it is empty.
    pub(super) fn new(
        token: &'s Language,
        way: &'s Way<'s>,
        spellings: &'s mut Spellings,
        matching: &'s mut Matching<'m>,
    ) -> Self {
        let (rests, reached, queue) = (Linked::new(), Vec::new(), BinaryHeap::new());
        Self { token, way, spellings, matching, rests, reached, queue }
    }

    /// The text, if there is one and it is found within the steps that are left.
    pub(super) fn run(mut self, extra: &mut usize) -> Result<Option<Witness>, LimitReached> {
        let mark = (!self.way.path.is_empty()).then_some(0);
        let rest = Some(self.rests.push(None, PatternPart::Node(self.token.graph().root(), mark)));
        let place = PatternPosition { rest, state: self.matching.start()?, at_end: false };
        self.reach(0, Reached { place, from: None, letter: None });
        let mut known = Set::default();
        let mut left = STEPS;
        while let Some(Reverse((cost, at))) = self.queue.pop() {
            let steps = if left > 0 { &mut left } else { &mut *extra };
            let Some(fewer) = steps.checked_sub(1) else { break };
            *steps = fewer;
            let place = self.reached[at].place;
            if !known.insert(place) {
                continue;
            }
            let Some(rest) = place.rest else {
                if self.matching.can_win(place.state, place.at_end)?
                    && let Some(witness) = self.witness(at)
                {
                    return Ok(Some(witness));
                }
                continue;
            };
            match self.rests.get(rest) {
                (below, PatternPart::Spelling(terminal, state)) => {
                    self.spell(cost, at, (terminal, state), below)?;
                }
                (below, PatternPart::Letter(set)) => self.write(cost, at, set, below)?,
                (below, part) => self.open(cost, at, part, below),
            }
        }
        Ok(None)
    }

    fn reach(&mut self, cost: u64, reached: Reached) {
        self.queue.push(Reverse((cost, self.reached.len())));
        self.reached.push(reached);
    }

    /// Goes on with other parts instead of the first one.
    fn go_on(&mut self, cost: u64, at: usize, below: Option<RestId>, parts: &[PatternPart]) {
        let mut rest = below;
        for &part in parts.iter().rev() {
            rest = Some(self.rests.push(rest, part));
        }
        let place = PatternPosition { rest, ..self.reached[at].place };
        self.reach(cost, Reached { place, from: Some(at), letter: None });
    }

    /// Takes a part of the graph apart, in every way.
    fn open(&mut self, cost: u64, at: usize, part: PatternPart, below: Option<RestId>) {
        let graph = self.token.graph();
        match part {
            PatternPart::Node(node, mark) => self.open_node(cost, at, (node, mark), below),
            PatternPart::Children(node, from, mark) => {
                let children = graph.children(node);
                let Some(&child) = children.get(from) else {
                    if mark.is_none() {
                        self.go_on(cost, at, below, &[]);
                    }
                    return;
                };
                if mark.is_some() && self.way.leads_on(child, mark) {
                    let rest = PatternPart::Children(node, from + 1, None);
                    self.go_on(cost, at, below, &[PatternPart::Node(child, mark), rest]);
                }
                let rest = PatternPart::Children(node, from + 1, mark);
                self.go_on(cost, at, below, &[PatternPart::Node(child, None), rest]);
            }
            PatternPart::Times(body, min, max, mark) => {
                if min == 0 && mark.is_none() {
                    self.go_on(cost, at, below, &[]);
                }
                if max == Some(0) {
                    return;
                }
                let less = |mark| {
                    PatternPart::Times(body, min.saturating_sub(1), max.map(|max| max - 1), mark)
                };
                if mark.is_some() {
                    self.go_on(cost, at, below, &[PatternPart::Node(body, mark), less(None)]);
                }
                self.go_on(cost, at, below, &[PatternPart::Node(body, None), less(mark)]);
            }
            PatternPart::Spelling(..) | PatternPart::Letter(_) => {
                unreachable!("invariant: what is spelled is no part of the graph")
            }
        }
    }

    fn open_node(
        &mut self,
        cost: u64,
        at: usize,
        (node, mark): (NodeId, Mark),
        below: Option<RestId>,
    ) {
        let graph = self.token.graph();
        if let Some(set) = self.spellings.single(node).filter(|_| mark.is_none()) {
            return self.go_on(cost, at, below, &[PatternPart::Letter(set)]);
        }
        match graph.kind(node) {
            NodeKind::Alternation => {
                let leading = |child: &&NodeId| self.way.leads_on(**child, mark);
                for &child in graph.children(node).iter().filter(leading) {
                    self.go_on(cost, at, below, &[PatternPart::Node(child, mark)]);
                }
            }
            NodeKind::Concatenation => {
                self.go_on(cost, at, below, &[PatternPart::Children(node, 0, mark)]);
            }
            NodeKind::Quantifier { min, max } => {
                let body = graph.children(node)[0];
                self.go_on(cost, at, below, &[PatternPart::Times(body, min, max, mark)]);
            }
            NodeKind::Reference(_) => {
                // The path goes on here, or it has not begun yet.
                let above = mark.filter(|&above| self.way.path[above] == node);
                if let Some(above) = above {
                    let mark = Some(above + 1).filter(|&above| above < self.way.path.len());
                    self.go_on(cost, at, below, &[PatternPart::Children(node, 0, mark)]);
                }
                if mark.is_none_or(|above| above == 0) {
                    self.go_on(cost, at, below, &[PatternPart::Children(node, 0, mark)]);
                }
            }
            NodeKind::Leaf(terminal) => {
                let is_end_of_path = |above| self.way.path[above..] == [node];
                if mark.is_none_or(is_end_of_path) {
                    self.go_on(cost, at, below, &[PatternPart::Spelling(terminal, 0)]);
                }
            }
        }
    }

    /// Writes one more character of a terminal, or goes on after it.
    fn spell(
        &mut self,
        cost: u64,
        at: usize,
        (terminal, state): (TerminalId, usize),
        below: Option<RestId>,
    ) -> Result<(), LimitReached> {
        let Some(spelling) = self.spellings.of(terminal) else { return Ok(()) };
        let place = self.reached[at].place;
        let (is_final, is_end) = (spelling.states[state].is_final, spelling.is_end);
        let edges = spelling.states[state].edges.clone();
        if is_final {
            let place = PatternPosition { rest: below, at_end: place.at_end || is_end, ..place };
            self.reach(cost, Reached { place, from: Some(at), letter: None });
        }
        for (set, next) in edges {
            let rest = Some(self.rests.push(below, PatternPart::Spelling(terminal, next)));
            self.write(cost, at, set, rest)?;
        }
        Ok(())
    }

    /// Writes one character of a set.
    fn write(
        &mut self,
        cost: u64,
        at: usize,
        set: SetNumber,
        rest: Option<RestId>,
    ) -> Result<(), LimitReached> {
        let PatternPosition { state, at_end, .. } = self.reached[at].place;
        if at_end {
            return Ok(());
        }
        let mut behind = Set::default();
        for &(letter, of_letter) in &*self.spellings.letters(set, self.matching) {
            // Of letters that lead to the same state the first is the cheapest.
            if let Some(state) = self.matching.step(state, letter)?
                && behind.insert(state)
            {
                let place = PatternPosition { rest, state, at_end };
                let letter = Some(letter);
                self.reach(cost + of_letter, Reached { place, from: Some(at), letter });
            }
        }
        Ok(())
    }

    /// The text on the way to a place; `None` if it is empty, which no match is.
    fn witness(&self, at: usize) -> Option<Witness> {
        let way = std::iter::successors(Some(at), |&at| self.reached[at].from);
        let mut letters: Vec<char> = way.filter_map(|at| self.reached[at].letter).collect();
        letters.reverse();
        let at_end = self.reached[at].place.at_end;
        (!letters.is_empty()).then(|| Witness { text: letters.into_iter().collect(), at_end })
    }
}

//! Texts of a token rule that contain a given path of its graph.
//!
//! The way from the rule's right-hand side to the path's first node and along the path is fixed; the
//! rest is closed off by what is shortest, and in later attempts now and then by something else, with
//! other characters. Whether the lexer takes such a text for this rule is for the lexer to say: an
//! identifier that is a keyword is not one. Linear in the text times the children of the nodes.

use gramercy_base::{Id, Limits, Table};
use gramercy_grammar::{NodeId, NodeKind, TerminalId, TerminalKind};
use gramercy_regular::{CharSet, Dfa};

use crate::token_grammar::TokenGrammar;

/// A text that a token rule derives.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Witness {
    /// The text.
    pub text: String,
    /// Whether the input must end behind it.
    pub at_end: bool,
}

/// Which characters are written: one of a set, by a number; 0 is the most pleasant.
pub type Characters<'c> = &'c dyn Fn(&CharSet, u64) -> Option<char>;

/// Texts longer than this are given up.
const MAX_CHARS: usize = 2000;

/// Finds texts of one rule.
pub(crate) struct Witnesses<'w> {
    token: &'w TokenGrammar,
    /// The length and height of the shortest text of each node; none derives nothing.
    shortest: Table<NodeId, Option<(u64, u64)>>,
    words: Table<TerminalId, Option<Word>>,
}

/// How a terminal is spelled: one set of characters after the other.
type Word = Vec<CharSet>;

impl<'w> Witnesses<'w> {
    pub(crate) fn new(token: &'w TokenGrammar, limits: &Limits) -> Self {
        let words = token.grammar.terminals().map(|_, terminal| word(&terminal.kind, limits));
        let shortest = Table::filled(None, token.graph.len());
        let mut witnesses = Self { token, shortest, words };
        while witnesses.improve() {}
        witnesses
    }

    /// One round over all nodes; as many are needed as references nest.
    fn improve(&mut self) -> bool {
        let mut changed = false;
        for node in self.token.graph.ids().rev() {
            let cost = self.cost(node);
            if cost.is_some() && (self.shortest[node].is_none() || cost < self.shortest[node]) {
                self.shortest[node] = cost;
                changed = true;
            }
        }
        changed
    }

    fn cost(&self, node: NodeId) -> Option<(u64, u64)> {
        let graph = &self.token.graph;
        let children = graph.children(node).iter().map(|&child| self.shortest[child]);
        let (length, height) = match graph.kind(node) {
            NodeKind::Leaf(terminal) => (self.length(terminal)?, 0),
            NodeKind::Alternation => children.flatten().min()?,
            NodeKind::Concatenation | NodeKind::Reference(_) => {
                children.into_iter().try_fold((0, 0), |(sum, highest), child| {
                    let (length, height) = child?;
                    Some((u64::saturating_add(sum, length), height.max(highest)))
                })?
            }
            NodeKind::Quantifier { min: 0, .. } => (0, 0),
            NodeKind::Quantifier { min, .. } => {
                let (length, height) = children.flatten().next()?;
                (length.saturating_mul(u64::from(min)), height)
            }
        };
        Some((length, height + 1))
    }

    /// The end of input counts as a very long text: anything else can stand in more places.
    fn length(&self, terminal: TerminalId) -> Option<u64> {
        match self.token.grammar.terminals()[terminal].kind {
            TerminalKind::Eof => Some(1 << 20),
            _ => self.words[terminal].as_ref().map(|word| word.len() as u64),
        }
    }

    /// A text that contains a path of symbolic nodes; `None` if there is none this way.
    pub(crate) fn find(
        &self,
        path: &[NodeId],
        attempt: u64,
        characters: Characters<'_>,
    ) -> Option<Witness> {
        let mut way = vec![self.token.graph.root()];
        for &next in path {
            way.extend(self.steps(*way.last()?, next)?);
        }
        let mut writing = Writing {
            of: self,
            characters,
            free: attempt > 0,
            dice: attempt.wrapping_mul(0x9E37_79B9_7F4A_7C15),
            witness: Witness::default(),
        };
        writing.run(&way)?;
        Some(writing.witness)
    }

    /// The shortest way from a node to another, without the first: one that derives something.
    fn steps(&self, from: NodeId, to: NodeId) -> Option<Vec<NodeId>> {
        let graph = &self.token.graph;
        if from == to && graph.kind(from).is_symbolic() && from == graph.root() {
            return Some(Vec::new());
        }
        let mut parents: Table<NodeId, Option<NodeId>> = Table::filled(None, graph.len());
        let mut queue = std::collections::VecDeque::from([from]);
        while let Some(node) = queue.pop_front() {
            for &child in graph.children(node) {
                if parents[child].is_none() && self.leads_on(node, child) {
                    parents[child] = Some(node);
                    if child == to {
                        return Some(trace(&parents, from, to));
                    }
                    queue.push_back(child);
                }
            }
        }
        None
    }

    /// Whether some text goes from a node to its child.
    fn leads_on(&self, node: NodeId, child: NodeId) -> bool {
        let graph = &self.token.graph;
        let derives = |node: &NodeId| self.shortest[*node].is_some();
        match graph.kind(node) {
            NodeKind::Concatenation => graph.children(node).iter().all(derives),
            NodeKind::Quantifier { max: Some(0), .. } => false,
            _ => derives(&child),
        }
    }
}

/// The nodes behind `from` up to `to`; a node may come back to itself.
fn trace(parents: &Table<NodeId, Option<NodeId>>, from: NodeId, to: NodeId) -> Vec<NodeId> {
    let mut nodes = vec![to];
    let mut at = parents[to];
    while let Some(node) = at.filter(|&node| node != from) {
        nodes.push(node);
        at = parents[node];
    }
    nodes.reverse();
    nodes
}

/// A shortest word of a terminal; the end of input is written by nothing.
fn word(kind: &TerminalKind, limits: &Limits) -> Option<Word> {
    match kind {
        TerminalKind::Literal(text) => Some(text.chars().map(CharSet::single).collect()),
        TerminalKind::Chars(set) => (!set.is_empty()).then(|| vec![set.clone()]),
        TerminalKind::Regex { regex, .. } => shortest_word(&Dfa::minimal(regex, limits).ok()?),
        TerminalKind::Eof => Some(Vec::new()),
        TerminalKind::Token { .. } | TerminalKind::AnyTokenBut(_) => None,
    }
}

fn shortest_word(dfa: &Dfa) -> Option<Word> {
    let mut words: Vec<Option<Word>> = vec![None; dfa.num_states()];
    words[dfa.start().index()] = Some(Vec::new());
    let mut queue = std::collections::VecDeque::from([dfa.start()]);
    while let Some(state) = queue.pop_front() {
        let word = words[state.index()].clone()?;
        if dfa.is_accepting(state) {
            return Some(word);
        }
        for (set, target) in dfa.transitions(state) {
            if words[target.index()].is_none() {
                words[target.index()] = Some([&word[..], &[set]].concat());
                queue.push_back(target);
            }
        }
    }
    None
}

/// A text in the making.
struct Writing<'w> {
    of: &'w Witnesses<'w>,
    characters: Characters<'w>,
    /// Whether anything may be taken where the way leaves a choice.
    free: bool,
    dice: u64,
    witness: Witness,
}

impl Writing<'_> {
    fn roll(&mut self, bound: usize) -> usize {
        self.dice = self.dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from((u128::from(self.dice) * bound as u128) >> 64).unwrap_or(0)
    }

    /// Writes the root; the nodes on the way are taken, one below the other.
    fn run(&mut self, way: &[NodeId]) -> Option<()> {
        // What is still to be written, each with its place on the way if it is on it.
        let mut pending = vec![(way[0], Some(0_usize))];
        while let Some((node, place)) = pending.pop() {
            let next = place.and_then(|at| Some((*way.get(at + 1)?, at + 1)));
            if self.witness.text.len() > MAX_CHARS {
                return None;
            }
            self.node(node, next, &mut pending)?;
        }
        Some(())
    }

    fn node(
        &mut self,
        node: NodeId,
        next: Option<(NodeId, usize)>,
        pending: &mut Vec<(NodeId, Option<usize>)>,
    ) -> Option<()> {
        let graph = &self.of.token.graph;
        let children = graph.children(node);
        let on_way = |child: NodeId| next.filter(|(on_way, _)| *on_way == child).map(|(_, at)| at);
        match graph.kind(node) {
            NodeKind::Leaf(terminal) => return self.leaf(terminal),
            NodeKind::Alternation => {
                let chosen = match next {
                    Some((child, _)) => child,
                    None => self.choose(children)?,
                };
                pending.push((chosen, on_way(chosen)));
            }
            NodeKind::Concatenation | NodeKind::Reference(_) => {
                pending.extend(children.iter().rev().map(|&child| (child, on_way(child))));
            }
            NodeKind::Quantifier { min, max } => {
                let least = if next.is_some() { min.max(1) } else { min };
                let room = max.map_or(2, |max| max.saturating_sub(least)).min(2) as usize;
                let more = if self.free { self.roll(room + 1) } else { 0 };
                let body = children[0];
                let derives = self.of.shortest[body].is_some();
                let more = if derives { more } else { 0 };
                pending.extend((1..least as usize + more).map(|_| (body, None)));
                if least > 0 || more > 0 {
                    pending.push((body, on_way(body)));
                }
            }
        }
        Some(())
    }

    fn choose(&mut self, children: &[NodeId]) -> Option<NodeId> {
        let shortest = &self.of.shortest;
        let usable: Vec<_> = children.iter().filter(|child| shortest[**child].is_some()).collect();
        if self.free && !usable.is_empty() && self.roll(2) == 0 {
            let at = self.roll(usable.len());
            return Some(*usable[at]);
        }
        usable.into_iter().min_by_key(|child| shortest[**child]).copied()
    }

    fn leaf(&mut self, terminal: TerminalId) -> Option<()> {
        let of = self.of;
        if of.token.grammar.terminals()[terminal].kind == TerminalKind::Eof {
            self.witness.at_end = true;
        }
        for set in of.words[terminal].as_ref()? {
            if self.witness.at_end {
                return None;
            }
            let number = if self.free { self.roll(1 << 16) as u64 } else { 0 };
            self.witness.text.push((self.characters)(set, number)?);
        }
        Some(())
    }
}

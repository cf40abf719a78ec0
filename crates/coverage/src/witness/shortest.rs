//! The shortest texts of a token rule that contain a given path of its graph, whatever the lexer says.
//!
//! The way from the rule's right-hand side to the path's first node and along the path is fixed; the
//! rest is closed off by what is shortest. Linear in the text times the children of the nodes.

use gramercy_base::Table;
use gramercy_grammar::{NodeId, NodeKind, TerminalId};
use gramercy_language::Language;
use gramercy_lexis::Matching;

use super::Witness;
use super::spelling::{SetNumber, Spellings};

/// Texts longer than this are given up.
const MAX_CHARS: usize = 2000;

/// Finds texts of one rule.
pub(super) struct Shortest<'w> {
    token: &'w Language,
    /// The length and height of the shortest text of each node; none derives nothing.
    shortest: Table<NodeId, Option<(u64, u64)>>,
    words: Table<TerminalId, Option<Word>>,
}

/// How a terminal is spelled.
enum Word {
    Letters(Vec<SetNumber>),
    EndOfInput,
}

impl<'w> Shortest<'w> {
    pub(super) fn new(token: &'w Language, spellings: &Spellings) -> Self {
        let words = token.grammar().terminals().map(|terminal, _| {
            let spelling = spellings.of(terminal)?;
            if spelling.is_end {
                return Some(Word::EndOfInput);
            }
            spelling.word().map(Word::Letters)
        });
        let shortest = Table::filled(None, token.graph().len());
        let mut found = Self { token, shortest, words };
        while found.improve() {}
        found
    }

    /// One round over all nodes; as many are needed as references nest.
    fn improve(&mut self) -> bool {
        let mut changed = false;
        for node in self.token.graph().ids().rev() {
            let cost = self.cost(node);
            if cost.is_some() && (self.shortest[node].is_none() || cost < self.shortest[node]) {
                self.shortest[node] = cost;
                changed = true;
            }
        }
        changed
    }

    fn cost(&self, node: NodeId) -> Option<(u64, u64)> {
        let graph = self.token.graph();
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
        self.words[terminal].as_ref().map(|word| match word {
            Word::Letters(letters) => letters.len() as u64,
            Word::EndOfInput => 1 << 20,
        })
    }

    /// A text that contains a path of symbolic nodes; `None` if there is none this way.
    pub(super) fn find(
        &self,
        path: &[NodeId],
        spellings: &mut Spellings,
        matching: &Matching<'_>,
    ) -> Option<Witness> {
        let mut way = vec![self.token.graph().root()];
        for &next in path {
            way.extend(self.steps(*way.last()?, next)?);
        }
        let mut writing = Writing { of: self, spellings, matching, witness: Witness::default() };
        writing.run(&way)?;
        Some(writing.witness)
    }

    /// The shortest way from a node to another, without the first: one that derives something.
    fn steps(&self, from: NodeId, to: NodeId) -> Option<Vec<NodeId>> {
        let graph = self.token.graph();
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
        let graph = self.token.graph();
        let derives = |node: &NodeId| self.shortest[*node].is_some();
        match graph.kind(node) {
            NodeKind::Concatenation => graph.children(node).iter().all(derives),
            NodeKind::Quantifier { max: Some(0), .. } => false,
            _ => derives(&child),
        }
    }
}

/// The nodes after `from` up to `to`; a node may come back to itself.
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

/// A text in the making.
struct Writing<'w> {
    of: &'w Shortest<'w>,
    spellings: &'w mut Spellings,
    matching: &'w Matching<'w>,
    witness: Witness,
}

impl Writing<'_> {
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
        let graph = self.of.token.graph();
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
            NodeKind::Quantifier { min, .. } => {
                let times = if next.is_some() { min.max(1) } else { min };
                let body = children[0];
                pending.extend((1..times).map(|_| (body, None)));
                if times > 0 {
                    pending.push((body, on_way(body)));
                }
            }
        }
        Some(())
    }

    fn choose(&self, children: &[NodeId]) -> Option<NodeId> {
        let shortest = &self.of.shortest;
        let usable = children.iter().filter(|child| shortest[**child].is_some());
        usable.min_by_key(|child| shortest[**child]).copied()
    }

    fn leaf(&mut self, terminal: TerminalId) -> Option<()> {
        match self.of.words[terminal].as_ref()? {
            Word::EndOfInput => self.witness.at_end = true,
            Word::Letters(sets) => {
                for &set in sets {
                    let letters = self.spellings.letters(set, self.matching);
                    let &(letter, _) = letters.first().filter(|_| !self.witness.at_end)?;
                    self.witness.text.push(letter);
                }
            }
        }
        Some(())
    }
}

//! How the terminals of a token rule are spelled: automata over sets of characters, and which characters
//! of a set are written.

use std::collections::VecDeque;
use std::rc::Rc;

use gramercy_base::{Id, IndexSet, Limits, Table};
use gramercy_grammar::{GrammarGraph, NodeId, NodeKind, TerminalId, TerminalKind};
use gramercy_language::Language;
use gramercy_lexis::Matching;
use gramercy_regular::{CharSet, Dfa};

/// A set of characters, by its number among those of a rule.
pub(super) type SetNumber = usize;

/// Characters of a set with their costs, the cheapest first: one for each class that the lexer tells apart.
type Letters = Rc<[(char, u64)]>;

/// How the terminals of a rule are spelled.
pub(super) struct Spellings {
    of: Table<TerminalId, Option<Spelling>>,
    /// The characters of nodes whose texts have one character each.
    single: Table<NodeId, Option<SetNumber>>,
    sets: IndexSet<CharSet>,
    letters: Vec<Option<Letters>>,
}

/// How a terminal is spelled, from its state 0 on.
#[derive(Default)]
pub(super) struct Spelling {
    pub(super) states: Vec<State>,
    /// Whether it is the end of input, which is written by nothing.
    pub(super) is_end: bool,
}

#[derive(Default)]
pub(super) struct State {
    pub(super) is_final: bool,
    pub(super) edges: Vec<(SetNumber, usize)>,
}

impl Spellings {
    pub(super) fn new(token: &Language) -> Self {
        let mut sets = IndexSet::default();
        let terminals = token.grammar().terminals();
        let of = terminals.map(|_, terminal| spelling(&terminal.kind, &mut sets, token.limits()));
        let mut spellings = Self { of, single: Table::new(), sets, letters: Vec::new() };
        spellings.find_single(token.graph());
        spellings.letters = vec![None; spellings.sets.len()];
        spellings
    }

    fn find_single(&mut self, graph: &GrammarGraph) {
        self.single = Table::filled(None, graph.len());
        // As many rounds as references nest.
        let mut is_changed = true;
        while std::mem::take(&mut is_changed) {
            for node in graph.ids().rev() {
                if self.single[node].is_none() {
                    self.single[node] = self.single_of(graph, node);
                    is_changed |= self.single[node].is_some();
                }
            }
        }
    }

    fn single_of(&mut self, graph: &GrammarGraph, node: NodeId) -> Option<SetNumber> {
        match graph.kind(node) {
            NodeKind::Leaf(terminal) => self.of(terminal)?.single(),
            NodeKind::Reference(_) => self.single[*graph.children(node).first()?],
            NodeKind::Alternation => {
                let of = graph.children(node).iter().map(|&child| self.single[child]);
                let sets: Option<Vec<SetNumber>> = of.collect();
                let ranges = sets?.into_iter().flat_map(|set| self.sets[set].ranges().to_vec());
                let union = CharSet::from_ranges(ranges);
                Some(self.sets.insert_full(union).0)
            }
            NodeKind::Concatenation | NodeKind::Quantifier { .. } => None,
        }
    }

    /// The characters of a node, if its texts have one character each.
    pub(super) fn single(&self, node: NodeId) -> Option<SetNumber> {
        self.single[node]
    }

    /// How a terminal is spelled; `None` if it never is.
    pub(super) fn of(&self, terminal: TerminalId) -> Option<&Spelling> {
        self.of[terminal].as_ref()
    }

    pub(super) fn letters(&mut self, set: SetNumber, matching: &Matching<'_>) -> Letters {
        let known = &mut self.letters[set];
        Rc::clone(known.get_or_insert_with(|| matching.characters(&self.sets[set]).into()))
    }
}

impl Spelling {
    /// Its characters, if every word has one.
    fn single(&self) -> Option<SetNumber> {
        let [State { is_final: false, edges }, State { is_final: true, edges: behind }] =
            &self.states[..]
        else {
            return None;
        };
        match (&edges[..], &behind[..]) {
            (&[(set, 1)], []) => Some(set),
            _ => None,
        }
    }

    /// A shortest word.
    pub(super) fn word(&self) -> Option<Vec<SetNumber>> {
        let mut before: Vec<Option<(usize, SetNumber)>> = vec![None; self.states.len()];
        let mut queue = VecDeque::from([0]);
        while let Some(at) = queue.pop_front() {
            let State { is_final, edges } = &self.states[at];
            if *is_final {
                let steps = std::iter::successors(before[at], |&(from, _)| before[from]);
                let mut word: Vec<_> = steps.map(|(_, set)| set).collect();
                word.reverse();
                return Some(word);
            }
            for &(set, next) in edges {
                if next != 0 && before[next].is_none() {
                    before[next] = Some((at, set));
                    queue.push_back(next);
                }
            }
        }
        None
    }
}

fn spelling(
    kind: &TerminalKind,
    sets: &mut IndexSet<CharSet>,
    limits: &Limits,
) -> Option<Spelling> {
    let mut number = |set: CharSet| sets.insert_full(set).0;
    let mut chain = |word: &mut dyn Iterator<Item = CharSet>| {
        let edge = |(at, set)| State { is_final: false, edges: vec![(number(set), at + 1)] };
        let mut states: Vec<State> = word.enumerate().map(edge).collect();
        states.push(State { is_final: true, edges: Vec::new() });
        states
    };
    let states = match kind {
        TerminalKind::Literal(text) => chain(&mut text.chars().map(CharSet::single)),
        TerminalKind::Chars(set) => chain(&mut std::iter::once(set.clone())),
        TerminalKind::Eof => chain(&mut std::iter::empty()),
        TerminalKind::Regex { regex, .. } => {
            let dfa = Dfa::minimal(regex, limits).ok()?;
            let state = |state| {
                let edges = dfa.transitions(state).map(|(set, to)| (number(set), to.index()));
                State { is_final: dfa.is_accepting(state), edges: edges.collect() }
            };
            dfa.states().map(state).collect()
        }
        TerminalKind::Token { .. } | TerminalKind::AnyTokenBut(_) => return None,
    };
    Some(Spelling { states, is_end: *kind == TerminalKind::Eof })
}

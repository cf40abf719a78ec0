//! Derivations in the grammar's own terms: what a forest or a tree says about the BNF core.
//!
//! A [`Forest`] refers to the grammar that the driver works on, holds nodes that no whole
//! derivation uses, and spells terminals out in characters. [`Derivations`] is what remains for
//! everybody else: the nodes below the root, with productions and terminals of the BNF core. A tree
//! is the same with one alternative a node, so that whatever reads derivations reads both.
//!
//! Linear in the forest or tree.

use gramercy_base::{Id, Table, to_u32};
use gramercy_grammar::tree::Step;
use gramercy_grammar::{Bnf, NonterminalId, ProductionId, TerminalId, Tree};

use crate::core::{NonterminalSource, ProductionSource};
use crate::forest::{Alternative, Child, Forest, ForestNodeId, Label};
use crate::parser::Parser;

mod postorder;

gramercy_base::define_id!(pub struct DerivedId, "a node of derivations");

/// What stands below a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DerivedChild {
    /// A terminal over a range of tokens.
    Terminal(TerminalId, TokenRange),
    /// A node.
    Node(DerivedId),
}

/// The tokens, or characters, from `start` up to `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TokenRange {
    /// The first.
    pub start: u32,
    /// One past the last.
    pub end: u32,
}

/// What a node derives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Derived {
    /// A nonterminal.
    Nonterminal(NonterminalId),
    /// The first symbols of a production: at least two, and not all.
    Prefix(ProductionId, u32),
}

/// One way to derive a node: all parts of the production, or a prefix and the last part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way<'d> {
    /// The production.
    pub production: ProductionId,
    /// The position of the first part that is not a prefix node: the parts from there on are those
    /// of the production, one by one.
    pub position: usize,
    /// The node of the positions before that, if there is one.
    pub prefix: Option<DerivedId>,
    /// The parts.
    pub parts: &'d [DerivedChild],
}

#[derive(Clone, Debug)]
struct Node {
    label: Derived,
    range: TokenRange,
    ways: (u32, u32),
}

#[derive(Clone, Copy, Debug)]
struct StoredWay {
    production: ProductionId,
    position: u32,
    prefix: Option<DerivedId>,
    parts: (u32, u32),
}

/// All derivations of one input, in terms of the BNF core.
#[derive(Clone, Debug, Default)]
pub struct Derivations {
    nodes: Table<DerivedId, Node>,
    ways: Vec<StoredWay>,
    parts: Vec<DerivedChild>,
}

impl Derivations {
    /// Those of a forest that was accepted.
    ///
    /// # Panics
    /// If the forest has no root, or is not one of this parser's.
    #[must_use]
    pub fn of_forest(parser: &Parser, forest: &Forest) -> Self {
        let root = forest.root().expect("invariant: the input was accepted");
        let mut copying = Copying {
            parser,
            forest,
            ids: vec![None; forest.len()],
            order: Vec::new(),
            made: Derivations::with_room(forest),
        };
        copying.node(root);
        let mut at = 0;
        while at < copying.order.len() {
            copying.ways_of(at);
            at += 1;
        }
        copying.made
    }

    /// None yet, with room for what a forest holds at most.
    fn with_room(forest: &Forest) -> Self {
        let (ways, parts) = forest.sizes();
        Self {
            nodes: Table::with_capacity(forest.len()),
            ways: Vec::with_capacity(ways),
            parts: Vec::with_capacity(parts),
        }
    }

    /// The one derivation that a tree is.
    #[must_use]
    pub fn of_tree(bnf: &Bnf, tree: &Tree) -> Self {
        let mut made = Derivations::default();
        let mut open: Vec<(DerivedId, ProductionId, Vec<DerivedChild>)> = Vec::new();
        let mut token = 0;
        for step in tree.walk(bnf) {
            match step {
                Step::Enter(production, _) => {
                    let label = Derived::Nonterminal(bnf.lhs(production));
                    let range = TokenRange { start: token, end: token };
                    let id = made.nodes.push(Node { label, range, ways: (0, 0) });
                    if let Some((_, _, parts)) = open.last_mut() {
                        parts.push(DerivedChild::Node(id));
                    }
                    open.push((id, production, Vec::new()));
                }
                Step::Terminal(terminal, _) => {
                    let range = TokenRange { start: token, end: token + 1 };
                    let (_, _, parts) = open.last_mut().expect("invariant: a production is open");
                    parts.push(DerivedChild::Terminal(terminal, range));
                    token += 1;
                }
                Step::Silent(_) => {}
                Step::Leave(_) => {
                    let (id, production, parts) = open.pop().expect("invariant: it was entered");
                    made.nodes[id].range.end = token;
                    let first = to_u32(made.ways.len());
                    made.add_way(production, 0, None, parts);
                    made.nodes[id].ways = (first, first + 1);
                }
            }
        }
        made
    }

    /// The node of the whole input.
    #[must_use]
    pub fn root(&self) -> DerivedId {
        DerivedId::from_index(0)
    }

    /// All nodes; the root is the first.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = DerivedId> + ExactSizeIterator + use<> {
        self.nodes.ids()
    }

    /// The number of nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no node; never so for an input that was accepted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// What a node derives.
    #[must_use]
    pub fn label(&self, node: DerivedId) -> Derived {
        self.nodes[node].label
    }

    /// The tokens that a node spans.
    #[must_use]
    pub fn range(&self, node: DerivedId) -> TokenRange {
        self.nodes[node].range
    }

    /// The ways to derive a node.
    pub fn ways(&self, node: DerivedId) -> impl ExactSizeIterator<Item = Way<'_>> {
        let (first, last) = self.nodes[node].ways;
        self.ways[first as usize..last as usize].iter().map(|way| self.stored(way))
    }

    /// One of the ways to derive a node, by its number.
    pub(crate) fn way(&self, node: DerivedId, number: usize) -> Way<'_> {
        let (first, last) = self.nodes[node].ways;
        self.stored(&self.ways[first as usize..last as usize][number])
    }

    fn stored(&self, way: &StoredWay) -> Way<'_> {
        Way {
            production: way.production,
            position: way.position as usize,
            prefix: way.prefix,
            parts: &self.parts[way.parts.0 as usize..way.parts.1 as usize],
        }
    }

    /// The terminals of a tree, from left to right. Where nodes have several ways, the first ones make the tree; they
    /// must not lead back to a node that is open.
    #[must_use]
    pub fn sentence(&self) -> Vec<TerminalId> {
        let (mut sentence, mut open) = (Vec::new(), vec![DerivedChild::Node(self.root())]);
        while let Some(part) = open.pop() {
            match part {
                DerivedChild::Terminal(terminal, _) => sentence.push(terminal),
                DerivedChild::Node(node) => {
                    let way = self.ways(node).next().expect("invariant: every node is derived");
                    open.extend(way.parts.iter().rev());
                    open.extend(way.prefix.map(DerivedChild::Node));
                }
            }
        }
        sentence
    }

    /// Whether every node has one way only.
    #[must_use]
    pub fn is_unambiguous(&self) -> bool {
        self.nodes.values().all(|node| node.ways.1 - node.ways.0 == 1)
    }

    /// The nodes, every one after those below it as far as there is no cycle.
    #[must_use]
    pub fn children_first(&self) -> ChildrenFirst {
        #[derive(Clone, Copy, PartialEq)]
        enum Seen {
            Not,
            Open,
            Done,
        }
        let mut seen = Table::filled(Seen::Not, self.len());
        let (mut nodes, mut stack) = (Vec::with_capacity(self.len()), vec![self.root()]);
        let mut is_cyclic = false;
        while let Some(&node) = stack.last() {
            if seen[node] != Seen::Not {
                stack.pop();
                if seen[node] == Seen::Open {
                    seen[node] = Seen::Done;
                    nodes.push(node);
                }
                continue;
            }
            seen[node] = Seen::Open;
            for way in self.ways(node) {
                let below = way.parts.iter().filter_map(|part| match part {
                    DerivedChild::Node(child) => Some(*child),
                    DerivedChild::Terminal(..) => None,
                });
                for child in way.prefix.into_iter().chain(below) {
                    is_cyclic |= seen[child] == Seen::Open;
                    if seen[child] == Seen::Not {
                        stack.push(child);
                    }
                }
            }
        }
        ChildrenFirst { nodes, is_cyclic }
    }

    pub(crate) fn add_node(&mut self, label: Derived, range: TokenRange) -> DerivedId {
        self.nodes.push(Node { label, range, ways: (0, 0) })
    }

    /// Gives a node its only way, which lists all parts.
    pub(crate) fn add_only_way(
        &mut self,
        node: DerivedId,
        production: ProductionId,
        parts: impl IntoIterator<Item = DerivedChild>,
    ) {
        let first = to_u32(self.ways.len());
        self.add_way(production, 0, None, parts);
        self.nodes[node].ways = (first, first + 1);
    }

    fn add_way(
        &mut self,
        production: ProductionId,
        position: usize,
        prefix: Option<DerivedId>,
        parts: impl IntoIterator<Item = DerivedChild>,
    ) {
        let start = self.parts.len();
        self.parts.extend(parts);
        self.add_way_of(production, position, prefix, start);
    }

    /// A way whose parts are those from some place on.
    fn add_way_of(
        &mut self,
        production: ProductionId,
        position: usize,
        prefix: Option<DerivedId>,
        start: usize,
    ) {
        let parts = (to_u32(start), to_u32(self.parts.len()));
        self.ways.push(StoredWay { production, position: to_u32(position), prefix, parts });
    }
}

/// All nodes in an order in which values can be computed from below.
#[derive(Clone, Debug)]
pub struct ChildrenFirst {
    /// The nodes.
    pub nodes: Vec<DerivedId>,
    /// Whether some node is below itself, so that its value needs a fixpoint.
    pub is_cyclic: bool,
}

/// A forest on its way into derivations, breadth first from the root.
struct Copying<'f> {
    parser: &'f Parser,
    forest: &'f Forest,
    ids: Vec<Option<DerivedId>>,
    order: Vec<ForestNodeId>,
    made: Derivations,
}

impl Copying<'_> {
    fn node(&mut self, node: ForestNodeId) -> DerivedId {
        if let Some(known) = self.ids[node.index()] {
            return known;
        }
        let label = match self.forest.label(node) {
            Label::Nonterminal(id) => match self.parser.nonterminal_source(id) {
                NonterminalSource::Bnf(id) => Derived::Nonterminal(id),
                other => unreachable!("invariant: {other:?} is a leaf"),
            },
            Label::Prefix(production, len) => Derived::Prefix(self.production(production), len),
        };
        let id = self.made.nodes.push(Node { label, range: self.range(node), ways: (0, 0) });
        self.ids[node.index()] = Some(id);
        self.order.push(node);
        id
    }

    fn range(&self, node: ForestNodeId) -> TokenRange {
        let range = self.forest.range(node);
        TokenRange { start: to_u32(range.start), end: to_u32(range.end) }
    }

    fn production(&self, production: ProductionId) -> ProductionId {
        match self.parser.production_source(production) {
            ProductionSource::Bnf(id) => id,
            ProductionSource::Spelling(_) => unreachable!("invariant: spellings are leaves"),
        }
    }

    fn ways_of(&mut self, at: usize) {
        let (forest, node) = (self.forest, self.order[at]);
        let first = to_u32(self.made.ways.len());
        for alternative in forest.alternatives(node) {
            let production = self.production(alternative.production());
            match alternative {
                Alternative::All(of, children) => {
                    let start = self.made.parts.len();
                    for (position, &child) in children.iter().enumerate() {
                        let part = self.part(of, position, child);
                        self.made.parts.push(part);
                    }
                    self.made.add_way_of(production, 0, None, start);
                }
                Alternative::Binary(of, prefix, last) => {
                    let len = match forest.label(node) {
                        Label::Prefix(_, len) => len as usize,
                        Label::Nonterminal(_) => self.parser.cfg().rhs(of).len(),
                    };
                    let last = self.part(of, len - 1, last);
                    if len == 2 {
                        let first = self.part(of, 0, prefix);
                        self.made.add_way(production, 0, None, [first, last]);
                    } else {
                        let prefix = prefix.as_node().expect("invariant: a longer prefix");
                        let prefix = Some(self.node(prefix));
                        self.made.add_way(production, len - 1, prefix, [last]);
                    }
                }
            }
        }
        let id = DerivedId::from_index(at);
        self.made.nodes[id].ways = (first, to_u32(self.made.ways.len()));
    }

    fn part(&mut self, production: ProductionId, position: usize, child: Child) -> DerivedChild {
        if let Some(token) = child.as_token() {
            let terminal = self.parser.terminal_at(production, position);
            let terminal = terminal.expect("invariant: a token stands for a terminal");
            return DerivedChild::Terminal(
                terminal,
                TokenRange { start: to_u32(token), end: to_u32(token + 1) },
            );
        }
        let node = child.as_node().expect("invariant: a child is a token or a node");
        if let Label::Nonterminal(id) = self.forest.label(node)
            && let NonterminalSource::Terminal(terminal) = self.parser.nonterminal_source(id)
        {
            return DerivedChild::Terminal(terminal, self.range(node));
        }
        DerivedChild::Node(self.node(node))
    }
}

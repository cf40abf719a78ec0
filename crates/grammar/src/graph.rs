//! The grammar graph: every occurrence of a symbol on a right-hand side is a node of its own
//! (Havrikov, Kampmann, Zeller, TOSEM, section 2.2).
//!
//! References, literals, character classes and regexes are *symbolic* nodes; alternations,
//! concatenations and quantifiers are *synthetic* ones. A synthetic node is not created for a
//! single element. The child of a reference is the right-hand side of its rule; left-hand sides
//! have no node. Equal alternatives of one alternation share one node. Nodes are numbered breadth
//! first from the root with children in textual order, as in the publication; nodes that the root
//! does not reach come last. Lexical rules are not part of the graph.
//!
//! Example: `Sum := Term ("+" Term)* ; Term := "1" | "(" Sum ")" ;` has 12 nodes, 7 of them
//! symbolic:
//!
//! ```text
//! 0 concatenation   1 Term, 2 quantifier      6 concatenation   9 "(", 10 Sum, 11 ")"
//! 1 Term            3 alternation             7 "+"
//! 2 quantifier      4 concatenation           8 Term            3 alternation
//! 3 alternation     5 "1", 6 concatenation    9 "("
//! 4 concatenation   7 "+", 8 Term            10 Sum             0 concatenation
//! 5 "1"                                      11 ")"
//! ```
//!
//! The two occurrences of `Term` are different nodes with the same child. Building is linear in the
//! grammar.

use gramercy_base::{Fingerprint, Id, Map, Set, Table, to_u32};

use crate::{Alternative, ExprId, ExprKind, Grammar, RuleId, TerminalId};

gramercy_base::define_id!(pub struct NodeId, "a node of the grammar graph");

/// What a node stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeKind {
    /// One of its children.
    Alternation,
    /// All of its children, in order.
    Concatenation,
    /// Its child, several times.
    Quantifier {
        /// The minimum number of repetitions.
        min: u32,
        /// The maximum number of repetitions; `None` means unbounded.
        max: Option<u32>,
    },
    /// An occurrence of a reference; its child is the right-hand side of that rule.
    Reference(RuleId),
    /// An occurrence of a terminal, the end of input or the empty literal.
    Leaf(TerminalId),
}

impl NodeKind {
    /// Whether paths count this node: it stands for a name or a text of the grammar.
    #[must_use]
    pub fn is_symbolic(self) -> bool {
        matches!(self, NodeKind::Reference(_) | NodeKind::Leaf(_))
    }
}

#[derive(Clone, Debug)]
struct Node {
    kind: NodeKind,
    expr: ExprId,
    children: std::ops::Range<u32>,
}

/// The grammar graph.
#[derive(Clone, Debug)]
pub struct GrammarGraph {
    nodes: Table<NodeId, Node>,
    children: Vec<NodeId>,
    reachable: usize,
    of_expr: Table<ExprId, Option<NodeId>>,
}

impl GrammarGraph {
    /// The graph of a grammar's syntax rules.
    #[must_use]
    pub fn new(grammar: &Grammar) -> Self {
        Numbering::of(grammar)
    }

    /// The right-hand side of the start rule.
    #[must_use]
    pub fn root(&self) -> NodeId {
        NodeId::from_index(0)
    }

    /// All nodes.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + use<> {
        self.nodes.ids()
    }

    /// The number of all nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the graph has no node; never true for a graph that was built.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// How many nodes the root reaches: these are the first ones.
    #[must_use]
    pub fn reachable(&self) -> usize {
        self.reachable
    }

    /// What a node stands for.
    #[inline]
    #[must_use]
    pub fn kind(&self, node: NodeId) -> NodeKind {
        self.nodes[node].kind
    }

    /// A node's children, in textual order.
    #[inline]
    #[must_use]
    pub fn children(&self, node: NodeId) -> &[NodeId] {
        let range = &self.nodes[node].children;
        &self.children[range.start as usize..range.end as usize]
    }

    /// The expression of a node; of several equal alternatives, the first.
    #[must_use]
    pub fn expr(&self, node: NodeId) -> ExprId {
        self.nodes[node].expr
    }

    /// The node of an expression of a syntax rule.
    #[must_use]
    pub fn node_of(&self, expr: ExprId) -> Option<NodeId> {
        self.of_expr[expr]
    }
}

/// Which expressions share a node: equal alternatives, and groups of one element.
struct Merging {
    /// Two expressions are equal exactly if their hashes are.
    hash: Table<ExprId, StructureHash>,
    /// The expression that replaces this one.
    stands_for: Table<ExprId, ExprId>,
}

/// A [`Fingerprint`] of the structure of an expression. A table of all structures would be larger
/// than the grammar, and only alternatives of the same alternation are ever compared.
type StructureHash = u128;

impl Merging {
    fn new(grammar: &Grammar) -> Self {
        let exprs = grammar.exprs();
        let mut hash: Table<ExprId, StructureHash> = Table::with_capacity(exprs.len());
        // Children are created before their parents, so their hashes are known.
        for (id, expr) in exprs.iter() {
            hash.push(hash_of(id, &expr.kind, &hash));
        }
        let mut merging = Self { hash, stands_for: exprs.ids().collect() };
        // Parents first, so that expressions below a merged alternative are merged with it.
        for id in exprs.ids().rev() {
            if let ExprKind::Alternation(alternatives) = &exprs[id].kind {
                merging.merge_equal(grammar, alternatives);
            }
        }
        merging
    }

    fn merge_equal(&mut self, grammar: &Grammar, alternatives: &[Alternative]) {
        if distinct(alternatives, &self.hash).count() == alternatives.len() {
            return;
        }
        let mut first: Map<StructureHash, ExprId> = Map::default();
        for alternative in alternatives {
            let kept = *first.entry(self.hash[alternative.expr]).or_insert(alternative.expr);
            self.merge(grammar, alternative.expr, kept);
        }
    }

    /// Replaces `dropped` by `kept`, an expression with the same hash, and their children in pairs.
    fn merge(&mut self, grammar: &Grammar, dropped: ExprId, kept: ExprId) {
        let mut pairs = vec![(dropped, kept)];
        while let Some((dropped, kept)) = pairs.pop() {
            if dropped == kept || self.stands_for[dropped] == kept {
                continue;
            }
            self.stands_for[dropped] = kept;
            let (dropped, kept) = (self.inner(grammar, dropped), self.inner(grammar, kept));
            self.stands_for[dropped] = kept;
            match (&grammar.expr(dropped).kind, &grammar.expr(kept).kind) {
                (ExprKind::Alternation(dropped), ExprKind::Alternation(kept)) => {
                    for dropped in dropped {
                        let same =
                            |kept: &&Alternative| self.hash[kept.expr] == self.hash[dropped.expr];
                        let kept = kept.iter().find(same).expect("invariant: equal hashes");
                        pairs.push((dropped.expr, kept.expr));
                    }
                }
                (ExprKind::Sequence(dropped), ExprKind::Sequence(kept)) => {
                    pairs.extend(dropped.iter().copied().zip(kept.iter().copied()));
                }
                (ExprKind::Repeat { body: dropped, .. }, ExprKind::Repeat { body: kept, .. }) => {
                    pairs.push((*dropped, *kept));
                }
                _ => {}
            }
        }
    }

    /// The expression below alternations that have only one distinct alternative.
    fn inner(&self, grammar: &Grammar, mut id: ExprId) -> ExprId {
        while let ExprKind::Alternation(alternatives) = &grammar.expr(id).kind
            && let [first, rest @ ..] = &alternatives[..]
            && rest.iter().all(|other| self.hash[other.expr] == self.hash[first.expr])
        {
            id = first.expr;
        }
        id
    }

    /// The expression whose node this one shares.
    fn representative(&self, grammar: &Grammar, mut id: ExprId) -> ExprId {
        loop {
            let next = self.inner(grammar, self.stands_for[id]);
            if next == id {
                return id;
            }
            id = next;
        }
    }
}

/// The structure hash of an expression whose children have theirs.
fn hash_of(id: ExprId, kind: &ExprKind, parts: &Table<ExprId, StructureHash>) -> StructureHash {
    let mut print = Fingerprint::default();
    match kind {
        ExprKind::Alternation(alternatives) => {
            let mut distinct = distinct(alternatives, parts);
            let first = distinct.next().map(|expr| parts[expr]);
            let mut others = distinct.map(|expr| parts[expr]).peekable();
            if let (Some(only), None) = (first, others.peek()) {
                return only;
            }
            print.add(0);
            first.into_iter().chain(others).for_each(|part| add_hash(&mut print, part));
        }
        ExprKind::Sequence(items) => {
            print.add(1);
            items.iter().for_each(|&item| add_hash(&mut print, parts[item]));
        }
        ExprKind::Repeat { body, min, max, .. } => {
            print.add(2);
            print.add(u64::from(*min));
            print.add(max.map_or(u64::MAX, u64::from));
            add_hash(&mut print, parts[*body]);
        }
        ExprKind::Rule(rule) => add_leaf(&mut print, 3, *rule),
        ExprKind::Terminal(terminal) => add_leaf(&mut print, 4, *terminal),
        ExprKind::Commands(_) => add_leaf(&mut print, 5, id),
    }
    print.finish()
}

fn add_leaf(print: &mut Fingerprint, kind: u64, id: impl Id) {
    print.add(kind);
    print.add(id.index() as u64);
}

#[expect(clippy::cast_possible_truncation, reason = "the halves of a hash")]
fn add_hash(print: &mut Fingerprint, hash: StructureHash) {
    print.add((hash >> 64) as u64);
    print.add(hash as u64);
}

/// Up to this many alternatives are compared in pairs; more are compared through a set.
const MAX_COMPARED_IN_PAIRS: usize = 16;

/// The first alternative of each structure.
fn distinct<'a>(
    alternatives: &'a [Alternative],
    hash: &'a Table<ExprId, StructureHash>,
) -> impl Iterator<Item = ExprId> + 'a {
    let mut seen = Set::default();
    alternatives.iter().enumerate().filter_map(move |(at, alternative)| {
        let this = hash[alternative.expr];
        let is_new = if alternatives.len() > MAX_COMPARED_IN_PAIRS {
            seen.insert(this)
        } else {
            alternatives[..at].iter().all(|earlier| hash[earlier.expr] != this)
        };
        is_new.then_some(alternative.expr)
    })
}

/// The graph by expressions, before nodes have numbers. A breadth-first walk visits the rules in an
/// order that defeats caches, so everything it needs of an expression is stored together.
struct Outline {
    nodes: Table<ExprId, OutlineNode>,
    /// For each expression the expressions of its child nodes, concatenated. Equal alternatives are
    /// not merged here.
    parts: Vec<ExprId>,
    /// The expression whose node this one shares.
    shared: Table<ExprId, ExprId>,
}

struct OutlineNode {
    /// The kind of the node; `None` for lexer commands.
    kind: Option<NodeKind>,
    /// The node, once it has a number.
    node: Option<NodeId>,
    parts: std::ops::Range<u32>,
}

impl Outline {
    fn new(grammar: &Grammar) -> Self {
        let merging = Merging::new(grammar);
        let exprs = grammar.exprs();
        let shared: Table<ExprId, ExprId> =
            exprs.ids().map(|id| merging.representative(grammar, id)).collect();
        let (mut parts, mut nodes) = (Vec::new(), Table::with_capacity(exprs.len()));
        for expr in exprs.values() {
            let start = to_u32(parts.len());
            match &expr.kind {
                ExprKind::Alternation(alternatives) => {
                    parts.extend(alternatives.iter().map(|alternative| shared[alternative.expr]));
                }
                ExprKind::Sequence(items) => parts.extend(items.iter().map(|&item| shared[item])),
                ExprKind::Repeat { body, .. } => parts.push(shared[*body]),
                ExprKind::Rule(rule) => parts.push(shared[grammar.rules()[*rule].body]),
                ExprKind::Terminal(_) | ExprKind::Commands(_) => {}
            }
            let parts = start..to_u32(parts.len());
            nodes.push(OutlineNode { kind: kind_of(&expr.kind), node: None, parts });
        }
        Self { nodes, parts, shared }
    }
}

fn kind_of(kind: &ExprKind) -> Option<NodeKind> {
    match *kind {
        ExprKind::Alternation(_) => Some(NodeKind::Alternation),
        ExprKind::Sequence(_) => Some(NodeKind::Concatenation),
        ExprKind::Repeat { min, max, .. } => Some(NodeKind::Quantifier { min, max }),
        ExprKind::Rule(rule) => Some(NodeKind::Reference(rule)),
        ExprKind::Terminal(terminal) => Some(NodeKind::Leaf(terminal)),
        ExprKind::Commands(_) => None,
    }
}

/// The breadth-first walk that gives nodes their numbers.
struct Numbering {
    outline: Outline,
    nodes: Table<NodeId, Node>,
    children: Vec<NodeId>,
}

impl Numbering {
    fn of(grammar: &Grammar) -> GrammarGraph {
        let outline = Outline::new(grammar);
        let mut numbering = Self { outline, nodes: Table::new(), children: Vec::new() };
        numbering.walk(grammar.rules()[grammar.start()].body);
        let reachable = numbering.nodes.len();
        for (_, rule) in grammar.syntax_rules() {
            numbering.walk(rule.body);
        }
        let Self { outline, nodes, children } = numbering;
        let of_expr = outline.shared.map(|_, &shared| outline.nodes[shared].node);
        GrammarGraph { nodes, children, reachable, of_expr }
    }

    fn walk(&mut self, root: ExprId) {
        let mut at = self.nodes.len();
        self.number(self.outline.shared[root]);
        // Nodes are numbered in the order in which they wait for their children.
        while at < self.nodes.len() {
            let node = NodeId::from_index(at);
            let start = self.children.len();
            match self.nodes[node].kind {
                NodeKind::Leaf(_) => {}
                kind => self.number_children(kind, self.nodes[node].expr),
            }
            self.nodes[node].children = to_u32(start)..to_u32(self.children.len());
            at += 1;
        }
    }

    fn number_children(&mut self, kind: NodeKind, expr: ExprId) {
        for part in self.outline.nodes[expr].parts.clone() {
            let next = self.nodes.next_id();
            let child = self.number(self.outline.parts[part as usize]);
            // An alternative that equals an earlier one shares its node.
            if child == next || kind != NodeKind::Alternation {
                self.children.push(child);
            }
        }
    }

    fn number(&mut self, expr: ExprId) -> NodeId {
        let node = &mut self.outline.nodes[expr];
        *node.node.get_or_insert_with(|| {
            let kind = node.kind.expect("invariant: commands are in lexical rules only");
            self.nodes.push(Node { kind, expr, children: 0..0 })
        })
    }
}

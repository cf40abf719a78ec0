//! The grammar graph of paper 001 §2.2: every occurrence of a symbol on a right-hand side is a node
//! of its own.
//!
//! References, literals, character classes and regexes are *symbolic* nodes; alternations,
//! concatenations and quantifiers are *synthetic* ones, which are not made for a single element. A
//! reference's child is the right-hand side of the rule it names; left-hand sides have no node.
//! Equal alternatives of one alternation are one. Nodes are numbered breadth first from the root
//! with children in textual order, as the paper numbers them; nodes that the root does not reach
//! come last. Lexical rules are not part of the graph.
//!
//! Building is linear in the grammar.

use std::collections::VecDeque;

use gramercy_base::{Id, Map, Table};

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
        /// At least so often.
        min: u32,
        /// At most so often; `None` is without a bound.
        max: Option<u32>,
    },
    /// An occurrence of a reference; its child is that rule's right-hand side.
    Reference(RuleId),
    /// An occurrence of a terminal, the end of input or the empty literal.
    Leaf(TerminalId),
}

impl NodeKind {
    /// Whether paths count this node: it was named by the author of the grammar.
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
        Numbering::new(grammar).finish()
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

    /// Whether there is no node; never so in a graph that was built.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// How many nodes the root reaches: exactly the first ones.
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

    /// The expression that a node was made from; of several equal alternatives, the first.
    #[must_use]
    pub fn expr(&self, node: NodeId) -> ExprId {
        self.nodes[node].expr
    }

    /// The node that an expression of a syntax rule became.
    #[must_use]
    pub fn node_of(&self, expr: ExprId) -> Option<NodeId> {
        self.of_expr[expr]
    }
}

/// Which expressions are one node: equal alternatives, and groups of one element.
struct Merging {
    /// Structural identity: two expressions are equal exactly if their shapes are.
    shape: Table<ExprId, u32>,
    /// The expression that stands for this one.
    stands_for: Table<ExprId, ExprId>,
}

#[derive(PartialEq, Eq, Hash)]
enum Shape {
    Alternation(Vec<u32>),
    Sequence(Vec<u32>),
    Repeat(u32, u32, Option<u32>),
    Rule(RuleId),
    Terminal(TerminalId),
    Commands(ExprId),
}

impl Merging {
    fn new(grammar: &Grammar) -> Self {
        let exprs = grammar.exprs();
        let mut known: Map<Shape, u32> = Map::default();
        let mut shape: Table<ExprId, u32> = Table::with_capacity(exprs.len());
        // Parts are made before the whole, so their shapes are known by then.
        for (id, expr) in exprs.iter() {
            let key = match &expr.kind {
                ExprKind::Alternation(alternatives) => {
                    let distinct = distinct(alternatives, &shape);
                    match distinct[..] {
                        [only] => {
                            shape.push(only);
                            continue;
                        }
                        _ => Shape::Alternation(distinct),
                    }
                }
                ExprKind::Sequence(items) => {
                    Shape::Sequence(items.iter().map(|&item| shape[item]).collect())
                }
                ExprKind::Repeat { body, min, max, .. } => Shape::Repeat(shape[*body], *min, *max),
                ExprKind::Rule(rule) => Shape::Rule(*rule),
                ExprKind::Terminal(terminal) => Shape::Terminal(*terminal),
                ExprKind::Commands(_) => Shape::Commands(id),
            };
            let next = u32::try_from(known.len()).expect("invariant: no more shapes than exprs");
            shape.push(*known.entry(key).or_insert(next));
        }
        let mut merging = Self { shape, stands_for: exprs.ids().collect() };
        // Parents first, so that what is merged below a merged alternative follows it.
        for id in exprs.ids().rev() {
            if let ExprKind::Alternation(alternatives) = &exprs[id].kind {
                merging.merge_equal(grammar, alternatives);
            }
        }
        merging
    }

    fn merge_equal(&mut self, grammar: &Grammar, alternatives: &[Alternative]) {
        let mut first: Map<u32, ExprId> = Map::default();
        for alternative in alternatives {
            let kept = *first.entry(self.shape[alternative.expr]).or_insert(alternative.expr);
            self.merge(grammar, alternative.expr, kept);
        }
    }

    /// Makes `kept` stand for `dropped`, an expression of the same shape, part by part.
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
                            |kept: &&Alternative| self.shape[kept.expr] == self.shape[dropped.expr];
                        let kept = kept.iter().find(same).expect("invariant: equal shapes");
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

    /// The expression below alternations that have but one distinct alternative.
    fn inner(&self, grammar: &Grammar, mut id: ExprId) -> ExprId {
        while let ExprKind::Alternation(alternatives) = &grammar.expr(id).kind
            && let [first, rest @ ..] = &alternatives[..]
            && rest.iter().all(|other| self.shape[other.expr] == self.shape[first.expr])
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

fn distinct(alternatives: &[Alternative], shape: &Table<ExprId, u32>) -> Vec<u32> {
    let mut seen = gramercy_base::Set::default();
    let shapes = alternatives.iter().map(|alternative| shape[alternative.expr]);
    shapes.filter(|&shape| seen.insert(shape)).collect()
}

/// The breadth-first walk that gives nodes their numbers.
struct Numbering<'g> {
    grammar: &'g Grammar,
    merging: Merging,
    nodes: Table<NodeId, Node>,
    of_expr: Table<ExprId, Option<NodeId>>,
    children: Vec<NodeId>,
    queue: VecDeque<NodeId>,
}

impl<'g> Numbering<'g> {
    fn new(grammar: &'g Grammar) -> Self {
        Self {
            grammar,
            merging: Merging::new(grammar),
            nodes: Table::new(),
            of_expr: Table::filled(None, grammar.exprs().len()),
            children: Vec::new(),
            queue: VecDeque::new(),
        }
    }

    fn finish(mut self) -> GrammarGraph {
        self.walk(self.grammar.rules()[self.grammar.start()].body);
        let reachable = self.nodes.len();
        for (_, rule) in self.grammar.syntax_rules() {
            self.walk(rule.body);
        }
        self.name_merged();
        let Self { nodes, children, of_expr, .. } = self;
        GrammarGraph { nodes, children, reachable, of_expr }
    }

    fn walk(&mut self, root: ExprId) {
        self.number(root);
        while let Some(node) = self.queue.pop_front() {
            let parts = self.parts(self.nodes[node].expr);
            let start = self.children.len();
            for part in parts {
                let child = self.number(part);
                self.children.push(child);
            }
            let fit = |n: usize| u32::try_from(n).expect("invariant: edges fit in 32 bits");
            self.nodes[node].children = fit(start)..fit(self.children.len());
        }
    }

    fn number(&mut self, expr: ExprId) -> NodeId {
        let expr = self.merging.representative(self.grammar, expr);
        if let Some(known) = self.of_expr[expr] {
            return known;
        }
        let node = self.nodes.push(Node { kind: self.kind(expr), expr, children: 0..0 });
        self.of_expr[expr] = Some(node);
        self.queue.push_back(node);
        node
    }

    fn kind(&self, expr: ExprId) -> NodeKind {
        match self.grammar.expr(expr).kind {
            ExprKind::Alternation(_) => NodeKind::Alternation,
            ExprKind::Sequence(_) => NodeKind::Concatenation,
            ExprKind::Repeat { min, max, .. } => NodeKind::Quantifier { min, max },
            ExprKind::Rule(rule) => NodeKind::Reference(rule),
            ExprKind::Terminal(terminal) => NodeKind::Leaf(terminal),
            ExprKind::Commands(_) => unreachable!("invariant: commands are in lexical rules only"),
        }
    }

    /// The expressions whose nodes are the children of this one's.
    fn parts(&self, expr: ExprId) -> Vec<ExprId> {
        match &self.grammar.expr(expr).kind {
            ExprKind::Alternation(alternatives) => {
                let mut seen = gramercy_base::Set::default();
                let exprs = alternatives.iter().map(|alternative| alternative.expr);
                exprs.filter(|&expr| seen.insert(self.merging.shape[expr])).collect()
            }
            ExprKind::Sequence(items) => items.to_vec(),
            ExprKind::Repeat { body, .. } => vec![*body],
            ExprKind::Rule(rule) => vec![self.grammar.rules()[*rule].body],
            ExprKind::Terminal(_) | ExprKind::Commands(_) => Vec::new(),
        }
    }

    /// Gives every merged expression the node of the one that stands for it.
    fn name_merged(&mut self) {
        for id in self.grammar.exprs().ids() {
            if self.of_expr[id].is_none() {
                let representative = self.merging.representative(self.grammar, id);
                self.of_expr[id] = self.of_expr[representative];
            }
        }
    }
}

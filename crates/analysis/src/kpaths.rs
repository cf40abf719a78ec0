//! How many k-paths a grammar has, and a number for each of them (paper 001 §3.1, FACTS §1).
//!
//! A k-path is a path through the grammar graph with exactly k symbolic nodes that begins and ends
//! in one. As right-hand sides are trees, its symbolic nodes determine it. Let f₁(v) = 1, and for
//! longer paths let fⱼ(v) be the sum of fⱼ₋₁(w) over the symbolic nodes w in the right-hand side
//! that v refers to. These *slots* of a right-hand side are one list, shared by all its
//! references, so a table of f costs k steps per node, however often rules are referred to.
//!
//! Paths are numbered by their first node, then by the slot each next node stands in: with the
//! sums of fⱼ over all slots before w in its own right-hand side as offⱼ(w), the rank of a path
//! v₁ … vₖ is start(v₁) + off₍ₖ₋₁₎(v₂) + … + off₁(vₖ). Ranking is k additions; its inverse is k
//! binary searches.
//!
//! Counts are 128-bit; what does not fit is refused, as nobody covers or lists so many.

use gramercy_base::{Id, LimitReached, Table};
use gramercy_grammar::{GrammarGraph, NodeId, NodeKind};

use crate::{Rows, Viable};

/// The bound on the entries of each table: with both, 256 MiB.
const ENTRIES: usize = 1 << 23;

gramercy_base::define_id!(struct BodyId, "the right-hand side of a rule");

/// The k-paths of a graph for one k.
#[derive(Clone, Debug)]
pub struct KPaths {
    k: usize,
    slots: Slots,
    /// For j from 1 to k, the number of paths of j symbolic nodes from each node.
    from: Vec<Table<NodeId, u128>>,
    /// For j from 1 to k - 1, the number of such paths from the slots before each node.
    before: Vec<Table<NodeId, u128>>,
    /// The nodes at which paths begin, each with the rank of its first path.
    starts: Vec<(u128, NodeId)>,
    len: u128,
}

impl KPaths {
    /// All k-paths that the root reaches.
    ///
    /// # Errors
    /// If their number does not fit in 128 bits, or the table that counts them is too large.
    ///
    /// # Panics
    /// If `k` is 0.
    pub fn of(graph: &GrammarGraph, k: usize) -> Result<Self, LimitReached> {
        let slots = Slots::new(graph, |_, _| true);
        let reachable = graph.ids().take(graph.reachable());
        Self::new(graph, k, slots, reachable, |_| true)
    }

    /// The numbers of all paths of 1 to `longest` symbolic nodes that the root reaches, in one table.
    ///
    /// # Errors
    /// If a number does not fit in 128 bits, or the table that counts them is too large.
    pub fn counts(graph: &GrammarGraph, longest: usize) -> Result<Vec<u128>, LimitReached> {
        if longest == 0 {
            return Ok(Vec::new());
        }
        let paths = Self::of(graph, longest)?;
        let reachable = || graph.ids().take(graph.reachable());
        let count = |from: &Table<NodeId, u128>| {
            let mut symbolic = reachable().filter(|&node| graph.kind(node).is_symbolic());
            symbolic.try_fold(0_u128, |sum, node| sum.checked_add(from[node]).ok_or(TOO_MANY))
        };
        paths.from.iter().map(count).collect()
    }

    /// The k-paths that some derivation tree contains.
    ///
    /// # Errors
    /// If their number does not fit in 128 bits, or the table that counts them is too large.
    ///
    /// # Panics
    /// If `k` is 0.
    pub fn coverable(
        graph: &GrammarGraph,
        viable: &Viable,
        k: usize,
    ) -> Result<Self, LimitReached> {
        let slots = Slots::new(graph, |parent, child| viable.edge(parent, child));
        let reached = graph.ids().filter(|&node| viable.is_reached(node));
        Self::new(graph, k, slots, reached, |node| viable.is_productive(node))
    }

    fn new(
        graph: &GrammarGraph,
        k: usize,
        slots: Slots,
        firsts: impl Iterator<Item = NodeId>,
        is_end: impl Fn(NodeId) -> bool,
    ) -> Result<Self, LimitReached> {
        assert!(k > 0, "invariant: a path has at least one node");
        if graph.len().saturating_mul(k) > ENTRIES {
            let what = "entries in the table that counts paths";
            return Err(LimitReached { what, limit: ENTRIES, option: None });
        }
        let ones = graph.ids().map(|node| u128::from(is_end(node))).collect();
        let mut paths =
            Self { k, slots, from: vec![ones], before: Vec::new(), starts: Vec::new(), len: 0 };
        for _ in 1..k {
            paths.add_layer(graph)?;
        }
        for node in firsts.filter(|&node| graph.kind(node).is_symbolic()) {
            let here = paths.from[k - 1][node];
            if here > 0 {
                paths.starts.push((paths.len, node));
                paths.len = paths.len.checked_add(here).ok_or(TOO_MANY)?;
            }
        }
        Ok(paths)
    }

    fn add_layer(&mut self, graph: &GrammarGraph) -> Result<(), LimitReached> {
        let shorter = self.from.last().expect("invariant: there is a first layer");
        let mut before = Table::filled(0, graph.len());
        let mut totals = Vec::with_capacity(self.slots.of_body.len());
        for (_, slots) in self.slots.of_body.iter() {
            let mut sum = 0_u128;
            for &slot in slots {
                before[slot] = sum;
                sum = sum.checked_add(shorter[slot]).ok_or(TOO_MANY)?;
            }
            totals.push(sum);
        }
        let total = |node: NodeId| self.slots.body[node].map_or(0, |body| totals[body.index()]);
        let from = graph.ids().map(total).collect();
        self.before.push(before);
        self.from.push(from);
        Ok(())
    }

    /// The number of symbolic nodes of each path.
    #[must_use]
    pub fn k(&self) -> usize {
        self.k
    }

    /// The number of paths.
    #[must_use]
    pub fn len(&self) -> u128 {
        self.len
    }

    /// Whether there is no path.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The number of paths that begin at a symbolic node, whether the root reaches it or not.
    #[must_use]
    pub fn from(&self, node: NodeId) -> u128 {
        self.from[self.k - 1][node]
    }

    /// The number of paths of `left` symbolic nodes, at most [`k`](Self::k), that begin at a node.
    #[must_use]
    pub fn completions(&self, left: usize, node: NodeId) -> u128 {
        self.from[left - 1][node]
    }

    /// The rank of the first path that begins at a node; `None` if no path does.
    ///
    /// Paths that begin alike have adjacent ranks. With `first` as the node's own first rank, those
    /// that go on at `next` with `left` nodes to come, `next` included, begin at `first` plus
    /// [`before(left, next)`](Self::before), and so on from node to node.
    #[must_use]
    pub fn first_rank(&self, node: NodeId) -> Option<u128> {
        let at = self.starts.binary_search_by_key(&node, |&(_, node)| node).ok()?;
        Some(self.starts[at].0)
    }

    /// The number of paths of `left` symbolic nodes, less than [`k`](Self::k), that begin in the
    /// right-hand side of a node before it.
    #[must_use]
    pub fn before(&self, left: usize, node: NodeId) -> u128 {
        self.before[left - 1][node]
    }

    /// The symbolic nodes that can come next on a path, in textual order.
    #[must_use]
    pub fn next(&self, node: NodeId) -> &[NodeId] {
        self.slots.body[node].map_or(&[], |body| self.slots.of_body.row(body))
    }

    /// The number of a path, from 0 to [`len`](Self::len) - 1; `None` if it is not one of these.
    #[must_use]
    pub fn rank(&self, path: &[NodeId]) -> Option<u128> {
        let (&first, rest) = path.split_first()?;
        if path.len() != self.k {
            return None;
        }
        let at = self.starts.binary_search_by_key(&first, |&(_, node)| node).ok()?;
        let mut rank = self.starts[at].0;
        for (at, (&node, &next)) in path.iter().zip(rest).enumerate() {
            let left = self.k - 1 - at;
            let body = self.slots.body[node]?;
            if self.slots.within[next] != Some(body) || self.from[left - 1][next] == 0 {
                return None;
            }
            rank += self.before[left - 1][next];
        }
        Some(rank)
    }

    /// The path of a number.
    ///
    /// # Panics
    /// If there are not that many paths.
    #[must_use]
    pub fn unrank(&self, rank: u128) -> Vec<NodeId> {
        assert!(rank < self.len, "invariant: there is a path of this rank");
        let at = self.starts.partition_point(|&(start, _)| start <= rank) - 1;
        let (start, mut node) = self.starts[at];
        let mut rest = rank - start;
        let mut path = vec![node];
        for left in (1..self.k).rev() {
            let (slots, before) = (self.next(node), &self.before[left - 1]);
            // Slots without paths share their sum with the next one: the last is meant.
            node = slots[slots.partition_point(|&slot| before[slot] <= rest) - 1];
            rest -= before[node];
            path.push(node);
        }
        path
    }
}

const TOO_MANY: LimitReached = LimitReached { what: "paths", limit: usize::MAX, option: None };

/// The symbolic nodes of each right-hand side.
#[derive(Clone, Debug)]
struct Slots {
    /// In textual order.
    of_body: Rows<BodyId, NodeId>,
    /// The right-hand side that a reference leads to.
    body: Table<NodeId, Option<BodyId>>,
    /// The right-hand side in which a symbolic node stands.
    within: Table<NodeId, Option<BodyId>>,
}

impl Slots {
    /// The slots that the references of a graph lead to along these edges.
    fn new(graph: &GrammarGraph, takes: impl Fn(NodeId, NodeId) -> bool) -> Self {
        let mut slots = Self {
            of_body: Rows::new(),
            body: Table::filled(None, graph.len()),
            within: Table::filled(None, graph.len()),
        };
        let mut of_root: Table<NodeId, Option<BodyId>> = Table::filled(None, graph.len());
        for node in graph.ids() {
            if let NodeKind::Reference(_) = graph.kind(node) {
                let root = graph.children(node)[0];
                if takes(node, root) {
                    let body = of_root[root].unwrap_or_else(|| slots.add(graph, root, &takes));
                    of_root[root] = Some(body);
                    slots.body[node] = Some(body);
                }
            }
        }
        slots
    }

    fn add(
        &mut self,
        graph: &GrammarGraph,
        root: NodeId,
        takes: impl Fn(NodeId, NodeId) -> bool,
    ) -> BodyId {
        let (mut found, mut stack) = (Vec::new(), vec![root]);
        while let Some(node) = stack.pop() {
            if graph.kind(node).is_symbolic() {
                found.push(node);
            } else {
                let children = graph.children(node).iter().rev();
                stack.extend(children.filter(|&&child| takes(node, child)));
            }
        }
        let body = BodyId::from_index(self.of_body.len());
        found.iter().for_each(|&node| self.within[node] = Some(body));
        self.of_body.push(found)
    }
}

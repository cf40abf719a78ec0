//! The number of k-paths of a grammar, and a rank for each of them (Havrikov, Kampmann, Zeller,
//! TOSEM, section 3.1).
//!
//! A k-path is a path through the grammar graph with exactly k symbolic nodes that begins and ends
//! in one. Right-hand sides are trees, so the symbolic nodes determine the path. Let f₁(v) = 1, and
//! for longer paths let fⱼ(v) be the sum of fⱼ₋₁(w) over the symbolic nodes w in the right-hand
//! side that v refers to. These *slots* of a right-hand side are one list that all its references
//! share, so tables of f cost k steps per slot, however many references there are.
//!
//! Paths are ranked by their first node, then by the slot of each next node: let offⱼ(w) be the sum
//! of fⱼ over all slots before w in its own right-hand side; the rank of a path v₁ … vₖ is
//! start(v₁) + off₍ₖ₋₁₎(v₂) + … + off₁(vₖ). Ranking takes k additions; unranking takes k binary
//! searches.
//!
//! Example: `Sum := Term ("+" Term)* ; Term := "1" | "(" Sum ")" ;`, k = 2. The slots of Sum are
//! Term₁, "+", Term₂, those of Term are "1", "(", Sum, ")". So f₂(Sum) = 3, f₂(Term₁) = f₂(Term₂) =
//! 4, and terminals have none: 11 paths. In the order of nodes start(Term₁) = 0, start(Term₂) = 4,
//! start(Sum) = 8; the path Sum Term₂ has rank 8 + off₁(Term₂) = 8 + 2 = 10.
//!
//! Counts have 128 bits. A larger number is an error, because such a suite could neither be listed
//! nor covered.

use gramercy_base::{Id, IdSet, LimitReached, Table};
use gramercy_grammar::{GrammarGraph, NodeId, NodeKind};

use crate::{Rows, Viable};

/// The limit on the entries of the tables: 256 MiB.
const ENTRIES: usize = 1 << 24;

gramercy_base::define_id!(struct BodyId, "the right-hand side of a rule");
gramercy_base::define_id!(struct SlotId, "a symbolic node in a right-hand side");

/// The k-paths of a graph for one k.
#[derive(Clone, Debug)]
pub struct KPaths {
    k: usize,
    slots: Slots,
    /// The nodes at which paths may end.
    ends: IdSet<NodeId>,
    /// For j from 1 to k - 1, the number of paths of j symbolic nodes from all slots of a body.
    from_body: Vec<Table<BodyId, u128>>,
    /// For j from 1 to k - 1, the number of such paths from the slots before each slot in its body.
    before: Vec<Table<SlotId, u128>>,
    /// The nodes at which paths begin.
    firsts: Vec<NodeId>,
    /// For each first node the rank of its first path.
    starts: Vec<u128>,
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

    /// The numbers of all paths of 1 to `longest` symbolic nodes that the root reaches.
    ///
    /// # Errors
    /// If a number does not fit in 128 bits, or the table that counts them is too large.
    pub fn counts(graph: &GrammarGraph, longest: usize) -> Result<Vec<u128>, LimitReached> {
        if longest == 0 {
            return Ok(Vec::new());
        }
        let paths = Self::of(graph, longest)?;
        let count = |left: usize| {
            let reachable = graph.ids().take(graph.reachable());
            let mut counts = reachable
                .filter(|&node| graph.kind(node).is_symbolic())
                .map(|node| paths.completions(left, node));
            counts.try_fold(0_u128, |sum, here| sum.checked_add(here).ok_or(TOO_MANY))
        };
        (1..=longest).map(count).collect()
    }

    /// The k-paths that occur in some derivation tree.
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
        let entries = slots.of_body.len() + slots.of_body.items().len();
        if entries.saturating_mul(k) > ENTRIES {
            let what = "entries in the table that counts paths";
            return Err(LimitReached { what, limit: ENTRIES, option: None });
        }
        let mut ends = IdSet::new(graph.len());
        graph.ids().filter(|&node| is_end(node)).for_each(|node| {
            ends.insert(node);
        });
        let mut paths = Self {
            k,
            slots,
            ends,
            from_body: Vec::new(),
            before: Vec::new(),
            firsts: Vec::new(),
            starts: Vec::new(),
            len: 0,
        };
        for _ in 1..k {
            paths.add_layer()?;
        }
        for node in firsts.filter(|&node| graph.kind(node).is_symbolic()) {
            let here = paths.from(node);
            if here > 0 {
                paths.firsts.push(node);
                paths.starts.push(paths.len);
                paths.len = paths.len.checked_add(here).ok_or(TOO_MANY)?;
            }
        }
        Ok(paths)
    }

    fn add_layer(&mut self) -> Result<(), LimitReached> {
        let shorter = self.from_body.len() + 1;
        let mut before = Table::with_capacity(self.slots.of_body.items().len());
        let mut from_body = Table::with_capacity(self.slots.of_body.len());
        for (_, slots) in self.slots.of_body.iter() {
            let mut sum = 0_u128;
            for &slot in slots {
                before.push(sum);
                sum = sum.checked_add(self.completions(shorter, slot)).ok_or(TOO_MANY)?;
            }
            from_body.push(sum);
        }
        self.before.push(before);
        self.from_body.push(from_body);
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

    /// The number of paths that begin at a symbolic node, reachable or not.
    #[must_use]
    pub fn from(&self, node: NodeId) -> u128 {
        self.completions(self.k, node)
    }

    /// The number of paths of `left` symbolic nodes, at most [`k`](Self::k), that begin at a node.
    #[must_use]
    pub fn completions(&self, left: usize, node: NodeId) -> u128 {
        match left.checked_sub(2) {
            None => u128::from(self.ends.contains(node)),
            Some(layer) => self.slots.body[node].map_or(0, |body| self.from_body[layer][body]),
        }
    }

    /// The rank of the first path that begins at a node; `None` if no path does.
    ///
    /// Paths with a common beginning have adjacent ranks. If `first` is the first rank of a node,
    /// its paths through `next` with `left` remaining nodes, `next` included, begin at `first` plus
    /// [`before(left, next)`](Self::before), and so on from node to node.
    #[must_use]
    pub fn first_rank(&self, node: NodeId) -> Option<u128> {
        Some(self.starts[self.firsts.binary_search(&node).ok()?])
    }

    /// The number of paths of `left` symbolic nodes, less than [`k`](Self::k), that begin before a
    /// node in the same right-hand side.
    #[must_use]
    pub fn before(&self, left: usize, node: NodeId) -> u128 {
        self.slots.of[node].map_or(0, |slot| self.before[left - 1][slot])
    }

    /// The symbolic nodes that can come next on a path, in textual order.
    #[must_use]
    pub fn next(&self, node: NodeId) -> &[NodeId] {
        self.slots.body[node].map_or(&[], |body| self.slots.of_body.row(body))
    }

    /// The rank of a path, from 0 to [`len`](Self::len) - 1; `None` if it is not one of these
    /// paths.
    #[must_use]
    pub fn rank(&self, path: &[NodeId]) -> Option<u128> {
        let (&first, rest) = path.split_first()?;
        if path.len() != self.k {
            return None;
        }
        let mut rank = self.first_rank(first)?;
        for (at, (&node, &next)) in path.iter().zip(rest).enumerate() {
            let left = self.k - 1 - at;
            let slots = self.slots.of_body.range(self.slots.body[node]?);
            let slot = self.slots.of[next].filter(|slot| slots.contains(&slot.index()))?;
            if self.completions(left, next) == 0 {
                return None;
            }
            rank += self.before[left - 1][slot];
        }
        Some(rank)
    }

    /// The path of a rank.
    ///
    /// # Panics
    /// If the rank is too large.
    #[must_use]
    pub fn unrank(&self, rank: u128) -> Vec<NodeId> {
        assert!(rank < self.len, "invariant: there is a path of this rank");
        let at = self.starts.partition_point(|&start| start <= rank) - 1;
        let (mut rest, mut node) = (rank - self.starts[at], self.firsts[at]);
        let mut path = vec![node];
        for left in (1..self.k).rev() {
            let body =
                self.slots.body[node].expect("invariant: a path continues only after a reference");
            let slots = self.slots.of_body.range(body);
            let before = &self.before[left - 1].as_slice()[slots];
            // Slots without paths have the same sum as the next slot; the last of them is the right
            // one.
            let slot = before.partition_point(|&before| before <= rest) - 1;
            node = self.slots.of_body.row(body)[slot];
            rest -= before[slot];
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
    /// The index of a symbolic node among the slots of all bodies.
    of: Table<NodeId, Option<SlotId>>,
}

impl Slots {
    /// The slots of the references of a graph along these edges.
    fn new(graph: &GrammarGraph, takes: impl Fn(NodeId, NodeId) -> bool) -> Self {
        let mut slots = Self {
            of_body: Rows::new(),
            body: Table::filled(None, graph.len()),
            of: Table::filled(None, graph.len()),
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
        let first = self.of_body.items().len();
        while let Some(node) = stack.pop() {
            if graph.kind(node).is_symbolic() {
                self.of[node] = Some(SlotId::from_index(first + found.len()));
                found.push(node);
            } else {
                let children = graph.children(node).iter().rev();
                stack.extend(children.filter(|&&child| takes(node, child)));
            }
        }
        self.of_body.push(found)
    }
}

//! The ranks of all k-paths of a tree, node by node.
//!
//! The rank of a path is a sum over its nodes, in which a node's share depends on how many nodes
//! are still to come (see [`KPaths`]). So each node of a tree hands k - 1 running sums down, one for
//! each of the last nodes above it as the first of a path; a leaf ends a path with one addition.
//! Sums are kept for the symbolic nodes between the root and the current one only.
//!
//! A node with d < k symbolic nodes from the root ends no path of k nodes. If nothing can come below
//! it either, the whole way from the root is a path that lies in no longer one; such *short* paths
//! are ranked among those of their own length.

use gramercy_analysis::KPaths;
use gramercy_base::{LimitReached, Table};
use gramercy_coverage::TargetId;
use gramercy_grammar::{Bnf, NodeId, NonterminalId, Origin, ProductionId, Symbol};
use gramercy_language::Language;

/// The tables after the ranks of k-paths, in 64 bits.
#[derive(Clone, Debug)]
pub struct PathRanks {
    k: usize,
    paths: KPaths,
    firsts: Table<NodeId, u64>,
    /// For each node, k - 1 shares: with k - 1 nodes to come, the node included, down to 1.
    shares: Vec<u64>,
    len: u64,
}

impl PathRanks {
    /// The ranks of a graph's k-paths.
    ///
    /// # Errors
    /// If there are more paths than the limit on targets.
    ///
    /// # Panics
    /// If `k` is 0.
    pub fn new(language: &Language, k: usize) -> Result<Self, LimitReached> {
        let graph = language.graph();
        let paths = KPaths::of(graph, k)?;
        let targets = language.limits().targets;
        let too_many =
            LimitReached { what: "targets", limit: targets, option: Some("--max-targets") };
        let len = u64::try_from(paths.len()).ok().filter(|&len| len <= targets as u64);
        let len = len.ok_or(too_many)?;
        // Of nodes that the root does not reach, nobody asks, and their sums may be larger.
        let fit = |rank: u128| u64::try_from(rank).unwrap_or(0);
        let firsts = graph.ids().map(|node| paths.first_rank(node).map_or(0, fit)).collect();
        let shares = graph
            .ids()
            .flat_map(|node| (1..k).rev().map(move |left| (left, node)))
            .map(|(left, node)| fit(paths.before(left, node)))
            .collect();
        Ok(Self { k, paths, firsts, shares, len })
    }

    /// The number of symbolic nodes of each path.
    #[must_use]
    pub fn k(&self) -> usize {
        self.k
    }

    /// The number of paths.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there is no path.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The paths themselves.
    #[must_use]
    pub fn paths(&self) -> &KPaths {
        &self.paths
    }

    /// The path of a rank.
    #[must_use]
    pub fn path(&self, rank: TargetId) -> Vec<NodeId> {
        self.paths.unrank(u128::from(rank))
    }

    /// The rank of a path; `None` if it is not one of these.
    #[must_use]
    pub fn rank(&self, path: &[NodeId]) -> Option<TargetId> {
        self.paths.rank(path).and_then(|rank| u64::try_from(rank).ok())
    }

    /// The ranks of all paths that begin with a node.
    #[must_use]
    pub fn beginning_with(&self, node: NodeId) -> std::ops::Range<TargetId> {
        let first = self.firsts[node];
        first..first + self.completions(self.k, node)
    }

    /// The number of paths with a given number of symbolic nodes that begin with a node.
    #[must_use]
    pub fn completions(&self, left: usize, node: NodeId) -> u64 {
        u64::try_from(self.paths.completions(left, node)).unwrap_or(u64::MAX)
    }

    /// A node's share in the rank of a path with a given number of remaining nodes, the node included, less than k.
    #[must_use]
    pub fn share(&self, left: usize, node: NodeId) -> u64 {
        self.shares[self.shares_of(node)][self.k - 1 - left]
    }

    /// Writes the running sums of a node whose parent has these: sum number j is that of the paths
    /// which begin j symbolic nodes above it. Only as many are meant as there are nodes above.
    #[inline]
    pub fn step(&self, above: &[u64], node: NodeId, sums: &mut [u64]) {
        let shares = &self.shares[self.shares_of(node)];
        sums[0] = self.firsts[node];
        for ((sum, &above), &share) in sums[1..].iter_mut().zip(above).zip(shares) {
            *sum = above.wrapping_add(share);
        }
    }

    /// The rank of the path that ends at a node whose parent has these sums.
    #[inline]
    pub fn last(&self, above: &[u64], node: NodeId) -> TargetId {
        match self.k {
            1 => self.firsts[node],
            k => above[k - 2] + self.shares[self.shares_of(node).end - 1],
        }
    }

    fn shares_of(&self, node: NodeId) -> std::ops::Range<usize> {
        let each = self.k - 1;
        let start = gramercy_base::Id::index(node) * each;
        start..start + each
    }
}

/// Which positions of productions are symbolic nodes of the graph.
#[derive(Clone, Debug)]
pub struct Symbolic {
    nodes: Vec<Option<NodeId>>,
}

impl Symbolic {
    /// The symbolic positions of a grammar.
    #[must_use]
    pub fn new(language: &Language) -> Self {
        let bnf = language.bnf();
        let of_production = |production: ProductionId| {
            let symbols = bnf.rhs(production).iter().zip(bnf.nodes(production));
            symbols.map(|(&symbol, &node)| node.filter(|&node| is_symbolic(language, symbol, node)))
        };
        Self { nodes: bnf.productions().flat_map(of_production).collect() }
    }

    /// For every position of a production, its node if that is symbolic.
    #[inline]
    #[must_use]
    pub fn nodes(&self, bnf: &Bnf, production: ProductionId) -> &[Option<NodeId>] {
        &self.nodes[bnf.positions(production)]
    }
}

/// Whether a symbol stands for its node. A group whose alternatives are all equal has the node of
/// its only alternative, which stands below it once more.
fn is_symbolic(language: &Language, symbol: Symbol, node: NodeId) -> bool {
    let of_rule =
        |id: NonterminalId| matches!(language.bnf().nonterminals()[id].origin, Origin::Rule(_));
    let stands_for_itself = match symbol {
        Symbol::Terminal(_) => true,
        Symbol::Nonterminal(id) => of_rule(id),
    };
    stands_for_itself && language.graph().kind(node).is_symbolic()
}

/// A walk over trees that tells the rank of every path in them. Its memory is kept between trees.
#[derive(Clone, Debug, Default)]
pub struct PathWalk {
    frames: Vec<Frame>,
    /// For every symbolic node from the root to the current one, its sums.
    sums: Vec<u64>,
    /// The first of those nodes themselves, as far as short paths need them.
    lineage: Vec<NodeId>,
}

#[derive(Clone, Copy, Debug)]
struct Frame {
    production: ProductionId,
    position: u32,
    /// How many symbolic nodes are above its positions.
    depth: u32,
}

/// A path that ends at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended<'w> {
    /// A path of k symbolic nodes, by its rank.
    Path(TargetId),
    /// All symbolic nodes from the root to a node that is nearer to it than that.
    Short(&'w [NodeId]),
}

impl PathWalk {
    /// Visits every path that ends at a node of a tree, in the order of the tree.
    pub fn walk(
        &mut self,
        (bnf, symbolic, ranks): (&Bnf, &Symbolic, &PathRanks),
        productions: &[ProductionId],
        mut visit: impl FnMut(Ended<'_>),
    ) {
        let k = ranks.k();
        let mut next = productions.iter();
        let root = *next.next().expect("invariant: a tree has a root");
        self.frames.clear();
        self.sums.clear();
        self.lineage.clear();
        self.enter(bnf, ranks, root, 0, &mut visit);
        while let Some(frame) = self.frames.last_mut() {
            let Frame { production, position, depth } = *frame;
            let Some(&symbol) = bnf.rhs(production).get(position as usize) else {
                self.frames.pop();
                continue;
            };
            frame.position += 1;
            let node = symbolic.nodes(bnf, production)[position as usize];
            match (symbol, node) {
                (Symbol::Terminal(_), Some(node)) => self.leaf(ranks, node, depth, &mut visit),
                (Symbol::Terminal(_), None) => {}
                (Symbol::Nonterminal(_), node) => {
                    let below = *next.next().expect("invariant: a derivation is whole");
                    let mut depth = depth;
                    if let Some(node) = node {
                        self.descend(ranks, node, depth);
                        depth += 1;
                        if depth as usize >= k {
                            let at = depth as usize * k;
                            visit(Ended::Path(self.sums[at - 1]));
                        } else {
                            visit(Ended::Short(&self.lineage));
                        }
                    }
                    self.enter(bnf, ranks, below, depth, &mut visit);
                }
            }
        }
    }

    fn enter(
        &mut self,
        bnf: &Bnf,
        ranks: &PathRanks,
        production: ProductionId,
        depth: u32,
        visit: &mut impl FnMut(Ended<'_>),
    ) {
        self.frames.push(Frame { production, position: 0, depth });
        for &(_, leaf) in bnf.silent(production) {
            self.leaf(ranks, leaf, depth, visit);
        }
    }

    #[inline]
    fn leaf(
        &mut self,
        ranks: &PathRanks,
        node: NodeId,
        depth: u32,
        visit: &mut impl FnMut(Ended<'_>),
    ) {
        let (k, depth) = (ranks.k(), depth as usize);
        if depth + 1 < k {
            self.lineage.truncate(depth);
            self.lineage.push(node);
            visit(Ended::Short(&self.lineage));
        } else {
            let above = depth.checked_sub(1).map_or(&[][..], |at| &self.sums[at * k..(at + 1) * k]);
            visit(Ended::Path(ranks.last(above, node)));
        }
    }

    /// Computes the sums of a node below `depth` symbolic nodes.
    #[inline]
    fn descend(&mut self, ranks: &PathRanks, node: NodeId, depth: u32) {
        let (k, depth) = (ranks.k(), depth as usize);
        if self.sums.len() < (depth + 1) * k {
            self.sums.resize((depth + 1) * k, 0);
        }
        if depth + 1 < k {
            self.lineage.truncate(depth);
            self.lineage.push(node);
        }
        let (above, here) = self.sums.split_at_mut(depth * k);
        let above = depth.checked_sub(1).map_or(&[][..], |at| &above[at * k..]);
        ranks.step(above, node, &mut here[..k]);
    }
}

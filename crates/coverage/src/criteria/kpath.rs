//! `kpath:K`: every path of exactly K symbolic nodes of the grammar graph occurs (paper 001 §3.2).
//!
//! A path exists in a forest of all trees exactly if it can be walked down in it, because whatever
//! lies beside it can be completed in some way (§5.1). So measuring goes down from the root with
//! the last K - 1 symbolic nodes: linear in a tree, and in a forest, cyclic or not, in the pairs of a
//! node and the symbolic nodes that lead to it. Ranks are those of [`KPaths`].

use gramercy_analysis::KPaths;
use gramercy_base::{LimitReached, Limits, Set, Span};
use gramercy_grammar::{Bnf, NodeId, Origin, Symbol};
use gramercy_parse::{Derivations, Derived, DerivedId, Part};

use crate::criteria::too_many_targets;
use crate::criterion::{Criterion, Uncoverable};
use crate::pattern;
use crate::targets::{TargetId, TargetSet};
use crate::views::Views;

/// The k-paths of a grammar graph as targets.
#[derive(Debug)]
pub struct KPath<'v> {
    views: &'v Views<'v>,
    paths: KPaths,
    coverable: u64,
}

impl<'v> KPath<'v> {
    /// The targets.
    ///
    /// # Errors
    /// If they are more than the limit on targets.
    pub fn new(views: &'v Views<'v>, k: u32, limits: &Limits) -> Result<Self, LimitReached> {
        let paths = KPaths::of(views.graph, k as usize)?;
        let coverable = KPaths::coverable(views.graph, &views.viable, k as usize)?;
        let fits = |paths: &KPaths| {
            u64::try_from(paths.len())
                .ok()
                .filter(|&paths| paths <= limits.targets as u64)
                .ok_or_else(|| too_many_targets(limits))
        };
        fits(&paths)?;
        let coverable = fits(&coverable)?;
        Ok(Self { views, paths, coverable })
    }

    /// The path of a rank.
    #[must_use]
    pub fn path(&self, target: TargetId) -> Vec<NodeId> {
        self.paths.unrank(u128::from(target))
    }

    /// The ranks of paths.
    #[must_use]
    pub fn paths(&self) -> &KPaths {
        &self.paths
    }

    fn mark(&self, path: &[NodeId], covered: &mut TargetSet) {
        if let Some(from) = path.len().checked_sub(self.paths.k()) {
            let rank = self.paths.rank(&path[from..]).expect("invariant: a tree's path is a path");
            covered.insert(u64::try_from(rank).expect("invariant: targets fit in 64 bits"));
        }
    }

    /// The leaves of a node that are not nodes themselves, each as the end of a path.
    fn leaves(
        &self,
        derivations: &Derivations,
        node: DerivedId,
        path: &mut Vec<NodeId>,
        covered: &mut TargetSet,
    ) {
        let bnf = self.views.bnf;
        let is_whole = matches!(derivations.label(node), Derived::Nonterminal(_));
        for way in derivations.ways(node) {
            let parts = way.parts.iter().zip(way.position..);
            let terminals = parts.filter(|(part, _)| matches!(part, Part::Terminal(..)));
            let leaves = terminals.filter_map(|(_, position)| bnf.nodes(way.production)[position]);
            let silent = bnf.silent(way.production).iter().filter(|_| is_whole);
            for leaf in leaves.chain(silent.map(|&(_, leaf)| leaf)) {
                path.push(leaf);
                self.mark(path, covered);
                path.pop();
            }
        }
    }

    /// The nodes below a node, each with the symbolic node that leads to it, if one does.
    fn children(
        &self,
        derivations: &Derivations,
        node: DerivedId,
        mut visit: impl FnMut(DerivedId, Option<NodeId>),
    ) {
        for way in derivations.ways(node) {
            if let Some(prefix) = way.prefix {
                visit(prefix, None);
            }
            for (part, position) in way.parts.iter().zip(way.position..) {
                if let Part::Node(child) = part {
                    let bnf = self.views.bnf;
                    let node = bnf.nodes(way.production)[position];
                    // A group whose alternatives are all equal has the node of its only alternative,
                    // which is met once more below.
                    let symbol = bnf.rhs(way.production)[position];
                    let is_symbolic = |&node: &NodeId| {
                        is_reference(bnf, symbol) && self.views.graph.kind(node).is_symbolic()
                    };
                    visit(*child, node.filter(is_symbolic));
                }
            }
        }
    }

    fn cover_tree(&self, derivations: &Derivations, covered: &mut TargetSet) {
        let mut path: Vec<NodeId> = Vec::new();
        let mut stack = vec![(derivations.root(), 0, None)];
        while let Some((node, depth, symbolic)) = stack.pop() {
            path.truncate(depth);
            if let Some(symbolic) = symbolic {
                path.push(symbolic);
                self.mark(&path, covered);
            }
            self.leaves(derivations, node, &mut path, covered);
            let depth = path.len();
            self.children(derivations, node, |child, node| stack.push((child, depth, node)));
        }
    }

    fn cover_forest(&self, derivations: &Derivations, covered: &mut TargetSet) {
        let kept = self.paths.k() - 1;
        let mut seen: Set<(DerivedId, Box<[NodeId]>)> = Set::default();
        let mut stack = vec![(derivations.root(), Vec::new())];
        while let Some((node, mut path)) = stack.pop() {
            if !seen.insert((node, path.clone().into())) {
                continue;
            }
            self.leaves(derivations, node, &mut path, covered);
            self.children(derivations, node, |child, symbolic| {
                let mut longer: Vec<NodeId> = path.iter().copied().chain(symbolic).collect();
                if symbolic.is_some() {
                    self.mark(&longer, covered);
                }
                longer.drain(..longer.len().saturating_sub(kept));
                stack.push((child, longer));
            });
        }
    }
}

/// Whether a symbol was made from a reference to a rule.
fn is_reference(bnf: &Bnf, symbol: Symbol) -> bool {
    match symbol {
        Symbol::Nonterminal(id) => matches!(bnf.nonterminals()[id].origin, Origin::Rule(_)),
        Symbol::Terminal(_) => false,
    }
}

impl Criterion for KPath<'_> {
    fn targets(&self) -> u64 {
        u64::try_from(self.paths.len()).expect("invariant: checked when it was made")
    }

    fn coverable(&self) -> u64 {
        self.coverable
    }

    fn uncoverable(&self, target: TargetId) -> Option<Uncoverable> {
        let (path, viable) = (self.path(target), &self.views.viable);
        let (Some(&first), Some(&last)) = (path.first(), path.last()) else {
            unreachable!("invariant: a path has nodes");
        };
        if !viable.is_productive(last) {
            Some(Uncoverable::Unproductive)
        } else if !viable.is_reached(first) {
            Some(Uncoverable::Unreachable)
        } else {
            let steps_are_viable = path.windows(2).all(|step| self.is_viable(step[0], step[1]));
            (!steps_are_viable).then_some(Uncoverable::Unproductive)
        }
    }

    fn cover(&self, derivations: &Derivations, covered: &mut TargetSet) {
        if derivations.is_unambiguous() {
            self.cover_tree(derivations, covered);
        } else {
            self.cover_forest(derivations, covered);
        }
    }

    fn describe(&self, target: TargetId) -> String {
        pattern::path(self.views, &self.path(target))
    }

    fn place(&self, target: TargetId) -> Option<Span> {
        let last = *self.path(target).last()?;
        Some(self.views.grammar.expr(self.views.graph.expr(last)).span)
    }
}

impl KPath<'_> {
    /// Whether all edges from a symbolic node to the next are viable.
    fn is_viable(&self, from: NodeId, to: NodeId) -> bool {
        let (graph, viable) = (self.views.graph, &self.views.viable);
        let mut stack = vec![from];
        while let Some(node) = stack.pop() {
            for &child in graph.children(node).iter().filter(|&&child| viable.edge(node, child)) {
                if child == to {
                    return true;
                }
                if !graph.kind(child).is_symbolic() {
                    stack.push(child);
                }
            }
        }
        false
    }
}

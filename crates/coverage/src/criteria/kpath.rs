//! `kpath:K`: every path of exactly K symbolic nodes of the grammar graph occurs (paper 001 §3.2).
//!
//! A path exists in a forest of all trees exactly if it can be walked down in it, because whatever
//! lies beside it can be completed in some way (§5.1). So measuring goes down from the root with
//! the last K - 1 symbolic nodes: linear in a tree, and in a forest, cyclic or not, in the pairs of a
//! node and the symbolic nodes that lead to it. Ranks are those of [`KPaths`], and are asked for once
//! for each different path only.

use gramercy_analysis::{KPaths, Viable};
use gramercy_base::{IndexSet, LimitReached, Map, Set, Span, Table};
use gramercy_grammar::{Bnf, GrammarGraph, NodeId, Origin, Symbol};
use gramercy_parse::{Derivations, Derived, DerivedId, Part};

use crate::criteria::too_many_targets;
use crate::criterion::{Criterion, Reading, Uncoverable};
use crate::pattern;
use crate::targets::{TargetId, TargetSet};
use gramercy_language::Language;

/// The k-paths of a grammar graph as targets.
#[derive(Debug)]
pub struct KPath<'v> {
    language: &'v Language,
    targets: PathTargets,
}

impl<'v> KPath<'v> {
    /// The targets.
    ///
    /// # Errors
    /// If they are more than the limit on targets.
    pub fn new(language: &'v Language, k: u32) -> Result<Self, LimitReached> {
        let targets = PathTargets::new(language, k)?;
        Ok(Self { language, targets })
    }

    /// The path of a rank.
    #[must_use]
    pub fn path(&self, target: TargetId) -> Vec<NodeId> {
        self.targets.path(target)
    }

    /// The ranks of paths.
    #[must_use]
    pub fn paths(&self) -> &KPaths {
        &self.targets.paths
    }
}

impl Criterion for KPath<'_> {
    fn targets(&self) -> u64 {
        self.targets.len()
    }

    fn coverable(&self) -> u64 {
        self.targets.coverable
    }

    fn uncoverable(&self, target: TargetId) -> Option<Uncoverable> {
        self.targets.uncoverable(self.language, target)
    }

    fn cover(&self, reading: &Reading<'_>, covered: &mut TargetSet) {
        self.targets.cover(self.language, reading.derivations, |target| _ = covered.insert(target));
    }

    fn describe(&self, target: TargetId) -> String {
        let path = self.path(target);
        let first = path.first().expect("invariant: a path has nodes");
        pattern::path(
            self.language.grammar(),
            self.language.graph(),
            self.language.rule_of(*first),
            &path,
        )
    }

    fn outline(&self, target: TargetId) -> String {
        let path = self.path(target);
        let first = path.first().expect("invariant: a path has nodes");
        let (grammar, graph) = (self.language.grammar(), self.language.graph());
        pattern::outline(grammar, graph, self.language.rule_of(*first), &path)
    }

    fn place(&self, target: TargetId) -> Option<Span> {
        let last = *self.path(target).last()?;
        Some(self.language.grammar().expr(self.language.graph().expr(last)).span)
    }
}

/// The k-paths of one graph, ranked, and which of them can be covered.
#[derive(Debug)]
pub(crate) struct PathTargets {
    paths: KPaths,
    pub(crate) coverable: u64,
}

impl PathTargets {
    pub(crate) fn new(language: &Language, k: u32) -> Result<Self, LimitReached> {
        let (graph, viable, limits) = (language.graph(), language.viable(), language.limits());
        let paths = KPaths::of(graph, k as usize)?;
        let coverable = KPaths::coverable(graph, viable, k as usize)?;
        let fits = |paths: &KPaths| {
            u64::try_from(paths.len())
                .ok()
                .filter(|&paths| paths <= limits.targets as u64)
                .ok_or_else(|| too_many_targets(limits))
        };
        fits(&paths)?;
        let coverable = fits(&coverable)?;
        Ok(Self { paths, coverable })
    }

    pub(crate) fn len(&self) -> u64 {
        u64::try_from(self.paths.len()).expect("invariant: checked when it was made")
    }

    pub(crate) fn path(&self, target: TargetId) -> Vec<NodeId> {
        self.paths.unrank(u128::from(target))
    }

    pub(crate) fn uncoverable(&self, language: &Language, target: TargetId) -> Option<Uncoverable> {
        let (graph, viable) = (language.graph(), language.viable());
        let path = self.path(target);
        let (Some(&first), Some(&last)) = (path.first(), path.last()) else {
            unreachable!("invariant: a path has nodes");
        };
        // Targets are paths that the root reaches, so what is in the way is never mere distance.
        let is_taken = |step: &[NodeId]| is_viable(graph, viable, step[0], step[1]);
        let is_coverable =
            viable.is_productive(last) && viable.is_reached(first) && path.windows(2).all(is_taken);
        (!is_coverable).then_some(Uncoverable::Unproductive)
    }

    /// Tells the targets that some tree among these contains.
    pub(crate) fn cover(
        &self,
        language: &Language,
        derivations: &Derivations,
        mark: impl FnMut(TargetId),
    ) {
        let mut walk = PathWalk::new(&self.paths, language, derivations, mark);
        match derivations.is_unambiguous() {
            true => walk.tree(),
            false => walk.forest(),
        }
    }
}

/// Whether all edges from a symbolic node to the next are viable.
fn is_viable(graph: &GrammarGraph, viable: &Viable, from: NodeId, to: NodeId) -> bool {
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

/// Whether a symbol was made from a reference to a rule.
fn is_reference(bnf: &Bnf, symbol: Symbol) -> bool {
    match symbol {
        Symbol::Nonterminal(id) => matches!(bnf.nonterminals()[id].origin, Origin::Rule(_)),
        Symbol::Terminal(_) => false,
    }
}

/// A walk down derivations. A *context* is the last nodes above a place, by number: a step from one
/// to the next, by a symbolic node, is made and marked once, however often the input takes it.
struct PathWalk<'w, M> {
    paths: &'w KPaths,
    language: &'w Language,
    derivations: &'w Derivations,
    mark: M,
    contexts: IndexSet<Vec<NodeId>>,
    steps: Map<(usize, NodeId), usize>,
    stack: Vec<(DerivedId, usize)>,
}

impl<'w, M: FnMut(TargetId)> PathWalk<'w, M> {
    fn new(
        paths: &'w KPaths,
        language: &'w Language,
        derivations: &'w Derivations,
        mark: M,
    ) -> Self {
        let mut contexts = IndexSet::default();
        contexts.insert(Vec::new());
        let stack = vec![(derivations.root(), 0)];
        Self { paths, language, derivations, mark, contexts, steps: Map::default(), stack }
    }

    fn mark(&mut self, path: &[NodeId]) {
        if let Some(from) = path.len().checked_sub(self.paths.k()) {
            let rank = self.paths.rank(&path[from..]).expect("invariant: a tree's path is a path");
            (self.mark)(u64::try_from(rank).expect("invariant: targets fit in 64 bits"));
        }
    }

    fn step(&mut self, context: usize, by: NodeId) -> usize {
        if let Some(&next) = self.steps.get(&(context, by)) {
            return next;
        }
        let mut longer = self.contexts[context].clone();
        longer.push(by);
        self.mark(&longer);
        longer.drain(..longer.len().saturating_sub(self.paths.k() - 1));
        let next = self.contexts.insert_full(longer).0;
        self.steps.insert((context, by), next);
        next
    }

    /// One derivation: no node is met twice in a context for nothing.
    fn tree(&mut self) {
        while let Some((node, context)) = self.stack.pop() {
            self.below(node, context, |_, _| true);
        }
    }

    fn forest(&mut self) {
        let mut seen = Visits::new(self.derivations.len());
        while let Some((node, context)) = self.stack.pop() {
            self.below(node, context, |child, context| seen.is_first(child, context));
        }
    }

    /// Steps to all leaves below a node, and to those nodes below it that are wanted.
    fn below(
        &mut self,
        node: DerivedId,
        context: usize,
        mut is_wanted: impl FnMut(DerivedId, usize) -> bool,
    ) {
        let (derivations, bnf) = (self.derivations, self.language.bnf());
        let is_whole = matches!(derivations.label(node), Derived::Nonterminal(_));
        for way in derivations.ways(node) {
            let (nodes, rhs) = (bnf.nodes(way.production), bnf.rhs(way.production));
            if let Some(prefix) = way.prefix.filter(|&prefix| is_wanted(prefix, context)) {
                self.stack.push((prefix, context));
            }
            for (part, position) in way.parts.iter().zip(way.position..) {
                let symbolic = nodes[position].filter(|&node| match part {
                    Part::Terminal(..) => true,
                    // A group whose alternatives are all equal has the node of its only
                    // alternative, which is met once more below.
                    Part::Node(_) => {
                        is_reference(bnf, rhs[position])
                            && self.language.graph().kind(node).is_symbolic()
                    }
                });
                let next = symbolic.map_or(context, |by| self.step(context, by));
                if let Part::Node(child) = *part
                    && is_wanted(child, next)
                {
                    self.stack.push((child, next));
                }
            }
            for &(_, leaf) in bnf.silent(way.production).iter().filter(|_| is_whole) {
                self.step(context, leaf);
            }
        }
    }
}

/// In which contexts a node was visited: of the first ones a bit each, because a forest has many
/// more ways to a node than nodes, and seldom more contexts.
struct Visits {
    first: Table<DerivedId, u64>,
    others: Set<(DerivedId, usize)>,
}

impl Visits {
    fn new(nodes: usize) -> Self {
        Self { first: Table::filled(0, nodes), others: Set::default() }
    }

    fn is_first(&mut self, node: DerivedId, context: usize) -> bool {
        if context >= u64::BITS as usize {
            return self.others.insert((node, context));
        }
        let before = self.first[node];
        self.first[node] |= 1 << context;
        self.first[node] != before
    }
}

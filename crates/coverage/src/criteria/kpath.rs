//! `kpath:K`: every path of exactly K symbolic nodes of the grammar graph occurs (Havrikov, Kampmann, Zeller, TOSEM,
//! section 3.2).
//!
//! Measuring is one walk down with the last K - 1 symbolic nodes: see [`path_walk`](crate::path_walk).
//! Ranks are those of [`KPaths`], and are asked for once for each different path only.

use gramercy_analysis::{KPaths, Viable};
use gramercy_base::{LimitReached, Span};
use gramercy_grammar::{GrammarGraph, NodeId};
use gramercy_parse::Derivations;

use crate::criteria::too_many_targets;
use crate::criterion::{Criterion, Reading, Uncoverable};
use crate::path_walk::PathSteps;
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
        pattern::of_path(self.language, &self.path(target))
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
        mut mark: impl FnMut(TargetId),
    ) {
        let (mut steps, mut told) = (PathSteps::new(self.paths.k()), 0);
        let mut new = Vec::new();
        steps.walk(language, derivations, |step| {
            if step >= told {
                told = step + 1;
                new.push(step);
            }
        });
        for path in new.into_iter().map(|step| steps.path(step)) {
            if path.len() == self.paths.k() {
                let rank = self.paths.rank(&path).expect("invariant: a tree's path is a path");
                mark(u64::try_from(rank).expect("invariant: targets fit in 64 bits"));
            }
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

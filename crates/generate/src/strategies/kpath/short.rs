//! Paths that are too short for k and lie in no longer one.
//!
//! A path lies in no path of k symbolic nodes exactly if it cannot be made so long at either end. Made
//! as long as possible it then leads from the root to a node below which nothing can come, with fewer
//! than k nodes, and only where nothing refers back to the start rule. Trees with all of these contain
//! all shorter paths that lie in no k-path. They are listed by a walk that holds one path at a time;
//! covered ones are a bit each, among the paths of their length.

use gramercy_analysis::KPaths;
use gramercy_base::LimitReached;
use gramercy_coverage::TargetSet;
use gramercy_grammar::{NodeId, NodeKind};
use gramercy_language::Language;

/// The short paths of a grammar and a k.
#[derive(Clone, Debug)]
pub(crate) struct ShortPaths {
    /// The coverable paths of 1, 2, … k - 1 nodes; empty if no short one lies in no k-path.
    lengths: Vec<KPaths>,
    covered: Vec<TargetSet>,
    /// Where the walk stands: for each node of the current path, the slots not yet visited.
    walk: Vec<Slots>,
    path: Vec<NodeId>,
    tops: Vec<NodeId>,
}

#[derive(Clone, Debug)]
struct Slots {
    nodes: Vec<NodeId>,
    next: usize,
}

impl ShortPaths {
    pub(crate) fn new(language: &Language, k: usize) -> Result<Self, LimitReached> {
        let (mut lengths, mut tops) = (Vec::new(), Vec::new());
        if k > 1 && !refers_to_start(language) {
            for shorter in 1..k {
                lengths.push(KPaths::coverable(language.graph(), language.viable(), shorter)?);
            }
            tops = self::tops(language);
        }
        let covered = vec![TargetSet::new(); lengths.len()];
        let mut paths = Self { lengths, covered, walk: Vec::new(), path: Vec::new(), tops };
        paths.restart();
        Ok(paths)
    }

    /// Lists from the beginning again.
    pub(crate) fn restart(&mut self) {
        self.walk.clear();
        self.walk.push(Slots { nodes: self.tops.clone(), next: 0 });
    }

    /// Marks a way from the root; whether it is a path of this kind and new.
    pub(crate) fn cover(&mut self, path: &[NodeId]) -> bool {
        let Some(paths) = self.lengths.get(path.len().wrapping_sub(1)) else { return false };
        if path.last().is_some_and(|&last| !paths.next(last).is_empty()) {
            return false;
        }
        let rank = paths.rank(path).and_then(|rank| u64::try_from(rank).ok());
        rank.is_some_and(|rank| self.covered[path.len() - 1].insert(rank))
    }

    /// Takes a mark back.
    pub(crate) fn uncover(&mut self, path: &[NodeId]) {
        if let Some(rank) = self.lengths[path.len() - 1].rank(path) {
            self.covered[path.len() - 1].remove(u64::try_from(rank).unwrap_or(u64::MAX));
        }
    }

    fn is_covered(&self, path: &[NodeId]) -> bool {
        let rank =
            self.lengths[path.len() - 1].rank(path).and_then(|rank| u64::try_from(rank).ok());
        // What has no rank is not coverable.
        rank.is_none_or(|rank| self.covered[path.len() - 1].contains(rank))
    }

    /// The next path that is not covered.
    pub(crate) fn next(&mut self) -> Option<Vec<NodeId>> {
        while let Some(slots) = self.walk.last_mut() {
            let Some(&node) = slots.nodes.get(slots.next) else {
                self.walk.pop();
                continue;
            };
            slots.next += 1;
            self.path.truncate(self.walk.len() - 1);
            self.path.push(node);
            let below = self.lengths[0].next(node).to_vec();
            if below.is_empty() {
                if !self.is_covered(&self.path) {
                    return Some(self.path.clone());
                }
            } else if self.path.len() < self.lengths.len() {
                self.walk.push(Slots { nodes: below, next: 0 });
            }
        }
        None
    }
}

/// Whether some tree has the start rule below its root.
fn refers_to_start(language: &Language) -> bool {
    let start = language.grammar().start();
    let refers = |&node: &NodeId| {
        matches!(language.graph().kind(node), NodeKind::Reference(rule) if rule == start)
            && language.viable().is_coverable(node)
    };
    language.graph().ids().any(|node| refers(&node))
}

/// The symbolic nodes of the start rule's right-hand side that trees have.
fn tops(language: &Language) -> Vec<NodeId> {
    let (graph, viable) = (language.graph(), language.viable());
    let (mut tops, mut stack) = (Vec::new(), vec![graph.root()]);
    while let Some(node) = stack.pop() {
        if graph.kind(node).is_symbolic() {
            tops.push(node);
        } else {
            let children = graph.children(node).iter().rev();
            stack.extend(children.filter(|&&child| viable.edge(node, child)));
        }
    }
    tops
}

//! What random trees used how often, so that the least used alternative can be preferred.
//!
//! Three things can be counted: symbols; pairs of a symbolic node and the next below it, within a
//! window of the last ones; and paths of k symbolic nodes. An alternative counts as often used as the
//! least used thing that it adds. Memory is one entry for every thing that occurred, and one for
//! every symbolic node of the current tree.

use std::collections::VecDeque;

use gramercy_base::{Id, Map};
use gramercy_grammar::{Bnf, NodeId, ProductionId, Symbol};

use gramercy_derive::path_ranks::Symbolic;

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeastUsed {
    /// Symbols.
    Symbol,
    /// Pairs of a symbolic node and the next below it, among the most recent ones.
    Pair {
        /// How many are remembered.
        window: usize,
    },
    /// Paths of k symbolic nodes.
    Path {
        /// How many nodes.
        k: usize,
    },
}

/// The symbolic node above a slot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Above(Option<u32>);

/// The counts so far.
#[derive(Clone, Debug)]
pub(crate) struct Uses {
    what: LeastUsed,
    counts: Map<Box<[usize]>, u64>,
    window: VecDeque<Box<[usize]>>,
    /// The symbolic nodes of the current tree, each with the one above.
    lineage: Vec<(NodeId, Above)>,
}

impl Uses {
    pub(crate) fn new(what: LeastUsed) -> Self {
        let (counts, window, lineage) = (Map::default(), VecDeque::new(), Vec::new());
        Self { what, counts, window, lineage }
    }

    /// A new tree begins.
    pub(crate) fn begin(&mut self) {
        self.lineage.clear();
    }

    /// A node below another one.
    pub(crate) fn below(&mut self, above: Above, node: NodeId) -> Above {
        self.lineage.push((node, above));
        Above(u32::try_from(self.lineage.len() - 1).ok())
    }

    /// Keeps the productions that add what was used least.
    pub(crate) fn keep_least_used(
        &self,
        (bnf, symbolic): (&Bnf, &Symbolic),
        above: Above,
        productions: &mut Vec<ProductionId>,
    ) {
        let count = |id: ProductionId| {
            let things = self.things((bnf, symbolic), above, id).into_iter();
            things.map(|thing| self.counts.get(&thing).copied().unwrap_or(0)).min().unwrap_or(0)
        };
        let counts: Vec<u64> = productions.iter().map(|&id| count(id)).collect();
        let least = counts.iter().min().copied();
        let mut counts = counts.into_iter();
        productions.retain(|_| counts.next() == least);
    }

    /// Counts what a production adds.
    pub(crate) fn count(
        &mut self,
        language: (&Bnf, &Symbolic),
        above: Above,
        production: ProductionId,
    ) {
        for thing in self.things(language, above, production) {
            if let LeastUsed::Pair { window } = self.what {
                self.window.push_back(thing.clone());
                self.forget_beyond(window);
            }
            *self.counts.entry(thing).or_insert(0) += 1;
        }
    }

    fn forget_beyond(&mut self, window: usize) {
        if self.window.len() > window
            && let Some(oldest) = self.window.pop_front()
            && let Some(count) = self.counts.get_mut(&oldest)
        {
            *count -= 1;
        }
    }

    /// What a production adds, each thing as a list of numbers. Productions that add nothing of the
    /// kind stand for themselves.
    fn things(
        &self,
        (bnf, symbolic): (&Bnf, &Symbolic),
        above: Above,
        production: ProductionId,
    ) -> Vec<Box<[usize]>> {
        let rhs = bnf.rhs(production);
        let silent = bnf.silent(production).iter().map(|&(_, leaf)| leaf);
        let nodes = symbolic.nodes(bnf, production).iter().flatten().copied().chain(silent);
        let mut things: Vec<Box<[usize]>> = match self.what {
            LeastUsed::Symbol => rhs.iter().map(|&symbol| of_symbol(symbol)).collect(),
            LeastUsed::Pair { .. } => nodes.map(|node| self.path(above, node, 2)).collect(),
            LeastUsed::Path { k } => nodes.map(|node| self.path(above, node, k)).collect(),
        };
        if things.is_empty() {
            things.push(Box::new([usize::MAX, production.index()]));
        }
        things
    }

    /// The last symbolic nodes down to one, up to a number; fewer near the root.
    fn path(&self, above: Above, node: NodeId, nodes: usize) -> Box<[usize]> {
        let up = |above: Above| above.0.map(|at| self.lineage[at as usize]);
        let higher = std::iter::successors(up(above), |&(_, above)| up(above));
        let higher = higher.map(|(node, _)| node.index());
        [node.index()].into_iter().chain(higher).take(nodes).collect()
    }
}

fn of_symbol(symbol: Symbol) -> Box<[usize]> {
    match symbol {
        Symbol::Terminal(id) => Box::new([0, id.index()]),
        Symbol::Nonterminal(id) => Box::new([1, id.index()]),
    }
}

//! Makes the tree of a route with everything beside it as cheap as possible, and takes the paths it
//! contains off the agenda on the way.
//!
//! Nodes are made left to right, each with the running sums of [`PathRanks`], so a path is marked as
//! soon as its last node exists. Where several productions are equally cheap, the first of the next few
//! that ends a missing path is taken: tests show more without growing. Below the same last nodes
//! as a subtree that showed nothing new, the resolution's own choice is made and then copied as a whole, so where sentences are long, the
//! tests of a suite cost little more than copying.

use gramercy_coverage::{TargetId, TargetSet};
use gramercy_grammar::{NodeId, NonterminalId, ProductionId, Symbol};
use gramercy_language::Language;

use gramercy_derive::agenda::Agenda;
use gramercy_derive::candidate::Candidate;
use gramercy_derive::cheapest::CheapestTrees;
use gramercy_derive::contexts::Step;
use gramercy_derive::path_ranks::{PathRanks, Symbolic};
use gramercy_derive::turns::Turns;

use super::Found;

/// How many equally cheap productions are looked at.
const TRIES: usize = 16;

/// What lives from tree to tree.
#[derive(Debug)]
pub(super) struct Grower {
    turns: Turns,
    /// Where completing a tree found nothing new: for each number of last nodes, at most k - 1, their sums.
    barren: Vec<TargetSet>,
    /// Where the cheapest tree that the resolution chooses was seen too, and can be copied.
    known: Vec<TargetSet>,
    stack: Vec<Task>,
    sums: Vec<u64>,
    lineage: Vec<NodeId>,
}

/// What is still to be done.
#[derive(Clone, Copy, Debug)]
enum Task {
    Derive(Open),
    /// Ends a subtree; `found` targets were known when it began below these last nodes.
    Done {
        found: usize,
        below: Below,
    },
}

/// The last nodes above a subtree, as far as paths in it can begin there.
#[derive(Clone, Copy, Debug)]
struct Below {
    nodes: usize,
    sum: TargetId,
}

/// A symbol still to be derived.
#[derive(Clone, Copy, Debug)]
struct Open {
    symbol: Symbol,
    node: Option<NodeId>,
    /// How many symbolic nodes are above it.
    depth: usize,
    /// Which step of the route it takes, if it lies on the route.
    step: Option<usize>,
    /// Whether ties go to the resolution's choice.
    is_plain: bool,
}

/// Where a tree is to go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way<'w> {
    pub(super) steps: &'w [Step],
    /// The production after the last step, if that is given.
    pub(super) last: Option<ProductionId>,
}

/// What trees are made from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ground<'g> {
    pub(super) language: &'g Language,
    pub(super) symbolic: &'g Symbolic,
    pub(super) ranks: &'g PathRanks,
    pub(super) cheapest: &'g CheapestTrees<'g>,
}

impl Grower {
    pub(super) fn new(language: &Language, cheapest: &CheapestTrees<'_>) -> Self {
        Self {
            turns: Turns::new(language, cheapest),
            barren: Vec::new(),
            known: Vec::new(),
            stack: Vec::new(),
            sums: Vec::new(),
            lineage: Vec::new(),
        }
    }

    /// What was marked was put back: completion off may show it again.
    pub(super) fn forget(&mut self) {
        self.barren.clear();
        self.known.clear();
    }

    /// Makes the tree of a way in an empty candidate.
    pub(super) fn grow(
        &mut self,
        ground: Ground<'_>,
        way: Way<'_>,
        found: &mut Found<'_>,
        candidate: &mut Candidate,
    ) {
        let start = Symbol::Nonterminal(ground.language.bnf().start());
        let root = Open { symbol: start, node: None, depth: 0, step: Some(0), is_plain: false };
        self.stack.push(Task::Derive(root));
        while let Some(task) = self.stack.pop() {
            match task {
                Task::Derive(open) => self.derive(ground, way, open, found, candidate),
                Task::Done { found: before, below } => {
                    if found.count() == before {
                        self.barren[below.nodes].insert(below.sum);
                    }
                }
            }
        }
    }

    fn derive(
        &mut self,
        ground: Ground<'_>,
        way: Way<'_>,
        open: Open,
        found: &mut Found<'_>,
        candidate: &mut Candidate,
    ) {
        match open.symbol {
            Symbol::Terminal(terminal) => {
                candidate.tokens.push(terminal);
                if let Some(leaf) = open.node {
                    self.leaf(ground.ranks, leaf, open.depth, found);
                }
            }
            Symbol::Nonterminal(id) => self.expand(ground, way, id, open, found, candidate),
        }
    }

    fn expand(
        &mut self,
        ground: Ground<'_>,
        way: Way<'_>,
        nonterminal: NonterminalId,
        open: Open,
        found: &mut Found<'_>,
        candidate: &mut Candidate,
    ) {
        let Open { symbol, node, mut depth, step, mut is_plain } = open;
        if let Some(node) = node {
            self.descend(ground.ranks, node, depth, found);
            depth += 1;
        }
        let directed = step.and_then(|at| way.steps.get(at).map(|step| step.production));
        let directed = directed.or(step.and(way.last).filter(|_| step == Some(way.steps.len())));
        let below = node.filter(|_| directed.is_none());
        if let Some(below) = below.and_then(|node| self.last_nodes(ground.ranks, node, depth)) {
            if self.known[below.nodes].contains(below.sum) {
                ground.cheapest.close(symbol, candidate);
                return;
            }
            if self.barren[below.nodes].contains(below.sum) || is_plain {
                is_plain = true;
                self.known[below.nodes].insert(below.sum);
            } else {
                self.stack.push(Task::Done { found: found.count(), below });
            }
        }
        let production = match directed {
            Some(production) => production,
            None if !is_plain && self.turns.is_varied(nonterminal) => {
                self.choose(ground, nonterminal, depth, found.agenda)
            }
            None => {
                let production = ground.cheapest.production(nonterminal);
                production.expect("invariant: the symbol is productive")
            }
        };
        candidate.productions.push(production);
        let at = step.filter(|_| directed.is_some());
        let below = Open { depth, step: at, is_plain, ..open };
        self.open_all(ground, way, production, below, found);
    }

    /// Opens the symbols of a production that expands something, the first on top.
    fn open_all(
        &mut self,
        ground: Ground<'_>,
        way: Way<'_>,
        production: ProductionId,
        Open { depth, step, is_plain, .. }: Open,
        found: &mut Found<'_>,
    ) {
        let bnf = ground.language.bnf();
        for &(_, leaf) in bnf.silent(production) {
            self.leaf(ground.ranks, leaf, depth, found);
        }
        let taken = step.and_then(|at| way.steps.get(at).map(|step| (step.position, at + 1)));
        let symbols = bnf.rhs(production).iter().zip(ground.symbolic.nodes(bnf, production));
        for (position, (&symbol, &node)) in symbols.enumerate().rev() {
            let step = taken.filter(|&(taken, _)| taken == position).map(|(_, next)| next);
            self.stack.push(Task::Derive(Open { symbol, node, depth, step, is_plain }));
        }
    }

    /// The last nodes down to one at a depth: k - 1 of them, or all if there are fewer. `None` if no
    /// path goes through all of these, since then their sums tell nothing.
    fn last_nodes(&mut self, ranks: &PathRanks, node: NodeId, depth: usize) -> Option<Below> {
        let k = ranks.k();
        let nodes = depth.min((k - 1).max(1));
        if ranks.completions(k + 1 - nodes, node) == 0 {
            return None;
        }
        if self.known.len() <= nodes {
            self.known.resize_with(nodes + 1, TargetSet::new);
            self.barren.resize_with(nodes + 1, TargetSet::new);
        }
        Some(Below { nodes, sum: self.sums[(depth - 1) * k + nodes - 1] })
    }

    /// One of the cheapest productions: the next one that shows a missing path, or else the next one.
    fn choose(
        &mut self,
        ground: Ground<'_>,
        nonterminal: NonterminalId,
        depth: usize,
        agenda: &Agenda,
    ) -> ProductionId {
        let tries = self.turns.count(nonterminal).min(TRIES);
        for at in 0..tries {
            let production = self.turns.peek(nonterminal, at);
            if self.shows_missing(ground, production, depth, agenda) {
                self.turns.skip(nonterminal, at + 1);
                return production;
            }
        }
        let production = self.turns.peek(nonterminal, 0);
        self.turns.skip(nonterminal, tries);
        production
    }

    fn shows_missing(
        &self,
        ground: Ground<'_>,
        production: ProductionId,
        depth: usize,
        agenda: &Agenda,
    ) -> bool {
        let (bnf, ranks) = (ground.language.bnf(), ground.ranks);
        let k = ranks.k();
        if depth + 1 < k {
            return false;
        }
        let above = depth.checked_sub(1).map_or(&[][..], |at| &self.sums[at * k..(at + 1) * k]);
        let silent = bnf.silent(production).iter().map(|&(_, leaf)| leaf);
        let nodes = ground.symbolic.nodes(bnf, production).iter().flatten().copied();
        nodes.chain(silent).any(|node| agenda.contains(ranks.last(above, node)))
    }

    /// Marks the path that ends at a leaf.
    fn leaf(&mut self, ranks: &PathRanks, leaf: NodeId, depth: usize, found: &mut Found<'_>) {
        let k = ranks.k();
        if depth + 1 < k {
            self.lineage.truncate(depth);
            self.lineage.push(leaf);
            found.short(&self.lineage);
        } else {
            let above = depth.checked_sub(1).map_or(&[][..], |at| &self.sums[at * k..(at + 1) * k]);
            found.path(ranks.last(above, leaf));
        }
    }

    /// Computes the sums of an inner node and marks the path that ends there.
    fn descend(&mut self, ranks: &PathRanks, node: NodeId, depth: usize, found: &mut Found<'_>) {
        let k = ranks.k();
        if self.sums.len() < (depth + 1) * k {
            self.sums.resize((depth + 1) * k, 0);
        }
        let (above, here) = self.sums.split_at_mut(depth * k);
        let above = depth.checked_sub(1).map_or(&[][..], |at| &above[at * k..]);
        ranks.step(above, node, &mut here[..k]);
        if depth + 1 < k {
            self.lineage.truncate(depth);
            self.lineage.push(node);
            found.short(&self.lineage);
        } else {
            found.path(here[k - 1]);
        }
    }
}

//! `step:K`: every chain of K nested productions occurs, each expanding one position of the one before it; everything
//! beside the chain is free (Raselimo, Taljaard, Fischer, SLE 2019). `rule` is `step:1`, `cdrc` is `step:2`.
//!
//! Chains are ranked by the number of chains from a production: with c₁(p) = 1 and cⱼ(p) the sum of
//! cⱼ₋₁ over all productions of all nonterminals of p, sums of what comes before each position and
//! each production rank a chain and back, so nothing is enumerated. Tables are K × grammar.
//! Measuring goes down from the root with the last K - 1 steps: linear in a tree, and in a forest in
//! the pairs of a node and the steps that lead to it.

use std::ops::Range;

use gramercy_base::{Id, LimitReached, Limits, Set, Span, Table};
use gramercy_grammar::{Cfg, NonterminalId, ProductionId, Symbol};
use gramercy_parse::{Derivations, DerivedChild, DerivedId};

use crate::criteria::{check_levels, too_many_targets, useless_production};
use crate::criterion::{Criterion, Reading, Uncoverable};
use crate::pattern;
use crate::targets::{TargetId, TargetSet};
use gramercy_language::Language;

/// One step of a chain: a position of a production.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// The production.
    pub production: ProductionId,
    /// Which of its symbols is expanded next.
    pub position: usize,
}

/// A chain of nested productions: the steps, and the last production.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// The steps before the last production.
    pub steps: Vec<Step>,
    /// The last production.
    pub last: ProductionId,
}

/// The chains of K productions as targets.
#[derive(Debug)]
pub struct Steps<'v> {
    language: &'v Language,
    /// For j from 1 to K.
    levels: Vec<Level>,
    /// The rank of the first chain of each production, and after them the number of all chains.
    starts: Vec<u64>,
    coverable: u64,
}

/// Everything about chains of j productions.
#[derive(Debug)]
struct Level {
    /// The chains that begin with productions before this one, of the same left-hand side.
    before: Table<ProductionId, u64>,
    /// The chains that begin with each production.
    from: Table<ProductionId, u64>,
    /// The chains that begin with each nonterminal.
    of: Table<NonterminalId, u64>,
    /// For every position of every production, the chains of one production less through the
    /// positions before it.
    through: Vec<u64>,
}

impl<'v> Steps<'v> {
    /// The targets.
    ///
    /// # Errors
    /// If they are more than the limit on targets.
    pub fn new(language: &'v Language, k: u32) -> Result<Self, LimitReached> {
        let limits = language.limits();
        let all = levels(language.bnf(), k, |_| true, limits)?;
        let useful = levels(language.bnf(), k, |p| language.useful().has_production(p), limits)?;
        let coverable = last(&useful).from.values().sum();
        let mut starts = vec![0];
        for &chains in last(&all).from.values() {
            starts.push(starts[starts.len() - 1] + chains);
        }
        Ok(Self { language, levels: all, starts, coverable })
    }

    /// The chain of a rank.
    #[must_use]
    pub fn chain(&self, target: TargetId) -> Chain {
        let mut steps = Vec::with_capacity(self.k() - 1);
        let (last, _) = self.unrank(target, &mut steps);
        Chain { steps, last }
    }

    /// The chains that share all their steps with that of a rank; puts the steps into `steps`.
    pub fn siblings(&self, target: TargetId, steps: &mut Vec<Step>) -> Range<TargetId> {
        steps.clear();
        let (_, siblings) = self.unrank(target, steps);
        siblings
    }

    /// Appends the steps of a chain: its last production, and the ranks of those that differ from it in
    /// that alone.
    fn unrank(&self, target: TargetId, steps: &mut Vec<Step>) -> (ProductionId, Range<TargetId>) {
        let bnf = self.language.bnf();
        let first = self.starts.partition_point(|&start| start <= target) - 1;
        let mut production = ProductionId::from_index(first);
        let mut rest = target - self.starts[first];
        let mut siblings = target..target + 1;
        for (level, below) in self.levels.iter().skip(1).rev().zip(self.levels.iter().rev().skip(1))
        {
            let positions = bnf.positions(production);
            let sums = &level.through[positions.clone()];
            let position = sums.partition_point(|&sum| sum <= rest) - 1;
            rest -= sums[position];
            steps.push(Step { production, position });
            let Symbol::Nonterminal(next) = bnf.rhs(production)[position] else {
                unreachable!("invariant: only nonterminals have chains");
            };
            let productions = bnf.productions_of(next);
            siblings = target - rest..target - rest + productions.len() as u64;
            let at = productions.partition_point(|&p| below.before[p] <= rest) - 1;
            production = productions[at];
            rest -= below.before[production];
        }
        (production, siblings)
    }

    /// The ranks of all chains that begin with a production.
    #[must_use]
    pub fn beginning_with(&self, production: ProductionId) -> Range<TargetId> {
        self.starts[production.index()]..self.starts[production.index() + 1]
    }

    /// The rank of a chain of K productions.
    #[must_use]
    pub fn rank(&self, steps: &[Step], last: ProductionId) -> TargetId {
        let first = steps.first().map_or(last, |step| step.production);
        let mut rank = self.starts[first.index()];
        for (at, step) in steps.iter().enumerate() {
            let level = self.levels.len() - 1 - at;
            let next = steps.get(at + 1).map_or(last, |step| step.production);
            let start = self.language.bnf().positions(step.production).start;
            rank += self.levels[level].through[start + step.position];
            rank += self.levels[level - 1].before[next];
        }
        rank
    }

    fn k(&self) -> usize {
        self.levels.len()
    }
}

fn last(levels: &[Level]) -> &Level {
    levels.last().expect("invariant: K is at least 1")
}

fn levels(
    cfg: &Cfg,
    k: u32,
    counts: impl Fn(ProductionId) -> bool,
    limits: &Limits,
) -> Result<Vec<Level>, LimitReached> {
    check_levels(cfg, k, limits)?;
    let mut levels: Vec<Level> = Vec::new();
    for _ in 0..k {
        let mut through = Vec::with_capacity(cfg.size());
        let mut from = Table::with_capacity(cfg.production_count());
        for production in cfg.productions() {
            let mut sum: u64 = 0;
            for symbol in cfg.rhs(production) {
                through.push(sum);
                if let (Symbol::Nonterminal(id), Some(below)) = (symbol, levels.last()) {
                    sum = add(sum, below.of[*id], limits)?;
                }
            }
            let here = if levels.is_empty() { 1 } else { sum };
            from.push(if counts(production) { here } else { 0 });
        }
        let mut before = Table::filled(0, cfg.production_count());
        let mut of = Table::filled(0, cfg.nonterminal_count());
        for nonterminal in cfg.nonterminals() {
            for &production in cfg.productions_of(nonterminal) {
                before[production] = of[nonterminal];
                of[nonterminal] = add(of[nonterminal], from[production], limits)?;
            }
        }
        levels.push(Level { before, from, of, through });
    }
    last(&levels).from.values().try_fold(0, |sum, &more| add(sum, more, limits))?;
    Ok(levels)
}

fn add(sum: u64, more: u64, limits: &Limits) -> Result<u64, LimitReached> {
    sum.checked_add(more)
        .filter(|&sum| sum <= limits.targets as u64)
        .ok_or_else(|| too_many_targets(limits))
}

impl Criterion for Steps<'_> {
    fn targets(&self) -> u64 {
        self.starts[self.starts.len() - 1]
    }

    fn coverable(&self) -> u64 {
        self.coverable
    }

    fn uncoverable(&self, target: TargetId) -> Option<Uncoverable> {
        let Chain { steps, last } = self.chain(target);
        let productions = steps.iter().map(|step| step.production).chain([last]);
        productions.filter_map(|production| useless_production(self.language, production)).next()
    }

    fn cover(&self, reading: &Reading<'_>, covered: &mut TargetSet) {
        let derivations = reading.derivations;
        let walk = Walk { steps: self, derivations };
        if derivations.is_unambiguous() {
            walk.tree(covered);
        } else {
            walk.forest(covered);
        }
    }

    fn describe(&self, target: TargetId) -> String {
        pattern::chain(self.language, &self.chain(target))
    }

    fn place(&self, target: TargetId) -> Option<Span> {
        pattern::production_place(self.language, self.chain(target).last)
    }
}

struct Walk<'w> {
    steps: &'w Steps<'w>,
    derivations: &'w Derivations,
}

impl Walk<'_> {
    /// Every node once, with the steps from the root to it.
    fn tree(&self, covered: &mut TargetSet) {
        let mut path: Vec<Step> = Vec::new();
        let mut stack: Vec<(DerivedId, usize, Option<Step>)> =
            vec![(self.derivations.root(), 0, None)];
        while let Some((node, depth, step)) = stack.pop() {
            path.truncate(depth);
            path.extend(step);
            self.node(node, &path, covered);
            let depth = path.len();
            self.children(node, |child, step| stack.push((child, depth, step)));
        }
    }

    /// Every node once for every list of last steps that leads to it.
    fn forest(&self, covered: &mut TargetSet) {
        let mut seen: Set<(DerivedId, Box<[Step]>)> = Set::default();
        let mut stack = vec![(self.derivations.root(), Vec::new())];
        while let Some((node, path)) = stack.pop() {
            if !seen.insert((node, path.clone().into())) {
                continue;
            }
            self.node(node, &path, covered);
            self.children(node, |child, step| {
                let mut longer: Vec<Step> = path.iter().copied().chain(step).collect();
                let kept = self.steps.k() - 1;
                longer.drain(..longer.len().saturating_sub(kept));
                stack.push((child, longer));
            });
        }
    }

    /// The chains that end at a node.
    fn node(&self, node: DerivedId, path: &[Step], covered: &mut TargetSet) {
        let kept = self.steps.k() - 1;
        let Some(from) = path.len().checked_sub(kept) else { return };
        let path = &path[from..];
        for way in self.derivations.ways(node) {
            covered.insert(self.steps.rank(path, way.production));
        }
    }

    fn children(&self, node: DerivedId, mut visit: impl FnMut(DerivedId, Option<Step>)) {
        for way in self.derivations.ways(node) {
            if let Some(prefix) = way.prefix {
                visit(prefix, None);
            }
            for (part, position) in way.parts.iter().zip(way.position..) {
                if let DerivedChild::Node(child) = part {
                    visit(*child, Some(Step { production: way.production, position }));
                }
            }
        }
    }
}

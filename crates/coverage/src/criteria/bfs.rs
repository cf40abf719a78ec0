//! `bfs:K`: everything that K rounds can give occurs, each of which replaces all nonterminals by all
//! combinations of their productions (Raselimo, Taljaard, Fischer, SLE 2019). `cdrc-full` is `bfs:2`.
//!
//! A target is a nonterminal with the productions of its first K levels. With S₀ = 1 and Sⱼ(A) the
//! sum over the productions of A of the product of Sⱼ₋₁ over their nonterminals, a target is a
//! number in a mixed radix, so it is ranked and unranked without enumeration. Measuring is linear
//! in a tree; in a forest a node has as many shapes as its alternatives give.

use gramercy_base::{Id, LimitReached, Limits, Span, Table};
use gramercy_grammar::{Cfg, NonterminalId, ProductionId, Symbol};
use gramercy_parse::{Derivations, Derived, DerivedChild, DerivedId};

use crate::criteria::{bottom_up, check_levels, too_many_targets, useless_production};
use crate::criterion::{Criterion, Fragment, FragmentItem, Reading, Uncoverable};
use crate::pattern;
use crate::targets::{TargetId, TargetSet};
use gramercy_language::Language;

/// The shapes of K levels as targets.
#[derive(Debug)]
pub struct Bfs<'v> {
    language: &'v Language,
    /// For j from 1 to K.
    levels: Vec<Level>,
    /// The rank of the first shape of each nonterminal, and after them the number of all shapes.
    starts: Vec<u64>,
    coverable: u64,
}

#[derive(Debug)]
struct Level {
    /// The shapes of the productions before this one, of the same left-hand side.
    before: Table<ProductionId, u64>,
    /// The shapes of each nonterminal.
    all: Table<NonterminalId, u64>,
}

/// Shapes are nested that deep at most, so that they can be walked by recursion.
const MAX_LEVELS: u32 = 500;

/// Most fragments have fewer items.
const ROOM: usize = 32;

/// The first levels of a derivation: a production, and the shapes of its nonterminals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartialTree {
    /// The production.
    pub production: ProductionId,
    /// The shapes of its nonterminals, in order; none at the last level.
    pub below: Vec<PartialTree>,
}

impl<'v> Bfs<'v> {
    /// The targets.
    ///
    /// # Errors
    /// If they are more than the limit on targets.
    pub fn new(language: &'v Language, k: u32) -> Result<Self, LimitReached> {
        let limits = language.limits();
        let levels = shapes(language.bnf(), k, |_| true, limits)?;
        let useful = shapes(language.bnf(), k, |p| language.useful().has_production(p), limits)?;
        let coverable = useful.last().expect("invariant: K is at least 1").all.values().sum();
        let mut starts = vec![0];
        for &shapes in levels.last().expect("invariant: K is at least 1").all.values() {
            let sum = sum(starts[starts.len() - 1], shapes, limits)?;
            starts.push(sum);
        }
        Ok(Self { language, levels, starts, coverable })
    }

    /// The shape of a rank.
    #[must_use]
    pub fn shape(&self, target: TargetId) -> PartialTree {
        let (lhs, rank) = self.root(target);
        self.unrank(lhs, self.levels.len(), rank)
    }

    /// The nonterminal of a target, and its rank among the shapes of that.
    fn root(&self, target: TargetId) -> (NonterminalId, u64) {
        let lhs = self.starts.partition_point(|&start| start <= target) - 1;
        (NonterminalId::from_index(lhs), target - self.starts[lhs])
    }

    /// The production of a shape, and the rank of the shape among those of the production.
    fn production(&self, lhs: NonterminalId, level: usize, rank: u64) -> (ProductionId, u64) {
        let here = &self.levels[level - 1];
        let productions = self.language.bnf().productions_of(lhs);
        let production = productions[productions.partition_point(|&p| here.before[p] <= rank) - 1];
        (production, rank - here.before[production])
    }

    /// Appends the ranks of the shapes below a production, of the last nonterminal first.
    fn ranks_below(
        &self,
        production: ProductionId,
        level: usize,
        mut rank: u64,
        ranks: &mut Vec<u64>,
    ) {
        let Some(below) = level.checked_sub(2) else { return };
        for symbol in self.language.bnf().rhs(production).iter().rev() {
            if let Symbol::Nonterminal(id) = symbol {
                let shapes = self.levels[below].all[*id];
                ranks.push(rank % shapes);
                rank /= shapes;
            }
        }
    }

    /// Recurses K deep.
    fn unrank(&self, lhs: NonterminalId, level: usize, rank: u64) -> PartialTree {
        let (production, rank) = self.production(lhs, level, rank);
        let mut ranks = Vec::new();
        self.ranks_below(production, level, rank, &mut ranks);
        let below = nonterminals(self.language.bnf(), production).zip(ranks.iter().rev());
        let below = below.map(|(id, &rank)| self.unrank(id, level - 1, rank)).collect();
        PartialTree { production, below }
    }

    /// Lists the productions of a shape, with anything below the last level. `ranks` is scratch memory. Recurses K
    /// deep.
    fn put(
        &self,
        (lhs, rank): (NonterminalId, u64),
        level: usize,
        ranks: &mut Vec<u64>,
        items: &mut Vec<FragmentItem>,
    ) {
        let (production, rank) = self.production(lhs, level, rank);
        items.push(FragmentItem::Production(production));
        self.ranks_below(production, level, rank, ranks);
        for &symbol in self.language.bnf().rhs(production) {
            match symbol {
                Symbol::Nonterminal(id) if level > 1 => {
                    let rank = ranks.pop().expect("invariant: every nonterminal has a rank");
                    self.put((id, rank), level - 1, ranks, items);
                }
                _ => items.push(FragmentItem::Any(symbol)),
            }
        }
    }

    /// The shapes of a node from 1 level to all, from those of its parts.
    fn of_node(
        &self,
        derivations: &Derivations,
        shapes: &Table<DerivedId, Shapes>,
        node: DerivedId,
    ) -> Shapes {
        let whole = matches!(derivations.label(node), Derived::Nonterminal(_));
        let mut found = vec![Vec::new(); self.levels.len()];
        for way in derivations.ways(node) {
            for level in 0..self.levels.len() {
                // The numbers that the parts so far make up.
                let mut numbers: Vec<u64> = match way.prefix {
                    Some(prefix) => shapes[prefix][level].clone(),
                    None => vec![0],
                };
                for part in way.parts {
                    if let (DerivedChild::Node(child), Some(below)) = (part, level.checked_sub(1)) {
                        let Derived::Nonterminal(id) = derivations.label(*child) else {
                            unreachable!("invariant: a part is no prefix");
                        };
                        let radix = self.levels[below].all[id];
                        let digits = &shapes[*child][below];
                        let longer = numbers.iter().flat_map(|number| {
                            digits.iter().map(move |digit| number * radix + digit)
                        });
                        numbers = longer.collect();
                    }
                }
                let before = if whole { self.levels[level].before[way.production] } else { 0 };
                found[level].extend(numbers.into_iter().map(|number| before + number));
            }
        }
        for numbers in &mut found {
            numbers.sort_unstable();
            numbers.dedup();
        }
        found
    }
}

/// For each level, the shapes of a node as numbers, sorted.
type Shapes = Vec<Vec<u64>>;

fn nonterminals(cfg: &Cfg, production: ProductionId) -> impl Iterator<Item = NonterminalId> + '_ {
    cfg.rhs(production).iter().filter_map(|symbol| match symbol {
        Symbol::Nonterminal(id) => Some(*id),
        Symbol::Terminal(_) => None,
    })
}

fn shapes(
    cfg: &Cfg,
    k: u32,
    counts: impl Fn(ProductionId) -> bool,
    limits: &Limits,
) -> Result<Vec<Level>, LimitReached> {
    check_levels(cfg, k, limits)?;
    if k > MAX_LEVELS {
        let limit = MAX_LEVELS as usize;
        return Err(LimitReached { what: "levels of a shape", limit, option: None });
    }
    let mut levels: Vec<Level> = Vec::new();
    for _ in 0..k {
        let mut of = Table::with_capacity(cfg.production_count());
        for production in cfg.productions() {
            let below = |id| levels.last().map_or(1, |level| level.all[id]);
            let product = nonterminals(cfg, production).try_fold(1u64, |product, id| {
                product.checked_mul(below(id)).ok_or_else(|| too_many_targets(limits))
            })?;
            of.push(if counts(production) { product } else { 0 });
        }
        let mut before = Table::filled(0, cfg.production_count());
        let mut all = Table::filled(0, cfg.nonterminal_count());
        for nonterminal in cfg.nonterminals() {
            for &production in cfg.productions_of(nonterminal) {
                before[production] = all[nonterminal];
                all[nonterminal] = sum(all[nonterminal], of[production], limits)?;
            }
        }
        levels.push(Level { before, all });
    }
    Ok(levels)
}

fn sum(a: u64, b: u64, limits: &Limits) -> Result<u64, LimitReached> {
    let sum = a.checked_add(b).filter(|&sum| sum <= limits.targets as u64);
    sum.ok_or_else(|| too_many_targets(limits))
}

impl Criterion for Bfs<'_> {
    fn targets(&self) -> u64 {
        self.starts[self.starts.len() - 1]
    }

    fn coverable(&self) -> u64 {
        self.coverable
    }

    fn uncoverable(&self, target: TargetId) -> Option<Uncoverable> {
        let mut shapes = vec![self.shape(target)];
        while let Some(PartialTree { production, below }) = shapes.pop() {
            if let Some(reason) = useless_production(self.language, production) {
                return Some(reason);
            }
            shapes.extend(below);
        }
        None
    }

    fn cover(&self, reading: &Reading<'_>, covered: &mut TargetSet) {
        let derivations = reading.derivations;
        let start = || vec![Vec::new(); self.levels.len()];
        let shapes = bottom_up::solve(derivations, start, |shapes, node| {
            let new = self.of_node(derivations, shapes, node);
            let grew = new.iter().zip(&shapes[node]).any(|(new, old)| new.len() > old.len());
            shapes[node] = new;
            grew
        });
        for node in derivations.ids() {
            if let Derived::Nonterminal(id) = derivations.label(node) {
                let numbers = &shapes[node][self.levels.len() - 1];
                covered.extend(numbers.iter().map(|number| self.starts[id.index()] + number));
            }
        }
    }

    fn fragment(&self, target: TargetId) -> Option<Fragment> {
        let (root, rank) = self.root(target);
        let (mut ranks, mut items) = (Vec::with_capacity(ROOM), Vec::with_capacity(ROOM));
        self.put((root, rank), self.levels.len(), &mut ranks, &mut items);
        Some(Fragment { root, items })
    }

    fn describe(&self, target: TargetId) -> String {
        pattern::shape(self.language, &self.shape(target))
    }

    fn place(&self, target: TargetId) -> Option<Span> {
        pattern::production_place(self.language, self.shape(target).production)
    }
}

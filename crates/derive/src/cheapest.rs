//! The cheapest tree below every nonterminal.
//!
//! Costs come from [`ShortestYield`] and [`Heights`]; among the productions that reach the least cost
//! the resolution chooses. Every one of them costs more than each of its parts, so following the
//! choices ends, in cyclic grammars too. Trees of usual size are kept, children before parents, and
//! appended by copying; larger ones are made anew with a stack of their own. Near-linear in the
//! grammar and in what is kept.

use gramercy_analysis::{Heights, Productive, ShortestYield};
use gramercy_base::Table;
use gramercy_grammar::{Cfg, NonterminalId, ProductionId, Symbol};
use gramercy_language::Language;

use crate::candidate::{Candidate, StoredTree, StoredTrees};
use crate::resolution::{Embedding, Resolution};

/// For each nonterminal the cheapest tree.
#[derive(Clone, Debug)]
pub struct CheapestTrees<'c> {
    cfg: &'c Cfg,
    resolution: Resolution,
    costs: Costs,
    choices: Table<NonterminalId, Option<ProductionId>>,
    kept: Table<NonterminalId, Option<StoredTree>>,
    stored: StoredTrees,
}

/// What trees cost. Of the number of tokens is known in any case, since tests are bounded by it.
#[derive(Clone, Debug)]
struct Costs {
    lengths: ShortestYield,
    heights: Option<Heights>,
}

impl<'c> CheapestTrees<'c> {
    /// The cheapest trees of a grammar, of what derives anything.
    #[must_use]
    pub fn new(language: &'c Language, resolution: Resolution) -> Self {
        Self::among(language.bnf(), language.productive(), resolution)
    }

    /// The cheapest trees of a grammar, of what is said to derive anything.
    pub fn among(cfg: &'c Cfg, productive: &Productive, resolution: Resolution) -> Self {
        let productive = |production| productive.has_production(production);
        let lengths = ShortestYield::among(cfg, resolution.length, &productive);
        let is_low = resolution.embedding == Embedding::Shallowest;
        let heights = is_low.then(|| Heights::among(cfg, &productive));
        let costs = Costs { lengths, heights };
        let choose = |id| costs.choose(cfg, id, resolution, &productive);
        let choices = cfg.nonterminals().map(choose).collect();
        let kept = Table::filled(None, cfg.nonterminal_count());
        let stored = StoredTrees::default();
        let mut cheapest = Self { cfg, resolution, costs, choices, kept, stored };
        cheapest.keep_all();
        cheapest
    }

    /// The grammar.
    #[must_use]
    pub fn cfg(&self) -> &'c Cfg {
        self.cfg
    }

    /// What is cheap here.
    #[must_use]
    pub fn resolution(&self) -> Resolution {
        self.resolution
    }

    /// The production at the root of the cheapest tree; `None` if there is no tree.
    #[must_use]
    pub fn production(&self, nonterminal: NonterminalId) -> Option<ProductionId> {
        self.choices[nonterminal]
    }

    /// Whether a production is as cheap as any of its nonterminal, if everything in it has text.
    pub fn is_cheapest(&self, production: ProductionId) -> bool {
        let cost = self.costs.of_production(self.cfg, production);
        cost.is_some() && cost == self.costs.of(self.cfg.lhs(production))
    }

    /// The length of the shortest sentence below these symbols, in what the resolution measures;
    /// `None` if there is none.
    #[must_use]
    pub fn length(&self, symbols: &[Symbol]) -> Option<u64> {
        self.costs.lengths.of_symbols(symbols)
    }

    /// Appends the cheapest trees of these symbols.
    ///
    /// # Panics
    /// If one of them derives nothing.
    pub fn close_all(&self, symbols: &[Symbol], candidate: &mut Candidate) {
        symbols.iter().for_each(|&symbol| self.close(symbol, candidate));
    }

    /// Appends the cheapest tree of a symbol.
    ///
    /// # Panics
    /// If it derives nothing.
    #[inline]
    pub fn close(&self, symbol: Symbol, candidate: &mut Candidate) {
        match symbol {
            Symbol::Terminal(terminal) => candidate.tokens.push(terminal),
            Symbol::Nonterminal(nonterminal) => match &self.kept[nonterminal] {
                Some(tree) => self.stored.copy(tree, candidate),
                None => self.expand(nonterminal, candidate),
            },
        }
    }

    fn expand(&self, nonterminal: NonterminalId, candidate: &mut Candidate) {
        let mut stack = vec![Symbol::Nonterminal(nonterminal)];
        while let Some(symbol) = stack.pop() {
            match symbol {
                Symbol::Terminal(terminal) => candidate.tokens.push(terminal),
                Symbol::Nonterminal(nonterminal) => match &self.kept[nonterminal] {
                    Some(tree) => self.stored.copy(tree, candidate),
                    None => {
                        let production = self.choices[nonterminal];
                        let production = production.expect("invariant: the symbol is productive");
                        candidate.productions.push(production);
                        stack.extend(self.cfg.rhs(production).iter().rev());
                    }
                },
            }
        }
    }

    /// Keeps trees of all nonterminals, each after those it is made of.
    fn keep_all(&mut self) {
        let mut candidate = Candidate::default();
        let mut order: Vec<NonterminalId> =
            self.cfg.nonterminals().filter(|&id| self.choices[id].is_some()).collect();
        order.sort_by_key(|&id| self.costs.of(id));
        // Of a tree whose parts are too large to be kept, nothing need be tried.
        for nonterminal in order {
            let production = self.choices[nonterminal].expect("invariant: only such are listed");
            let is_kept = |symbol: &Symbol| match symbol {
                Symbol::Terminal(_) => true,
                Symbol::Nonterminal(id) => self.kept[*id].is_some(),
            };
            if self.cfg.rhs(production).iter().all(is_kept) {
                candidate.clear();
                candidate.productions.push(production);
                self.close_all(self.cfg.rhs(production), &mut candidate);
                self.kept[nonterminal] = self.stored.store(&candidate);
            }
        }
    }
}

/// A cost that is lower for every part of a cheapest tree than for the tree.
type Cost = (u64, u64);

impl Costs {
    fn of(&self, nonterminal: NonterminalId) -> Option<Cost> {
        match &self.heights {
            Some(heights) => heights.height(nonterminal).map(|height| (height.into(), 0)),
            None => self.lengths.cost(nonterminal),
        }
    }

    fn of_production(&self, cfg: &Cfg, production: ProductionId) -> Option<Cost> {
        match &self.heights {
            Some(heights) => {
                heights.of_production(cfg, production).map(|height| (height.into(), 0))
            }
            None => self.lengths.cost_of_production(cfg, production),
        }
    }

    fn choose(
        &self,
        cfg: &Cfg,
        nonterminal: NonterminalId,
        resolution: Resolution,
        productive: &dyn Fn(ProductionId) -> bool,
    ) -> Option<ProductionId> {
        let best = self.of(nonterminal)?;
        let productions = cfg.productions_of(nonterminal).iter().copied();
        let is_cheapest = |id| productive(id) && self.of_production(cfg, id) == Some(best);
        let cheapest = productions.filter(|&id| is_cheapest(id));
        cheapest.min_by_key(|&production| resolution.ties.place(production, 0))
    }
}

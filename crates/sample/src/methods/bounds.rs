//! How shallow trees can be: what a depth is compared with, and how trees that are large enough are closed off.
//! Fixpoints, near-linear in the grammar.

use gramercy_analysis::fixpoint::{self, Measure};
use gramercy_analysis::{ShortestYield, shortest_yield};
use gramercy_base::Table;
use gramercy_grammar::{NonterminalId, Origin, ProductionId, Symbol};
use gramercy_language::Language;

/// For each nonterminal the least depth in nested rules. Auxiliary nonterminals add nothing to it,
/// so that a depth means the same however a rule is written.
#[derive(Clone, Debug)]
pub(crate) struct Depths<'v> {
    language: &'v Language,
    best: Table<NonterminalId, Option<(Depth, ProductionId)>>,
}

/// A depth, and what a production itself adds to those below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Depth {
    all: u64,
    own: u64,
}

impl Depth {
    fn above(self, part: Depth) -> Self {
        Self { all: self.all.max(self.own + part.all), own: self.own }
    }
}

impl<'v> Depths<'v> {
    pub(crate) fn new(language: &'v Language) -> Self {
        Self { language, best: fixpoint::solve(language.bnf().cfg(), &NestedRules { language }) }
    }

    /// The least depth of a nonterminal; `None` if it derives nothing.
    pub(crate) fn of(&self, nonterminal: NonterminalId) -> Option<u64> {
        self.best[nonterminal].map(|(depth, _)| depth.all)
    }

    /// The least depth of a production.
    pub(crate) fn of_production(&self, production: ProductionId) -> Option<u64> {
        let base = NestedRules { language: self.language }.base(production)?;
        let mut rhs = self.language.bnf().rhs(production).iter();
        let depth = rhs.try_fold(base, |depth, symbol| match symbol {
            Symbol::Terminal(_) => Some(depth),
            Symbol::Nonterminal(id) => Some(depth.above(self.best[*id]?.0)),
        })?;
        Some(depth.all)
    }
}

/// How a tree that is large enough is closed off: for each nonterminal, the shortest of its shallowest trees. No
/// depth that the grammar allows is exceeded by that, and no tree repeats what it can do without.
#[derive(Clone, Debug)]
pub(crate) struct Completion {
    shortest: ShortestYield,
}

impl Completion {
    pub(crate) fn new(language: &Language, depths: &Depths<'_>) -> Self {
        let bnf = language.bnf();
        let is_shallowest = |production| {
            let depth = depths.of_production(production);
            depth.is_some() && depth == depths.of(bnf.lhs(production))
        };
        let length = shortest_yield::Length::Terminals;
        Self { shortest: ShortestYield::among(bnf, length, &is_shallowest) }
    }

    /// The production that a nonterminal is closed off with.
    ///
    /// # Panics
    /// If the nonterminal derives nothing.
    pub(crate) fn production(&self, nonterminal: NonterminalId) -> ProductionId {
        self.shortest.production(nonterminal).expect("invariant: the nonterminal is productive")
    }
}

/// Expansions for every token that is allowed: trees whose nonterminals may all be empty need not get any
/// longer.
const EXPANSIONS_PER_TOKEN: u64 = 50;
/// The most expansions of one tree: its nodes are kept in memory.
const MAX_EXPANSIONS: u64 = 50_000_000;

/// The expansions after which a tree is closed off, whatever its tokens.
pub(crate) fn max_expansions(tokens: u64) -> u64 {
    EXPANSIONS_PER_TOKEN.saturating_mul(tokens.saturating_add(1)).min(MAX_EXPANSIONS)
}

/// What a production adds to the depth of what stands below it.
pub(crate) fn own_depth(language: &Language, production: ProductionId) -> u64 {
    let lhs = &language.bnf().nonterminals()[language.bnf().lhs(production)];
    u64::from(matches!(lhs.origin, Origin::Rule(_)))
}

struct NestedRules<'v> {
    language: &'v Language,
}

impl Measure<ProductionId> for NestedRules<'_> {
    type Cost = Depth;

    fn base(&self, production: ProductionId) -> Option<Depth> {
        let own = own_depth(self.language, production);
        self.language.productive().has_production(production).then_some(Depth { all: own, own })
    }

    fn add(&self, depth: Depth, part: Depth) -> Depth {
        depth.above(part)
    }
}

//! Duplicates in a grammar: productions that are listed twice, and rules that differ only in name.
//!
//! Two nonterminals are the same rule if their sets of productions are equal, where each
//! nonterminal stands for itself on its own right-hand sides. Two copies of a group of mutually
//! recursive rules are not found, because they mention each other's names. Linear, except for
//! sorting the productions of each nonterminal and the repeated productions.

use gramercy_base::{IdSet, Map};
use gramercy_grammar::{Cfg, NonterminalId, ProductionId, Symbol};

/// Productions and rules that occur more than once.
#[derive(Clone, Debug)]
pub struct Duplicates {
    productions: Vec<(ProductionId, ProductionId)>,
    repeated: IdSet<ProductionId>,
    rules: Vec<(NonterminalId, NonterminalId)>,
}

impl Duplicates {
    /// The duplicates in a grammar.
    #[must_use]
    pub fn of(cfg: &Cfg) -> Self {
        let productions = equal_productions(cfg);
        let mut repeated = IdSet::new(cfg.production_count());
        for &(again, _) in &productions {
            repeated.insert(again);
        }
        let rules = equal_rules(cfg, &repeated);
        Self { productions, repeated, rules }
    }

    /// Each production that repeats an earlier one, with the first equal one, in file order.
    #[must_use]
    pub fn productions(&self) -> &[(ProductionId, ProductionId)] {
        &self.productions
    }

    /// Whether a production repeats an earlier one.
    #[must_use]
    pub fn repeats(&self, production: ProductionId) -> bool {
        self.repeated.contains(production)
    }

    /// Each nonterminal that differs from an earlier one only in name, with the first equal one.
    /// Auxiliary nonterminals of equal quantifiers or groups are included.
    #[must_use]
    pub fn rules(&self) -> &[(NonterminalId, NonterminalId)] {
        &self.rules
    }
}

fn equal_productions(cfg: &Cfg) -> Vec<(ProductionId, ProductionId)> {
    let mut again = Vec::new();
    let mut sorted = Vec::new();
    for nonterminal in cfg.nonterminals() {
        sorted.clear();
        sorted.extend_from_slice(cfg.productions_of(nonterminal));
        sorted.sort_unstable_by_key(|&production| (cfg.rhs(production), production));
        for equal in sorted.chunk_by(|&a, &b| cfg.rhs(a) == cfg.rhs(b)) {
            again.extend(equal[1..].iter().map(|&production| (production, equal[0])));
        }
    }
    again.sort_unstable();
    again
}

/// The right-hand sides of a nonterminal, in an order that does not depend on its own name.
struct Body<'a> {
    cfg: &'a Cfg,
    nonterminal: NonterminalId,
    productions: &'a [ProductionId],
}

/// A symbol of a right-hand side; `None` is the left-hand side itself.
type BodySymbol = Option<Symbol>;

impl<'a> Body<'a> {
    fn of(cfg: &'a Cfg, nonterminal: NonterminalId, productions: &'a mut [ProductionId]) -> Self {
        productions.sort_unstable_by(|&a, &b| {
            let [a, b] = [a, b].map(|production| parts(cfg, nonterminal, production));
            a.cmp(b)
        });
        Self { cfg, nonterminal, productions }
    }

    fn parts(&self) -> impl Iterator<Item = impl Iterator<Item = BodySymbol> + '_> {
        self.productions.iter().map(|&id| parts(self.cfg, self.nonterminal, id))
    }
}

fn parts(
    cfg: &Cfg,
    nonterminal: NonterminalId,
    production: ProductionId,
) -> impl Iterator<Item = BodySymbol> {
    let itself = Symbol::Nonterminal(nonterminal);
    cfg.rhs(production).iter().map(move |&symbol| (symbol != itself).then_some(symbol))
}

impl PartialEq for Body<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.productions.len() == other.productions.len()
            && self.parts().zip(other.parts()).all(|(a, b)| a.eq(b))
    }
}

impl Eq for Body<'_> {}

impl std::hash::Hash for Body<'_> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        for part in self.parts() {
            part.for_each(|part| part.hash(state));
            // Marks the end of a right-hand side.
            state.write_u8(0);
        }
    }
}

fn equal_rules(cfg: &Cfg, repeated: &IdSet<ProductionId>) -> Vec<(NonterminalId, NonterminalId)> {
    let mut productions: Vec<ProductionId> = Vec::with_capacity(cfg.production_count());
    let mut ends = Vec::with_capacity(cfg.nonterminal_count());
    for nonterminal in cfg.nonterminals() {
        let all = cfg.productions_of(nonterminal).iter();
        productions.extend(all.filter(|&&id| !repeated.contains(id)));
        ends.push(productions.len());
    }
    let mut first: Map<Body<'_>, NonterminalId> = Map::default();
    first.reserve(cfg.nonterminal_count());
    let (mut again, mut rest, mut start) = (Vec::new(), &mut productions[..], 0);
    for (nonterminal, end) in cfg.nonterminals().zip(ends) {
        let (own, behind) = rest.split_at_mut(end - start);
        (rest, start) = (behind, end);
        let known = *first.entry(Body::of(cfg, nonterminal, own)).or_insert(nonterminal);
        if known != nonterminal {
            again.push((nonterminal, known));
        }
    }
    again
}

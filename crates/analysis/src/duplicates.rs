//! What a grammar says twice: productions listed again, and rules that differ only in name.
//!
//! Two nonterminals are the same rule if their productions are the same set, each nonterminal read
//! as itself where it mentions itself. Copies that mention each other's names, as two copies of a
//! group of mutually recursive rules do, are not found. Linear but for sorting each nonterminal's
//! productions.

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

    /// Each production that repeats an earlier one, with the first of them, in file order.
    #[must_use]
    pub fn productions(&self) -> &[(ProductionId, ProductionId)] {
        &self.productions
    }

    /// Whether a production repeats an earlier one.
    #[must_use]
    pub fn repeats(&self, production: ProductionId) -> bool {
        self.repeated.contains(production)
    }

    /// Each nonterminal that differs from an earlier one only in name, with the first of them.
    /// Auxiliary nonterminals, which stand for equal quantifiers or groups, are among them.
    #[must_use]
    pub fn rules(&self) -> &[(NonterminalId, NonterminalId)] {
        &self.rules
    }
}

fn equal_productions(cfg: &Cfg) -> Vec<(ProductionId, ProductionId)> {
    let mut first = Map::default();
    let mut again = Vec::new();
    for production in cfg.productions() {
        let key = (cfg.lhs(production), cfg.rhs(production));
        let known = *first.entry(key).or_insert(production);
        if known != production {
            again.push((production, known));
        }
    }
    again
}

/// A symbol of a right-hand side, or the left-hand side itself.
type Part = Option<Symbol>;

fn equal_rules(cfg: &Cfg, repeated: &IdSet<ProductionId>) -> Vec<(NonterminalId, NonterminalId)> {
    let mut first: Map<Vec<Vec<Part>>, NonterminalId> = Map::default();
    let mut again = Vec::new();
    for nonterminal in cfg.nonterminals() {
        let itself = Symbol::Nonterminal(nonterminal);
        let part = |&symbol: &Symbol| (symbol != itself).then_some(symbol);
        let distinct = cfg.productions_of(nonterminal).iter().filter(|&&id| !repeated.contains(id));
        let mut body: Vec<Vec<Part>> =
            distinct.map(|&production| cfg.rhs(production).iter().map(part).collect()).collect();
        body.sort_unstable();
        let known = *first.entry(body).or_insert(nonterminal);
        if known != nonterminal {
            again.push((nonterminal, known));
        }
    }
    again
}

//! Useful symbols and productions: those that occur in the derivation of some sentence. They are
//! productive, and reachable through productive productions. Linear.

use gramercy_base::IdSet;
use gramercy_grammar::{Cfg, NonterminalId, ProductionId, Symbol};

use crate::{Productive, Reachable};

/// The part of a grammar that its sentences use. Empty if the language is empty.
#[derive(Clone, Debug)]
pub struct Useful {
    reached: Option<Reachable>,
    productions: IdSet<ProductionId>,
}

impl Useful {
    /// The useful part of a grammar.
    #[must_use]
    pub fn of(cfg: &Cfg, productive: &Productive) -> Self {
        let reached = productive
            .contains(cfg.start())
            .then(|| Reachable::along(cfg, |production| productive.has_production(production)));
        let mut productions = IdSet::new(cfg.production_count());
        if let Some(reached) = &reached {
            for production in productive.productions().iter() {
                if reached.nonterminals().contains(cfg.lhs(production)) {
                    productions.insert(production);
                }
            }
        }
        Self { reached, productions }
    }

    /// Whether the derivation of some sentence contains the symbol.
    #[must_use]
    pub fn contains(&self, symbol: Symbol) -> bool {
        self.reached.as_ref().is_some_and(|reached| reached.contains(symbol))
    }

    /// Whether the derivation of some sentence contains the production.
    #[must_use]
    pub fn has_production(&self, production: ProductionId) -> bool {
        self.productions.contains(production)
    }

    /// The useful productions.
    #[must_use]
    pub fn productions(&self) -> &IdSet<ProductionId> {
        &self.productions
    }

    /// Whether the grammar has no sentence at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.reached.is_none()
    }

    /// The useful nonterminals, ascending.
    pub fn nonterminals(&self) -> impl Iterator<Item = NonterminalId> + '_ {
        self.reached.iter().flat_map(|reached| reached.nonterminals().iter())
    }
}

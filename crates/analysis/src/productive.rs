//! Productive symbols: those that derive some string of terminals.
//!
//! A production is productive if all its nonterminals are, a nonterminal if one of its productions
//! is. Near-linear, see [`fixpoint`].

use gramercy_base::IdSet;
use gramercy_grammar::{Cfg, NonterminalId, ProductionId, Symbol, TerminalId};

use crate::fixpoint::{self, Measure};

/// The productive nonterminals and productions.
#[derive(Clone, Debug)]
pub struct Productive {
    nonterminals: IdSet<NonterminalId>,
    productions: IdSet<ProductionId>,
}

impl Productive {
    /// The productive part of a grammar whose terminals all have some text.
    #[must_use]
    pub fn of(cfg: &Cfg) -> Self {
        Self::without(cfg, &IdSet::new(cfg.terminal_count()))
    }

    /// The productive part of a grammar in which these terminals have no text, such as empty
    /// character classes and regular expressions of the empty language.
    #[must_use]
    pub fn without(cfg: &Cfg, textless: &IdSet<TerminalId>) -> Self {
        let solution = fixpoint::solve(cfg, &UsableProductions { cfg, textless });
        let mut nonterminals = IdSet::new(cfg.nonterminal_count());
        for (nonterminal, solved) in solution.iter() {
            if solved.is_some() {
                nonterminals.insert(nonterminal);
            }
        }
        let mut productions = IdSet::new(cfg.production_count());
        for production in cfg.productions() {
            let derives = |&symbol: &Symbol| match symbol {
                Symbol::Terminal(terminal) => !textless.contains(terminal),
                Symbol::Nonterminal(nonterminal) => nonterminals.contains(nonterminal),
            };
            if cfg.rhs(production).iter().all(derives) {
                productions.insert(production);
            }
        }
        Self { nonterminals, productions }
    }

    /// Whether a nonterminal derives a string of terminals.
    #[must_use]
    pub fn contains(&self, nonterminal: NonterminalId) -> bool {
        self.nonterminals.contains(nonterminal)
    }

    /// Whether a production derives a string of terminals.
    #[must_use]
    pub fn has_production(&self, production: ProductionId) -> bool {
        self.productions.contains(production)
    }

    /// The productive nonterminals.
    #[must_use]
    pub fn nonterminals(&self) -> &IdSet<NonterminalId> {
        &self.nonterminals
    }

    /// The productive productions.
    #[must_use]
    pub fn productions(&self) -> &IdSet<ProductionId> {
        &self.productions
    }
}

struct UsableProductions<'a> {
    cfg: &'a Cfg,
    textless: &'a IdSet<TerminalId>,
}

impl Measure<ProductionId> for UsableProductions<'_> {
    type Cost = ();

    fn base(&self, production: ProductionId) -> Option<()> {
        let has_text = |&symbol: &Symbol| match symbol {
            Symbol::Terminal(terminal) => !self.textless.contains(terminal),
            Symbol::Nonterminal(_) => true,
        };
        self.cfg.rhs(production).iter().all(has_text).then_some(())
    }

    fn add(&self, (): (), (): ()) {}
}

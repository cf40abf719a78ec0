//! The BNF core without useless productions, as LR tools use it. Linear.

use gramercy_analysis::Useful;
use gramercy_base::Table;
use gramercy_grammar::{Cfg, ProductionId};

/// A grammar of useful productions only. Symbols keep their ids.
pub(crate) struct Reduced {
    pub(crate) cfg: Cfg,
    original: Table<ProductionId, ProductionId>,
}

impl Reduced {
    pub(crate) fn of(cfg: &Cfg, useful: &Useful) -> Self {
        let original: Table<ProductionId, ProductionId> = useful.productions().iter().collect();
        let productions = original.values().map(|&id| (cfg.lhs(id), cfg.rhs(id)));
        let (terminals, nonterminals) = (cfg.terminal_count(), cfg.nonterminal_count());
        let cfg = Cfg::new(terminals, nonterminals, cfg.start(), productions);
        Self { cfg, original }
    }

    /// The production of the BNF core.
    pub(crate) fn original(&self, production: ProductionId) -> ProductionId {
        self.original[production]
    }
}

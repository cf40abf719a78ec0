//! Nullable nonterminals: those that derive the empty string. Near-linear, see [`fixpoint`].

use gramercy_base::IdSet;
use gramercy_grammar::{Cfg, NonterminalId, ProductionId, Symbol};

use crate::fixpoint::{self, Measure};

/// The nonterminals that derive the empty string.
#[derive(Clone, Debug)]
pub struct Nullable(IdSet<NonterminalId>);

impl Nullable {
    /// The nullable nonterminals of a grammar.
    #[must_use]
    pub fn of(cfg: &Cfg) -> Self {
        let mut nullable = IdSet::new(cfg.nonterminal_count());
        for (nonterminal, solved) in fixpoint::solve(cfg, &WithoutTerminals(cfg)).iter() {
            if solved.is_some() {
                nullable.insert(nonterminal);
            }
        }
        Self(nullable)
    }

    /// Whether a nonterminal derives the empty string.
    #[inline]
    #[must_use]
    pub fn contains(&self, nonterminal: NonterminalId) -> bool {
        self.0.contains(nonterminal)
    }

    /// Whether a symbol derives the empty string.
    #[inline]
    #[must_use]
    pub fn symbol(&self, symbol: Symbol) -> bool {
        match symbol {
            Symbol::Terminal(_) => false,
            Symbol::Nonterminal(nonterminal) => self.contains(nonterminal),
        }
    }

    /// Whether all of these symbols derive the empty string.
    #[must_use]
    pub fn all(&self, symbols: &[Symbol]) -> bool {
        symbols.iter().all(|&symbol| self.symbol(symbol))
    }

    /// The nullable nonterminals.
    #[must_use]
    pub fn nonterminals(&self) -> &IdSet<NonterminalId> {
        &self.0
    }
}

struct WithoutTerminals<'a>(&'a Cfg);

impl Measure<ProductionId> for WithoutTerminals<'_> {
    type Cost = ();

    fn base(&self, production: ProductionId) -> Option<()> {
        let is_nonterminal = |symbol: &Symbol| matches!(symbol, Symbol::Nonterminal(_));
        self.0.rhs(production).iter().all(is_nonterminal).then_some(())
    }

    fn add(&self, (): (), (): ()) {}
}

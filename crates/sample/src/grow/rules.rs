//! The right-hand sides of productions in one flat list, for those who walk over very many.

use gramercy_base::{Table, to_u32};
use gramercy_grammar::{Bnf, ProductionId, Symbol};

/// The right-hand sides of all productions.
#[derive(Debug)]
pub(crate) struct Rules {
    places: Table<ProductionId, Rest>,
    symbols: Vec<Symbol>,
}

/// What is left of a right-hand side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rest {
    next: u32,
    end: u32,
}

impl Rest {
    /// Whether nothing is left.
    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        self.next == self.end
    }

    /// Leaves the first symbol after.
    #[inline]
    pub(crate) fn advance(&mut self) {
        self.next += 1;
    }
}

impl Rules {
    pub(crate) fn new(bnf: &Bnf) -> Self {
        let mut rules =
            Self { places: Table::with_capacity(bnf.production_count()), symbols: Vec::new() };
        for production in bnf.cfg().productions() {
            let next = to_u32(rules.symbols.len());
            rules.symbols.extend_from_slice(bnf.rhs(production));
            rules.places.push(Rest { next, end: to_u32(rules.symbols.len()) });
        }
        rules
    }

    /// All of a production's symbols.
    #[inline]
    pub(crate) fn of(&self, production: ProductionId) -> Rest {
        self.places[production]
    }

    /// The first symbol of what is left, if something is.
    #[inline]
    pub(crate) fn first(&self, rest: Rest) -> Option<Symbol> {
        (!rest.is_empty()).then(|| self.symbols[rest.next as usize])
    }

    /// The symbols of a production.
    #[inline]
    pub(crate) fn symbols(&self, production: ProductionId) -> &[Symbol] {
        let Rest { next, end } = self.places[production];
        &self.symbols[next as usize..end as usize]
    }
}

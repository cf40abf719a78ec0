//! Nonterminals that derive themselves, A ⇒⁺ A: a sentence that uses one has infinitely many trees.
//!
//! A derives B alone in one step if all other symbols of a production are nullable; the cyclic
//! nonterminals are the cycles of that graph. A right-hand side with two symbols that are not
//! nullable gives no edge, one with a single such symbol gives at most one, so the graph is linear
//! in the grammar.
//!
//! Example: in `A: B C | a; B: A; C: c | ;` the nonterminals A and B are cyclic, because C is
//! nullable.

use gramercy_grammar::{Cfg, NonterminalId, ProductionId, Symbol};

use crate::{Components, Nullable, Rows};

/// The nonterminals that derive themselves.
#[derive(Clone, Debug)]
pub struct Cyclic(Components<NonterminalId>);

impl Cyclic {
    /// The cyclic nonterminals of a grammar.
    #[must_use]
    pub fn of(cfg: &Cfg, nullable: &Nullable) -> Self {
        let mut edges = Vec::new();
        for production in cfg.productions() {
            let lhs = cfg.lhs(production);
            edges.extend(alone(cfg, nullable, production).map(|inner| (lhs, inner)));
        }
        Self(Components::of(&Rows::group(cfg.nonterminal_count(), &edges)))
    }

    /// Whether a nonterminal derives itself in at least one step.
    #[must_use]
    pub fn contains(&self, nonterminal: NonterminalId) -> bool {
        self.0.on_cycle(nonterminal)
    }

    /// The groups of nonterminals that derive each other and themselves.
    pub fn groups(&self) -> impl Iterator<Item = &[NonterminalId]> {
        self.0.cycles()
    }
}

/// The nonterminals of a production whose other symbols are all nullable.
pub fn alone<'b>(
    cfg: &'b Cfg,
    nullable: &'b Nullable,
    production: ProductionId,
) -> impl Iterator<Item = NonterminalId> + 'b {
    let rhs = cfg.rhs(production);
    let solid = rhs.iter().filter(|&&symbol| !nullable.symbol(symbol)).count();
    rhs.iter().filter_map(move |&symbol| match symbol {
        Symbol::Nonterminal(inner) => {
            (solid == usize::from(!nullable.contains(inner))).then_some(inner)
        }
        Symbol::Terminal(_) => None,
    })
}

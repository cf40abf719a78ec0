//! Left-recursive nonterminals, A ⇒⁺ A α, including those that are left-recursive only after
//! nullable symbols. Linear.

use gramercy_base::Id;
use gramercy_grammar::{Cfg, NonterminalId, Symbol};

use crate::{Components, Nullable, Rows};

/// The left-recursive nonterminals.
#[derive(Clone, Debug)]
pub struct LeftRecursive {
    /// The graph of A → B for A → α B β with nullable α.
    all: Components<NonterminalId>,
    /// The same with empty α.
    plain: Components<NonterminalId>,
}

impl LeftRecursive {
    /// The left-recursive nonterminals of a grammar.
    #[must_use]
    pub fn of(cfg: &Cfg, nullable: &Nullable) -> Self {
        let (mut all, mut plain) = (Vec::new(), Vec::new());
        for production in cfg.productions() {
            let lhs = cfg.lhs(production);
            for (at, &symbol) in cfg.rhs(production).iter().enumerate() {
                if let Symbol::Nonterminal(inner) = symbol {
                    all.push((lhs, inner));
                    if at == 0 {
                        plain.push((lhs, inner));
                    }
                }
                if !nullable.symbol(symbol) {
                    break;
                }
            }
        }
        Self { all: components(cfg, &all), plain: components(cfg, &plain) }
    }

    /// Whether a nonterminal derives a string that begins with itself.
    #[must_use]
    pub fn contains(&self, nonterminal: NonterminalId) -> bool {
        self.all.on_cycle(nonterminal)
    }

    /// Whether a nonterminal is left-recursive only after nullable symbols.
    #[must_use]
    pub fn is_hidden(&self, nonterminal: NonterminalId) -> bool {
        self.all.on_cycle(nonterminal) && !self.plain.on_cycle(nonterminal)
    }

    /// The groups of mutually left-recursive nonterminals.
    pub fn groups(&self) -> impl Iterator<Item = &[NonterminalId]> {
        self.all.cycles()
    }
}

fn components<I: Id>(cfg: &Cfg, edges: &[(I, I)]) -> Components<I> {
    Components::of(&Rows::group(cfg.nonterminal_count(), edges))
}

//! The shortest string that a nonterminal derives, and the production that derives it.
//!
//! There are two measures: the number of terminals, and the number of edges of the LR-graph
//! (Rossouw, Fischer, JSS 2024, section 5), where a terminal is one edge and every production two,
//! a pop and a push. By the first measure, a tie goes to the derivation with fewer productions, so
//! that following the named productions terminates even in a cyclic grammar; a remaining tie goes
//! to the production that is first in file order. Near-linear, see [`fixpoint`].
//!
//! Example: `S: A | a a; A: B; B: b;`. In terminals, the shortest yield of S is `b` by S: A, of
//! length 1. In edges, `b` costs 1 + 3 · 2 = 7 and `a a` costs 2 + 2 = 4, so the shortest yield is
//! `a a`.

use gramercy_base::Table;
use gramercy_base::named::{Choice, Named, choice};
use gramercy_grammar::{Cfg, NonterminalId, ProductionId, Symbol, TerminalId};

use crate::fixpoint::{self, Measure};

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// Terminals.
    Terminals,
    /// Terminals, and two for every production.
    LrEdges,
}

impl Named for Length {
    const CHOICES: &'static [Choice<Self>] = &[
        choice(Self::Terminals, "tokens", "the number of tokens"),
        choice(
            Self::LrEdges,
            "edges",
            "edges of the LR-graph: tokens, and two for every production",
        ),
    ];
}

/// For each nonterminal the length of its shortest yield. Lengths beyond 64 bits are all the same.
#[derive(Clone, Debug)]
pub struct ShortestYield {
    best: Table<NonterminalId, Option<(YieldCost, ProductionId)>>,
    length: Length,
}

impl ShortestYield {
    /// The shortest yields of a grammar.
    #[must_use]
    pub fn of(cfg: &Cfg, length: Length) -> Self {
        Self::among(cfg, length, &|_| true)
    }

    /// The shortest yields if only some of the productions may be used.
    #[must_use]
    pub fn among(cfg: &Cfg, length: Length, allowed: &dyn Fn(ProductionId) -> bool) -> Self {
        Self { best: fixpoint::solve(cfg, &YieldLength { cfg, length, allowed }), length }
    }

    /// The length of the shortest yield; `None` if the nonterminal derives nothing.
    #[must_use]
    pub fn length(&self, nonterminal: NonterminalId) -> Option<u64> {
        self.best[nonterminal].map(|(cost, _)| cost.length)
    }

    /// The first production of the shortest yield; `None` if there is no yield.
    #[must_use]
    pub fn production(&self, nonterminal: NonterminalId) -> Option<ProductionId> {
        self.best[nonterminal].map(|(_, production)| production)
    }

    /// The length of the shortest string that these symbols derive.
    #[must_use]
    pub fn of_symbols(&self, symbols: &[Symbol]) -> Option<u64> {
        symbols.iter().try_fold(0_u64, |sum, &symbol| match symbol {
            Symbol::Terminal(_) => Some(sum.saturating_add(1)),
            Symbol::Nonterminal(nonterminal) => Some(sum.saturating_add(self.length(nonterminal)?)),
        })
    }

    /// The length of the shortest string whose derivation begins with this production.
    #[must_use]
    pub fn of_production(&self, cfg: &Cfg, production: ProductionId) -> Option<u64> {
        let inner = self.of_symbols(cfg.rhs(production))?;
        Some(inner.saturating_add(own_length(self.length)))
    }

    /// The length of the shortest yield and, if the measure is terminals, the number of its
    /// productions. Each part of a shortest derivation costs less than the whole, as long as
    /// lengths fit in 64 bits.
    #[must_use]
    pub fn cost(&self, nonterminal: NonterminalId) -> Option<(u64, u64)> {
        self.best[nonterminal].map(|(cost, _)| (cost.length, cost.productions))
    }

    /// As [`cost`](Self::cost), for the shortest string whose derivation begins with this
    /// production.
    #[must_use]
    pub fn cost_of_production(&self, cfg: &Cfg, production: ProductionId) -> Option<(u64, u64)> {
        let edges = YieldLength { cfg, length: self.length, allowed: &|_| true };
        let cost =
            cfg.rhs(production).iter().try_fold(edges.base(production)?, |cost, symbol| {
                match symbol {
                    Symbol::Terminal(_) => Some(cost),
                    Symbol::Nonterminal(id) => Some(edges.add(cost, self.best[*id]?.0)),
                }
            })?;
        Some((cost.length, cost.productions))
    }

    /// Appends the shortest string that these symbols derive. Its length may be exponential in the
    /// grammar; [`of_symbols`](Self::of_symbols) gives it in advance.
    ///
    /// # Panics
    /// If a symbol derives nothing.
    pub fn write(&self, cfg: &Cfg, symbols: &[Symbol], into: &mut Vec<TerminalId>) {
        let mut stack: Vec<Symbol> = symbols.iter().rev().copied().collect();
        while let Some(symbol) = stack.pop() {
            match symbol {
                Symbol::Terminal(terminal) => into.push(terminal),
                Symbol::Nonterminal(nonterminal) => {
                    let production = self.production(nonterminal);
                    let production = production.expect("invariant: the symbol is productive");
                    stack.extend(cfg.rhs(production).iter().rev());
                }
            }
        }
    }
}

/// A length and, to break ties, a number of productions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct YieldCost {
    length: u64,
    productions: u64,
}

struct YieldLength<'a> {
    cfg: &'a Cfg,
    length: Length,
    allowed: &'a dyn Fn(ProductionId) -> bool,
}

fn own_length(length: Length) -> u64 {
    match length {
        Length::Terminals => 0,
        Length::LrEdges => 2,
    }
}

impl Measure<ProductionId> for YieldLength<'_> {
    type Cost = YieldCost;

    fn base(&self, production: ProductionId) -> Option<YieldCost> {
        if !(self.allowed)(production) {
            return None;
        }
        let is_terminal = |symbol: &&Symbol| matches!(symbol, Symbol::Terminal(_));
        let terminals = self.cfg.rhs(production).iter().filter(is_terminal).count() as u64;
        // This measure already counts productions, two for each.
        let productions = u64::from(self.length == Length::Terminals);
        Some(YieldCost { length: terminals + own_length(self.length), productions })
    }

    fn add(&self, cost: YieldCost, part: YieldCost) -> YieldCost {
        YieldCost {
            length: cost.length.saturating_add(part.length),
            productions: cost.productions.saturating_add(part.productions),
        }
    }
}

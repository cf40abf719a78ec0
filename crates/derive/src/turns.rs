//! Cheapest trees that take turns: where several productions are equally cheap, each is taken in its
//! turn, so that tests show more of the grammar without growing.
//!
//! The first turn is the resolution's choice. Every turn costs as much as the cheapest tree, and more
//! than each of its parts, so following them ends. Below a nonterminal without ties the tree is always
//! the same, and can be copied from [`CheapestTrees`].

use gramercy_analysis::Rows;
use gramercy_base::{IdSet, Table};
use gramercy_grammar::{NonterminalId, ProductionId, Symbol};
use gramercy_language::Language;

use crate::cheapest::CheapestTrees;

/// Whose turn it is, for each nonterminal.
#[derive(Clone, Debug)]
pub struct Turns {
    /// The cheapest productions of each.
    productions: Rows<NonterminalId, ProductionId>,
    next: Table<NonterminalId, usize>,
    /// The nonterminals whose cheapest trees differ.
    varied: IdSet<NonterminalId>,
}

impl Turns {
    /// The cheapest productions of a grammar, first ones first.
    #[must_use]
    pub fn new(language: &Language, cheapest: &CheapestTrees<'_>) -> Self {
        let cfg = cheapest.cfg();
        let ties = cheapest.resolution().ties;
        let is_cheapest = |&&id: &&ProductionId| {
            language.productive().has_production(id) && cheapest.is_cheapest(id)
        };
        let mut productions = Rows::new();
        for nonterminal in cfg.nonterminals() {
            let mut row: Vec<ProductionId> =
                cfg.productions_of(nonterminal).iter().filter(is_cheapest).copied().collect();
            row.sort_by_key(|&id| ties.place(id, 0));
            productions.push(row);
        }
        let next = Table::filled(0, cfg.nonterminal_count());
        let varied = varied(cheapest, &productions);
        Self { productions, next, varied }
    }

    /// Whether the cheapest trees of a nonterminal differ.
    #[inline]
    #[must_use]
    pub fn is_varied(&self, nonterminal: NonterminalId) -> bool {
        self.varied.contains(nonterminal)
    }

    /// How many productions take turns.
    #[must_use]
    pub fn count(&self, nonterminal: NonterminalId) -> usize {
        self.productions.row(nonterminal).len()
    }

    /// The production whose turn comes after `turn` others.
    #[must_use]
    pub fn peek(&self, nonterminal: NonterminalId, after: usize) -> ProductionId {
        let row = self.productions.row(nonterminal);
        row[(self.next[nonterminal] + after) % row.len()]
    }

    /// The number of turns that were taken.
    pub fn skip(&mut self, nonterminal: NonterminalId, turns: usize) {
        let next = &mut self.next[nonterminal];
        *next = (*next + turns) % self.productions.row(nonterminal).len();
    }
}

/// The nonterminals with ties in some cheapest tree, by propagation to the nonterminals that use them there.
fn varied(
    cheapest: &CheapestTrees<'_>,
    rows: &Rows<NonterminalId, ProductionId>,
) -> IdSet<NonterminalId> {
    let cfg = cheapest.cfg();
    let (mut varied, mut work) = (IdSet::new(cfg.nonterminal_count()), Vec::new());
    let mut users = Vec::new();
    for (nonterminal, productions) in rows.iter() {
        if productions.len() > 1 {
            varied.insert(nonterminal);
            work.push(nonterminal);
        }
        for symbol in productions.iter().flat_map(|&id| cfg.rhs(id)) {
            if let Symbol::Nonterminal(below) = symbol {
                users.push((*below, nonterminal));
            }
        }
    }
    let users = Rows::group(cfg.nonterminal_count(), &users);
    while let Some(nonterminal) = work.pop() {
        for &user in users.row(nonterminal) {
            if varied.insert(user) {
                work.push(user);
            }
        }
    }
    varied
}

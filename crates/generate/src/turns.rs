//! Cheapest trees that take turns: where several productions are equally cheap, each is taken in its
//! turn, so that tests show more of the grammar without growing.
//!
//! The first turn is the resolution's choice. Below a nonterminal without such ties the tree is always
//! the same and copied from [`Minimal`]; elsewhere it is made node by node. Every turn costs as much as
//! the cheapest tree, and more than each of its parts, so following them ends.

use gramercy_analysis::Rows;
use gramercy_base::{IdSet, Table};
use gramercy_coverage::Views;
use gramercy_grammar::{NonterminalId, ProductionId, Symbol};

use crate::draft::Draft;
use crate::minimal::Minimal;

/// Whose turn it is, for each nonterminal.
#[derive(Clone, Debug)]
pub struct Turns {
    cheapest: Rows<NonterminalId, ProductionId>,
    next: Table<NonterminalId, u32>,
    /// The nonterminals whose cheapest trees differ.
    varied: IdSet<NonterminalId>,
    stack: Vec<Symbol>,
}

impl Turns {
    /// The cheapest productions of a grammar, first ones first.
    #[must_use]
    pub fn new(views: &Views<'_>, minimal: &Minimal<'_>) -> Self {
        let cfg = minimal.cfg();
        let ties = minimal.resolution().ties;
        let is_cheapest =
            |&&id: &&ProductionId| views.productive.has_production(id) && minimal.is_cheapest(id);
        let mut cheapest = Rows::new();
        for nonterminal in cfg.nonterminals() {
            let mut row: Vec<ProductionId> =
                cfg.productions_of(nonterminal).iter().filter(is_cheapest).copied().collect();
            row.sort_by_key(|&id| ties.place(id, 0));
            cheapest.push(row);
        }
        let next = Table::filled(0, cfg.nonterminal_count());
        let varied = varied(minimal, &cheapest);
        Self { cheapest, next, varied, stack: Vec::new() }
    }

    /// Appends a cheapest tree of a symbol.
    ///
    /// # Panics
    /// If it derives nothing.
    pub fn close(&mut self, minimal: &Minimal<'_>, symbol: Symbol, draft: &mut Draft) {
        self.stack.push(symbol);
        while let Some(symbol) = self.stack.pop() {
            match symbol {
                Symbol::Nonterminal(nonterminal) if self.varied.contains(nonterminal) => {
                    let production = self.turn(nonterminal);
                    draft.productions.push(production);
                    self.stack.extend(minimal.cfg().rhs(production).iter().rev());
                }
                other => minimal.close(other, draft),
            }
        }
    }

    fn turn(&mut self, nonterminal: NonterminalId) -> ProductionId {
        let row = self.cheapest.row(nonterminal);
        let next = &mut self.next[nonterminal];
        let production = row[*next as usize];
        *next =
            (*next + 1) % u32::try_from(row.len()).expect("invariant: productions fit in 32 bits");
        production
    }
}

/// The nonterminals with ties in some cheapest tree, by propagation to whoever uses them there.
fn varied(
    minimal: &Minimal<'_>,
    cheapest: &Rows<NonterminalId, ProductionId>,
) -> IdSet<NonterminalId> {
    let cfg = minimal.cfg();
    let (mut varied, mut work) = (IdSet::new(cfg.nonterminal_count()), Vec::new());
    let mut users = Vec::new();
    for (nonterminal, productions) in cheapest.iter() {
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

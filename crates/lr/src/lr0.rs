//! LR(0): item sets without lookaheads (Knuth, Information and Control 1965; DeRemer, CACM 1971).
//!
//! The closure of a kernel contains every nonterminal after a dot of its items and, repeatedly,
//! every nonterminal at the left of a production of these. Linear in the closures of all states.
//!
//! Example: `S: C C; C: c C | d;` has 8 states: 0 S' → • S `$`; 1 C → c • C; 2 C → d •; 3 S' → S •
//! `$`; 4 S → C • C; 5 C → c C •; 6 S' → S `$` •; 7 S → C C •. The closure of state 4 is {C}.

use gramercy_analysis::Rows;
use gramercy_base::{IdSet, LimitReached, Limits};
use gramercy_grammar::{Cfg, NonterminalId, Symbol};

use crate::Facts;
use crate::automaton::{Automaton, Construction, KernelItem};
use crate::collection::{Bounds, Closed, Closure, Collection, collect};
use crate::items::Items;

/// The LR(0) automaton of a grammar. It needs no facts.
///
/// # Errors
/// If it has more states than the limits allow.
pub fn build(cfg: &Cfg, _: &Facts<'_>, limits: &Limits) -> Result<Automaton, LimitReached> {
    let items = Items::of(cfg);
    let mut closure = Lr0Closure::new(cfg, &items);
    let bounds = Bounds::new(None, "states of the LR(0) automaton", limits);
    let Collection { kernels, transitions, reductions } =
        collect(cfg, &items, &mut closure, &bounds)?;
    let (construction, lookaheads) = (Construction::Lr0, Rows::new());
    Ok(Automaton { construction, items, kernels, transitions, reductions, lookaheads })
}

struct Lr0Closure<'a> {
    items: &'a Items,
    /// For each nonterminal, the nonterminals at the left of its productions.
    begins: Rows<NonterminalId, NonterminalId>,
    seen: IdSet<NonterminalId>,
}

impl<'a> Lr0Closure<'a> {
    fn new(cfg: &Cfg, items: &'a Items) -> Self {
        let mut seen = IdSet::new(cfg.nonterminal_count());
        let mut begins = Rows::new();
        for nonterminal in cfg.nonterminals() {
            let mut distinct = Vec::new();
            for &production in cfg.productions_of(nonterminal) {
                if let Some(&Symbol::Nonterminal(first)) = cfg.rhs(production).first()
                    && seen.insert(first)
                {
                    distinct.push(first);
                }
            }
            distinct.iter().for_each(|&first| {
                seen.remove(first);
            });
            begins.push(distinct);
        }
        Self { items, begins, seen }
    }
}

impl Closure for Lr0Closure<'_> {
    fn close(&mut self, kernel: &[KernelItem], closed: &mut Vec<Closed>) {
        let labels = self.items.labels();
        for &KernelItem { item, .. } in kernel {
            let next = self.items.next(item).and_then(|label| labels.as_nonterminal(label));
            if let Some(nonterminal) = next
                && self.seen.insert(nonterminal)
            {
                closed.push((nonterminal, None));
            }
        }
        let mut at = 0;
        while let Some(&(nonterminal, _)) = closed.get(at) {
            at += 1;
            for &first in self.begins.row(nonterminal) {
                if self.seen.insert(first) {
                    closed.push((first, None));
                }
            }
        }
        for &(nonterminal, _) in closed.iter() {
            self.seen.remove(nonterminal);
        }
    }
}

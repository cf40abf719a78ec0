//! Which nonterminals can stand in for which others: A for B if A derives B alone, beside symbols that derive nothing.
//!
//! A subtree of B may then replace one of A wherever it is. Example: with `argument: expr | NAME "=" expr` the tree of
//! `x=f(1)` as an argument can be replaced by that of `1`. A search from every nonterminal over the grammar.

use gramercy_analysis::Nullable;
use gramercy_base::{Id, IdSet};
use gramercy_grammar::{Cfg, NonterminalId, Symbol};

/// The relation, both ways.
#[derive(Debug)]
pub(super) struct Units {
    above: Vec<Vec<NonterminalId>>,
    below: Vec<IdSet<NonterminalId>>,
}

impl Units {
    pub(super) fn new(cfg: &Cfg) -> Self {
        let nullable = Nullable::of(cfg);
        let count = cfg.nonterminal_count();
        let mut steps: Vec<Vec<NonterminalId>> = vec![Vec::new(); count];
        for production in cfg.productions() {
            let rhs = cfg.rhs(production);
            let needed = rhs.iter().filter(|&&symbol| !nullable.symbol(symbol)).count();
            for &symbol in rhs {
                if let Symbol::Nonterminal(id) = symbol
                    && needed == usize::from(!nullable.symbol(symbol))
                {
                    steps[cfg.lhs(production).index()].push(id);
                }
            }
        }
        let mut above = vec![Vec::new(); count];
        let mut below = Vec::with_capacity(count);
        for from in cfg.nonterminals() {
            let mut reached = IdSet::new(count);
            let mut work = vec![from];
            reached.insert(from);
            while let Some(at) = work.pop() {
                above[at.index()].push(from);
                for &next in &steps[at.index()] {
                    if reached.insert(next) {
                        work.push(next);
                    }
                }
            }
            below.push(reached);
        }
        Self { above, below }
    }

    /// The nonterminals whose trees a tree of this one can replace, itself included.
    pub(super) fn above(&self, nonterminal: NonterminalId) -> &[NonterminalId] {
        &self.above[nonterminal.index()]
    }

    /// Whether a tree of `inner` can replace one of `outer`.
    pub(super) fn allows(&self, outer: NonterminalId, inner: NonterminalId) -> bool {
        self.below[outer.index()].contains(inner)
    }
}

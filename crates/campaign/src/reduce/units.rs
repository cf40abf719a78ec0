//! Which nonterminals can stand in for which others: A for B if A derives B alone, beside symbols that derive nothing.
//!
//! A subtree of B may then replace one of A wherever it is. Example: with `argument: expr | NAME "=" expr` the tree of
//! `x=f(1)` as an argument can be replaced by that of `1`. In the same way a token can stand in for a subtree: with
//! `value: STRING | object` the key of a member can replace the whole object. A search from every nonterminal over the
//! grammar.

use gramercy_analysis::Nullable;
use gramercy_base::{Id, IdSet};
use gramercy_grammar::{Cfg, NonterminalId, Symbol, TerminalId};

/// The relation, both ways.
#[derive(Debug)]
pub(super) struct Units {
    above: Vec<Vec<NonterminalId>>,
    below: Vec<IdSet<NonterminalId>>,
    above_terminals: Vec<Vec<NonterminalId>>,
}

impl Units {
    pub(super) fn new(cfg: &Cfg) -> Self {
        let nullable = Nullable::of(cfg);
        let count = cfg.nonterminal_count();
        let mut steps: Vec<Vec<NonterminalId>> = vec![Vec::new(); count];
        let mut leaves: Vec<Vec<TerminalId>> = vec![Vec::new(); count];
        for production in cfg.productions() {
            let rhs = cfg.rhs(production);
            let needed = rhs.iter().filter(|&&symbol| !nullable.symbol(symbol)).count();
            let lhs = cfg.lhs(production).index();
            for &symbol in rhs {
                if needed != usize::from(!nullable.symbol(symbol)) {
                    continue;
                }
                match symbol {
                    Symbol::Nonterminal(id) => steps[lhs].push(id),
                    Symbol::Terminal(id) => leaves[lhs].push(id),
                }
            }
        }
        let mut above = vec![Vec::new(); count];
        let mut above_terminals = vec![Vec::new(); cfg.terminal_count()];
        let mut below = Vec::with_capacity(count);
        for from in cfg.nonterminals() {
            let mut reached = IdSet::new(count);
            let mut work = vec![from];
            reached.insert(from);
            while let Some(at) = work.pop() {
                above[at.index()].push(from);
                for terminal in &leaves[at.index()] {
                    above_terminals[terminal.index()].push(from);
                }
                for &next in &steps[at.index()] {
                    if reached.insert(next) {
                        work.push(next);
                    }
                }
            }
            below.push(reached);
        }
        for known in &mut above_terminals {
            known.dedup();
        }
        Self { above, below, above_terminals }
    }

    /// The nonterminals whose trees a token of this type can replace.
    pub(super) fn above_terminal(&self, terminal: TerminalId) -> &[NonterminalId] {
        self.above_terminals.get(terminal.index()).map_or(&[], Vec::as_slice)
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

//! Reachable symbols: those that occur in some sentential form. Linear.

use gramercy_base::IdSet;
use gramercy_grammar::{Cfg, NonterminalId, ProductionId, Symbol, TerminalId};

/// The symbols that the start symbol reaches, productive or not.
#[derive(Clone, Debug)]
pub struct Reachable {
    nonterminals: IdSet<NonterminalId>,
    terminals: IdSet<TerminalId>,
}

impl Reachable {
    /// What the start symbol reaches.
    #[must_use]
    pub fn of(cfg: &Cfg) -> Self {
        Self::along(cfg, |_| true)
    }

    /// The symbols that the start symbol reaches through usable productions.
    pub(crate) fn along(cfg: &Cfg, usable: impl Fn(ProductionId) -> bool) -> Self {
        let mut nonterminals = IdSet::new(cfg.nonterminal_count());
        let mut terminals = IdSet::new(cfg.terminal_count());
        nonterminals.insert(cfg.start());
        let mut work = vec![cfg.start()];
        while let Some(nonterminal) = work.pop() {
            let usable = cfg.productions_of(nonterminal).iter().filter(|&&id| usable(id));
            for &symbol in usable.flat_map(|&production| cfg.rhs(production)) {
                match symbol {
                    Symbol::Terminal(terminal) => {
                        terminals.insert(terminal);
                    }
                    Symbol::Nonterminal(next) => {
                        if nonterminals.insert(next) {
                            work.push(next);
                        }
                    }
                }
            }
        }
        Self { nonterminals, terminals }
    }

    /// Whether a sentential form contains the symbol.
    #[must_use]
    pub fn contains(&self, symbol: Symbol) -> bool {
        match symbol {
            Symbol::Terminal(terminal) => self.terminals.contains(terminal),
            Symbol::Nonterminal(nonterminal) => self.nonterminals.contains(nonterminal),
        }
    }

    /// The reachable nonterminals.
    #[must_use]
    pub fn nonterminals(&self) -> &IdSet<NonterminalId> {
        &self.nonterminals
    }

    /// The reachable terminals.
    #[must_use]
    pub fn terminals(&self) -> &IdSet<TerminalId> {
        &self.terminals
    }
}

//! What some sentential form contains. Linear.

use gramercy_base::IdSet;
use gramercy_grammar::{Bnf, NonterminalId, ProductionId, Symbol, TerminalId};

/// The symbols that the start symbol reaches, whether they derive anything or not.
#[derive(Clone, Debug)]
pub struct Reachable {
    nonterminals: IdSet<NonterminalId>,
    terminals: IdSet<TerminalId>,
}

impl Reachable {
    /// What the start symbol reaches.
    #[must_use]
    pub fn of(bnf: &Bnf) -> Self {
        Self::along(bnf, |_| true)
    }

    /// What the start symbol reaches by these productions.
    pub(crate) fn along(bnf: &Bnf, usable: impl Fn(ProductionId) -> bool) -> Self {
        let mut nonterminals = IdSet::new(bnf.nonterminals().len());
        let mut terminals = IdSet::new(bnf.terminal_count());
        nonterminals.insert(bnf.start());
        let mut work = vec![bnf.start()];
        while let Some(nonterminal) = work.pop() {
            let usable = bnf.productions_of(nonterminal).iter().filter(|&&id| usable(id));
            for &symbol in usable.flat_map(|&production| bnf.rhs(production)) {
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

//! First sets: the terminals that can begin what a nonterminal derives. Linear, see
//! [`sides`](crate::sides).

use gramercy_base::IdSet;
use gramercy_grammar::{Cfg, NonterminalId, Symbol};

use crate::alphabet::{TerminalOrEnd, TerminalSets};
use crate::sides::{Side, outermost};
use crate::{Nullable, Productive};

/// For each nonterminal, the terminals that can begin a string of terminals that it derives. The
/// empty string is not in the sets; see [`Nullable`].
#[derive(Clone, Debug)]
pub struct First(TerminalSets);

impl First {
    /// The sets of a grammar. Only productive productions count.
    #[must_use]
    pub fn of(cfg: &Cfg, productive: &Productive, nullable: &Nullable) -> Self {
        Self(outermost(cfg, productive, nullable, Side::Left))
    }

    /// Whether `terminal` can begin what the nonterminal derives.
    #[must_use]
    pub fn contains(&self, nonterminal: NonterminalId, terminal: TerminalOrEnd) -> bool {
        self.0.contains(nonterminal, terminal)
    }

    /// The terminals that can begin what these symbols derive. Symbols after the first one that is
    /// not nullable contribute nothing.
    #[must_use]
    pub fn of_symbols(
        &self,
        cfg: &Cfg,
        nullable: &Nullable,
        symbols: &[Symbol],
    ) -> IdSet<TerminalOrEnd> {
        let mut set = IdSet::new(TerminalOrEnd::count(cfg));
        for &symbol in symbols {
            match symbol {
                Symbol::Terminal(terminal) => {
                    set.insert(terminal.into());
                }
                Symbol::Nonterminal(nonterminal) => {
                    set.union_with(self.0.row(nonterminal));
                }
            }
            if !nullable.symbol(symbol) {
                break;
            }
        }
        set
    }

    /// The sets as a table.
    #[must_use]
    pub fn sets(&self) -> &TerminalSets {
        &self.0
    }
}

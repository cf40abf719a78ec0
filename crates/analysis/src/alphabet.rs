//! The letters of a marked input ⊢ w $.
//!
//! Looking to the right of a symbol one sees a terminal or the end `$`, looking to the left a
//! terminal or the begin ⊢ (FACTS §5). Both markers are the one letter behind all terminals.

use gramercy_base::{BitMatrix, Id};
use gramercy_grammar::{Cfg, NonterminalId, TerminalId};

gramercy_base::define_id!(
    /// Terminals have the index of their [`TerminalId`]; the end comes after them.
    pub struct TerminalOrEnd, "a terminal, or the input's end on the side to which one looks");

impl TerminalOrEnd {
    /// The end of the input on the side to which one looks: `$` or ⊢.
    #[must_use]
    pub fn end(cfg: &Cfg) -> Self {
        Self::from_index(cfg.terminal_count())
    }

    /// The terminal, unless it is the end.
    #[must_use]
    pub fn terminal(self, cfg: &Cfg) -> Option<TerminalId> {
        (self != Self::end(cfg)).then(|| TerminalId::from_index(self.index()))
    }

    /// How many there are.
    #[must_use]
    pub fn count(cfg: &Cfg) -> usize {
        cfg.terminal_count() + 1
    }
}

impl From<TerminalId> for TerminalOrEnd {
    fn from(terminal: TerminalId) -> Self {
        Self::from_index(terminal.index())
    }
}

/// A set of terminals and the end for every nonterminal.
pub type TerminalSets = BitMatrix<NonterminalId, TerminalOrEnd>;

/// An empty set for every nonterminal.
pub(crate) fn empty_sets(cfg: &Cfg) -> TerminalSets {
    BitMatrix::new(cfg.nonterminal_count(), TerminalOrEnd::count(cfg))
}

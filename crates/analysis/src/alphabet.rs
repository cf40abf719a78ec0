//! The letters of a marked input ⊢ w $.
//!
//! To the right of a symbol is a terminal or the end `$`, to the left of it a terminal or the begin
//! ⊢. Both markers are the same letter, whose index is after all terminals.

use gramercy_base::{BitMatrix, Id};
use gramercy_grammar::{Cfg, NonterminalId, TerminalId};

gramercy_base::define_id!(
    /// Terminals have the index of their [`TerminalId`]; the marker comes after them.
    pub struct TerminalOrEnd, "a terminal, or the marker of the begin or the end of the input");

impl TerminalOrEnd {
    /// The marker: `$` on the right, ⊢ on the left.
    #[must_use]
    pub fn end(cfg: &Cfg) -> Self {
        Self::from_index(cfg.terminal_count())
    }

    /// The terminal, unless it is the marker.
    #[must_use]
    pub fn terminal(self, cfg: &Cfg) -> Option<TerminalId> {
        (self != Self::end(cfg)).then(|| TerminalId::from_index(self.index()))
    }

    /// The number of terminals and the marker.
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

/// A set of terminals and the marker for every nonterminal.
pub type TerminalSets = BitMatrix<NonterminalId, TerminalOrEnd>;

/// An empty set for every nonterminal.
pub(crate) fn empty_sets(cfg: &Cfg) -> TerminalSets {
    BitMatrix::new(cfg.nonterminal_count(), TerminalOrEnd::count(cfg))
}

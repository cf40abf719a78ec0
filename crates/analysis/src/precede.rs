//! Precede sets: what can come directly before a nonterminal. Linear, see [`sides`](crate::sides).

use gramercy_grammar::{Cfg, NonterminalId};

use crate::alphabet::{TerminalOrEnd, TerminalSets};
use crate::sides::{Side, neighbors};
use crate::{Last, Nullable, Useful};

/// For each nonterminal, the terminals that can precede it in the derivation of a sentence, and the
/// begin ⊢. A nonterminal that no sentence uses has an empty set.
#[derive(Clone, Debug)]
pub struct Precede(TerminalSets);

impl Precede {
    /// The sets of a grammar.
    #[must_use]
    pub fn of(cfg: &Cfg, useful: &Useful, nullable: &Nullable, last: &Last) -> Self {
        Self(neighbors(cfg, useful, nullable, last.sets(), Side::Left))
    }

    /// Whether `previous` can precede the nonterminal.
    #[must_use]
    pub fn contains(&self, nonterminal: NonterminalId, previous: TerminalOrEnd) -> bool {
        self.0.contains(nonterminal, previous)
    }

    /// The sets as a table.
    #[must_use]
    pub fn sets(&self) -> &TerminalSets {
        &self.0
    }
}

//! Follow sets: what can come directly after a nonterminal. Linear, see [`sides`](crate::sides).

use gramercy_grammar::{Cfg, NonterminalId};

use crate::alphabet::{TerminalOrEnd, TerminalSets};
use crate::sides::{Side, neighbors};
use crate::{First, Nullable, Useful};

/// For each nonterminal, the terminals that can follow it in the derivation of a sentence, and the
/// end `$`. A nonterminal that no sentence uses has an empty set.
#[derive(Clone, Debug)]
pub struct Follow(TerminalSets);

impl Follow {
    /// The sets of a grammar.
    #[must_use]
    pub fn of(cfg: &Cfg, useful: &Useful, nullable: &Nullable, first: &First) -> Self {
        Self(neighbors(cfg, useful, nullable, first.sets(), Side::Right))
    }

    /// Whether `next` can follow the nonterminal.
    #[must_use]
    pub fn contains(&self, nonterminal: NonterminalId, next: TerminalOrEnd) -> bool {
        self.0.contains(nonterminal, next)
    }

    /// The sets as a table.
    #[must_use]
    pub fn sets(&self) -> &TerminalSets {
        &self.0
    }
}

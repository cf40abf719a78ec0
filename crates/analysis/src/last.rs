//! Last sets: the terminals that can end what a nonterminal derives. Linear, see
//! [`sides`](crate::sides).

use gramercy_grammar::{Cfg, NonterminalId};

use crate::alphabet::{TerminalOrEnd, TerminalSets};
use crate::sides::{Side, outermost};
use crate::{Nullable, Productive};

/// For each nonterminal, the terminals that can end a string of terminals that it derives. The
/// empty string is not in the sets; see [`Nullable`].
#[derive(Clone, Debug)]
pub struct Last(TerminalSets);

impl Last {
    /// The sets of a grammar. Only productive productions count.
    #[must_use]
    pub fn of(cfg: &Cfg, productive: &Productive, nullable: &Nullable) -> Self {
        Self(outermost(cfg, productive, nullable, Side::Right))
    }

    /// Whether `terminal` can end what the nonterminal derives.
    #[must_use]
    pub fn contains(&self, nonterminal: NonterminalId, terminal: TerminalOrEnd) -> bool {
        self.0.contains(nonterminal, terminal)
    }

    /// The sets as a table.
    #[must_use]
    pub fn sets(&self) -> &TerminalSets {
        &self.0
    }
}

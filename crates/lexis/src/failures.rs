//! Places from which the automaton is known to find no further match, so that plain maximal munch,
//! which is quadratic at worst, stays linear (Reps, "Maximal-munch tokenization in linear time",
//! 1998): a state at a place, once followed to a dead end, is not followed again.
//!
//! Where Reps keeps every such pair, only runs that looked far beyond their match are kept, and of
//! those only every sixteenth place: real lexers keep nothing, and a later run goes at most fifteen
//! steps further than it needs to. Cost: a constant per byte and state.

use gramercy_base::{LimitReached, Set};

use crate::automaton::Lexer;
use crate::dfa::{Cell, Dfa};
use crate::scan::Run;

/// How many bytes beyond its match a run may look before that is remembered.
const FAR: usize = 64;
/// The distance in bytes between pairs that are kept.
const STRIDE: usize = 16;

/// Pairs of states and places from which nothing more is to be found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Failures {
    pairs: Set<(Cell, usize)>,
    until: usize,
}

impl Failures {
    /// The last place of any pair.
    pub(crate) fn until(&self) -> usize {
        self.until
    }

    /// Whether a run that matched up to `end` looked so far that the rest of it should be kept.
    #[inline]
    pub(crate) fn are_worth_keeping(end: usize, looked: usize) -> bool {
        looked - end > FAR
    }

    pub(crate) fn contain(&self, cell: Cell, at: usize) -> bool {
        at.is_multiple_of(STRIDE) && self.pairs.contains(&(cell, at))
    }

    /// Keeps what a finished run showed: nothing is to be found after its match.
    #[cold]
    pub(crate) fn keep(
        &mut self,
        lexer: &Lexer,
        dfa: &mut Dfa,
        text: &str,
        finished: Run,
    ) -> Result<(), LimitReached> {
        if finished.last == Cell::DEAD {
            return Ok(());
        }
        let mut again = Run { cell: finished.last, at: finished.end, ..finished };
        while again.at < finished.at && again.any_step(lexer, dfa, text)? {
            if again.at.is_multiple_of(STRIDE) {
                self.pairs.insert((again.cell, again.at));
                self.until = self.until.max(again.at);
            }
        }
        Ok(())
    }
}

//! Tokens that must not be neighbours: read side by side they are others, and no separator helps.
//!
//! Which pairs these are is learned from candidates that could not be written. A search that knows them chooses
//! other tokens around what is fixed.
//!
//! Example: `row: field TAB field; field: TEXT | STRING;` where a `TEXT` may contain what a `TAB` is. The cheapest
//! tree for `TAB` is `TEXT TAB TEXT`. It is rejected, and the pair (`TEXT`, `TAB`) is learned; the next candidate
//! is `STRING TAB TEXT`, which teaches (`TAB`, `TEXT`); then `STRING TAB STRING` is found.

use gramercy_base::Set;
use gramercy_grammar::TerminalId;
use gramercy_lexis::Modes;

use crate::obstacle::Inseparable;

/// Pairs of tokens that must not be neighbours.
#[derive(Clone, Debug, Default)]
pub struct InseparablePairs {
    pairs: Set<Inseparable>,
    /// The left tokens of all pairs.
    lefts: Set<TerminalId>,
}

impl InseparablePairs {
    /// Adds a pair; `false` if it was known.
    pub fn insert(&mut self, pair: Inseparable) -> bool {
        self.lefts.insert(pair.0);
        self.pairs.insert(pair)
    }

    /// Where a text stands after a token that leaves the lexer in some modes; `None` if the token must not follow
    /// there.
    pub(super) fn step(&self, from: Position, token: TerminalId, modes: Modes) -> Option<Position> {
        let is_allowed = from.last.is_none_or(|last| !self.pairs.contains(&(last, token)));
        let last = Some(token).filter(|token| self.lefts.contains(token));
        is_allowed.then_some(Position { modes, last })
    }
}

/// Where a text stands between two tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Position {
    /// The modes that the lexer may be in.
    pub(super) modes: Modes,
    /// The token before, if some token must not follow it.
    last: Option<TerminalId>,
}

impl Position {
    /// The beginning of a text.
    pub(super) fn at_start(modes: Modes) -> Self {
        Self { modes, last: None }
    }
}

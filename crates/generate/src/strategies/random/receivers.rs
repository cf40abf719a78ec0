//! Who takes a leftmost derivation as it is made: a draft with all of it, or who wants less.

use gramercy_base::Id;
use gramercy_grammar::{ProductionId, TerminalId};

use crate::draft::Draft;
use crate::strategies::random::runs::{Run, Runs, WIDE};

/// Takes a leftmost derivation as it is made.
pub(super) trait Receiver {
    /// Whether productions matter. Where they do not, parts without tokens are left out.
    const WANTS_TREE: bool;

    /// Takes a production; its parts follow.
    fn production(&mut self, production: ProductionId);

    /// Takes a token.
    fn token(&mut self, token: TerminalId);

    /// Takes the tokens of a run.
    #[inline]
    fn run(&mut self, run: Run, runs: &Runs) {
        runs.tokens(run).iter().for_each(|&token| self.token(token));
    }

    /// How many tokens it has.
    fn token_count(&self) -> usize;

    /// Forgets everything.
    fn restart(&mut self);
}

impl Receiver for Draft {
    const WANTS_TREE: bool = true;

    #[inline]
    fn production(&mut self, production: ProductionId) {
        self.productions.push(production);
    }

    #[inline]
    fn token(&mut self, token: TerminalId) {
        self.tokens.push(token);
    }

    fn token_count(&self) -> usize {
        self.tokens.len()
    }

    fn restart(&mut self) {
        self.clear();
    }
}

/// The sentence of a draft, in the making.
pub(super) struct Sentence<'d> {
    /// The tokens, and room behind them.
    tokens: &'d mut Vec<TerminalId>,
    len: usize,
}

impl<'d> Sentence<'d> {
    /// That of an empty draft, with as much room as the draft has.
    pub(super) fn of(draft: &'d mut Draft) -> Self {
        let tokens = &mut draft.tokens;
        tokens.resize(tokens.capacity(), TerminalId::from_index(0));
        Self { tokens, len: 0 }
    }

    /// Makes room for a piece, and more as there are more tokens.
    #[cold]
    fn make_room(&mut self) {
        self.tokens.resize(2 * self.len + WIDE, TerminalId::from_index(0));
    }

    #[inline(never)]
    fn long_run(&mut self, run: Run, runs: &Runs) {
        runs.tokens(run).iter().for_each(|&token| self.token(token));
    }

    /// The sentence is complete.
    pub(super) fn finish(self) {
        self.tokens.truncate(self.len);
    }
}

impl Receiver for Sentence<'_> {
    const WANTS_TREE: bool = false;

    #[inline]
    fn production(&mut self, _: ProductionId) {}

    #[inline]
    fn token(&mut self, token: TerminalId) {
        if self.len == self.tokens.len() {
            self.make_room();
        }
        self.tokens[self.len] = token;
        self.len += 1;
    }

    #[inline(always)]
    fn run(&mut self, run: Run, runs: &Runs) {
        if run.len() > WIDE {
            return self.long_run(run, runs);
        }
        if self.tokens.len() < self.len + WIDE {
            self.make_room();
        }
        self.tokens[self.len..self.len + WIDE].copy_from_slice(runs.piece(run));
        self.len += run.len();
    }

    fn token_count(&self) -> usize {
        self.len
    }

    fn restart(&mut self) {
        self.len = 0;
    }
}

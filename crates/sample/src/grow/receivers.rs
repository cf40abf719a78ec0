//! Who takes a leftmost derivation as it is made: a candidate with all of it, or who wants less.

use gramercy_base::Id;
use gramercy_grammar::{ProductionId, TerminalId};

use crate::fast::runs::{Run, Runs, WIDE};
use gramercy_derive::candidate::Candidate;

/// Takes a leftmost derivation as it is made.
pub(crate) trait Receiver {
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

    /// Records that the rest of the derivation is closed off, since it is large enough.
    fn close_off(&mut self);

    /// Forgets everything.
    fn restart(&mut self);
}

impl Receiver for Candidate {
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

    fn close_off(&mut self) {
        self.is_closed_off = true;
    }

    fn restart(&mut self) {
        self.clear();
    }
}

/// A list in memory that is used again, with room after it, so that some items are copied at once whether
/// all of them are wanted or not.
pub(crate) struct Roomy<'m, T, const WIDE: usize> {
    items: &'m mut Vec<T>,
    len: usize,
}

impl<'m, T: Id, const WIDE: usize> Roomy<'m, T, WIDE> {
    /// An empty one.
    pub(crate) fn new(items: &'m mut Vec<T>) -> Self {
        items.resize(items.capacity(), T::from_index(0));
        Self { items, len: 0 }
    }

    /// What is in it.
    #[inline]
    pub(crate) fn items(&self) -> &[T] {
        &self.items[..self.len]
    }

    #[inline]
    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    #[inline]
    pub(crate) fn push(&mut self, item: T) {
        if self.len == self.items.len() {
            self.make_room();
        }
        self.items[self.len] = item;
        self.len += 1;
    }

    /// Appends the first of some items.
    #[inline(always)]
    pub(crate) fn append(&mut self, from: &[T; WIDE], len: usize) {
        if self.items.len() < self.len + WIDE {
            self.make_room();
        }
        self.items[self.len..self.len + WIDE].copy_from_slice(from);
        self.len += len;
    }

    /// Makes room for some more, and the more as there are more.
    #[cold]
    fn make_room(&mut self) {
        self.items.resize(2 * self.len + WIDE, T::from_index(0));
    }

    /// Gives the room back.
    fn finish(self) {
        self.items.truncate(self.len);
    }
}

/// The sentence of a candidate, in the making.
pub(crate) struct Sentence<'d> {
    tokens: Roomy<'d, TerminalId, WIDE>,
    is_closed_off: &'d mut bool,
}

impl<'d> Sentence<'d> {
    /// That of an empty candidate.
    pub(crate) fn of(candidate: &'d mut Candidate) -> Self {
        let Candidate { tokens, is_closed_off, .. } = candidate;
        Self { tokens: Roomy::new(tokens), is_closed_off }
    }

    #[inline(never)]
    fn long_run(&mut self, run: Run, runs: &Runs) {
        runs.tokens(run).iter().for_each(|&token| self.token(token));
    }

    /// The sentence is complete.
    pub(crate) fn finish(self) {
        self.tokens.finish();
    }
}

impl Receiver for Sentence<'_> {
    const WANTS_TREE: bool = false;

    #[inline]
    fn production(&mut self, _: ProductionId) {}

    #[inline]
    fn token(&mut self, token: TerminalId) {
        self.tokens.push(token);
    }

    #[inline(always)]
    fn run(&mut self, run: Run, runs: &Runs) {
        if run.len() > WIDE {
            return self.long_run(run, runs);
        }
        self.tokens.append(runs.block(run), run.len());
    }

    fn token_count(&self) -> usize {
        self.tokens.items().len()
    }

    fn close_off(&mut self) {
        *self.is_closed_off = true;
    }

    fn restart(&mut self) {
        self.tokens.clear();
        *self.is_closed_off = false;
    }
}

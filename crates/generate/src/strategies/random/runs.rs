//! Runs of tokens that are put down again and again.
//!
//! Equal runs are kept once, and so all of them stay near the processor; they are copied in pieces of fixed
//! length, which needs no loop and no branch.

use gramercy_base::{Id, IndexMap};
use gramercy_grammar::TerminalId;

/// Tokens that are copied at once.
pub(super) const WIDE: usize = 8;

/// A run of tokens: its first piece, and how many tokens it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    first: u32,
    len: u32,
}

impl Run {
    /// How many tokens it has.
    #[inline]
    pub(super) fn len(self) -> usize {
        self.len as usize
    }

    /// The place for what is known of it.
    #[inline]
    pub(super) fn place(self) -> usize {
        self.first as usize
    }
}

/// All runs, in pieces.
#[derive(Debug)]
pub(super) struct Runs {
    pieces: Vec<[TerminalId; WIDE]>,
    known: IndexMap<Box<[TerminalId]>, Run>,
}

impl Runs {
    pub(super) fn new() -> Self {
        Self { pieces: Vec::new(), known: IndexMap::default() }
    }

    /// Keeps a run.
    pub(super) fn keep(&mut self, run: &[TerminalId]) -> Run {
        if let Some(&known) = self.known.get(run) {
            return known;
        }
        let kept = Run { first: fit(self.pieces.len()), len: fit(run.len()) };
        let mut rest = run;
        // Even the empty run has a piece.
        while self.pieces.len() == kept.first as usize || !rest.is_empty() {
            let (now, later) = rest.split_at(rest.len().min(WIDE));
            let mut piece = [TerminalId::from_index(0); WIDE];
            piece[..now.len()].copy_from_slice(now);
            self.pieces.push(piece);
            rest = later;
        }
        self.known.insert(run.into(), kept);
        kept
    }

    /// The tokens of a run.
    #[inline]
    pub(super) fn tokens(&self, run: Run) -> &[TerminalId] {
        &self.pieces[run.first as usize..].as_flattened()[..run.len as usize]
    }

    /// The first tokens of a run, and behind them others if it is short.
    #[inline]
    pub(super) fn piece(&self, run: Run) -> &[TerminalId; WIDE] {
        &self.pieces[run.first as usize]
    }

    /// All runs.
    pub(super) fn all(&self) -> impl Iterator<Item = Run> {
        self.known.values().copied()
    }

    /// How many places there are for what is known of runs.
    pub(super) fn places(&self) -> usize {
        self.pieces.len()
    }
}

fn fit(n: usize) -> u32 {
    u32::try_from(n).expect("invariant: runs are bounded")
}

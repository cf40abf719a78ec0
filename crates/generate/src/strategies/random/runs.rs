//! Runs of tokens that are put into sentences again and again. Equal ones are kept once, and so all of them
//! stay near the processor; they are copied in pieces of fixed length, which needs no loop and no branch.

use gramercy_base::{Id, Map};
use gramercy_grammar::TerminalId;

use crate::draft::{Receiver, WIDE};

/// A run: where it lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    start: u32,
    len: u32,
}

/// All runs, one behind the other.
#[derive(Debug)]
pub(super) struct Runs {
    /// Behind the last run there is room for a piece.
    tokens: Vec<TerminalId>,
    known: Map<Box<[TerminalId]>, Run>,
}

impl Runs {
    pub(super) fn new() -> Self {
        Self { tokens: vec![TerminalId::from_index(0); WIDE], known: Map::default() }
    }

    /// Keeps a run.
    pub(super) fn keep(&mut self, run: &[TerminalId]) -> Run {
        if let Some(&known) = self.known.get(run) {
            return known;
        }
        let fit = |n: usize| u32::try_from(n).expect("invariant: runs are bounded");
        let start = self.tokens.len() - WIDE;
        self.tokens.splice(start..start, run.iter().copied());
        let kept = Run { start: fit(start), len: fit(run.len()) };
        self.known.insert(run.into(), kept);
        kept
    }

    /// The tokens of a run.
    pub(super) fn tokens(&self, run: Run) -> &[TerminalId] {
        &self.tokens[run.start as usize..][..run.len as usize]
    }

    /// Puts a run behind what was received.
    #[inline]
    pub(super) fn put(&self, run: Run, into: &mut impl Receiver) {
        let (from, len) = (&self.tokens[run.start as usize..], run.len as usize);
        match from.first_chunk() {
            Some(piece) if len <= WIDE => into.piece(piece, len),
            _ => self.tokens(run).iter().for_each(|&token| into.token(token)),
        }
    }
}

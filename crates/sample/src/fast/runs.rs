//! Runs of tokens that are put down again and again.
//!
//! Equal runs are kept once, and so all of them stay near the processor; they are copied in blocks of fixed
//! length, which needs no loop and no branch.

use gramercy_base::{Id, IndexMap, to_u32};
use gramercy_grammar::TerminalId;

/// Tokens that are copied at once.
pub(crate) const WIDE: usize = 8;

/// A run of tokens: its first block, and how many tokens it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    first: u32,
    len: u32,
}

impl Run {
    /// How many tokens it has.
    #[inline]
    pub(crate) fn len(self) -> usize {
        self.len as usize
    }

    /// The place for what is known of it.
    #[inline]
    pub(crate) fn place(self) -> usize {
        self.first as usize
    }
}

/// All runs, in blocks.
#[derive(Debug)]
pub(crate) struct Runs {
    blocks: Vec<[TerminalId; WIDE]>,
    known: IndexMap<Box<[TerminalId]>, Run>,
}

impl Runs {
    pub(crate) fn new() -> Self {
        Self { blocks: Vec::new(), known: IndexMap::default() }
    }

    /// Keeps a run.
    pub(crate) fn keep(&mut self, run: &[TerminalId]) -> Run {
        if let Some(&known) = self.known.get(run) {
            return known;
        }
        let kept = Run { first: to_u32(self.blocks.len()), len: to_u32(run.len()) };
        let mut rest = run;
        // Even the empty run has a block.
        while self.blocks.len() == kept.first as usize || !rest.is_empty() {
            let (now, later) = rest.split_at(rest.len().min(WIDE));
            let mut block = [TerminalId::from_index(0); WIDE];
            block[..now.len()].copy_from_slice(now);
            self.blocks.push(block);
            rest = later;
        }
        self.known.insert(run.into(), kept);
        kept
    }

    /// The tokens of a run.
    #[inline]
    pub(crate) fn tokens(&self, run: Run) -> &[TerminalId] {
        &self.blocks[run.first as usize..].as_flattened()[..run.len as usize]
    }

    /// The first tokens of a run, and after them others if it is short.
    #[inline]
    pub(crate) fn block(&self, run: Run) -> &[TerminalId; WIDE] {
        &self.blocks[run.first as usize]
    }

    /// All runs.
    pub(crate) fn all(&self) -> impl Iterator<Item = Run> {
        self.known.values().copied()
    }

    /// How many places there are for what is known of runs.
    pub(crate) fn places(&self) -> usize {
        self.blocks.len()
    }
}

//! Whether one deep stack is in a set of stacks.
//!
//! Walking down both costs the depth of the stack, which may be that of the input. So the stack is cut into blocks of 1, 2,
//! 4, … return states, aligned from its bottom, and equal blocks have equal numbers; deep stacks come from recursion and consist
//! of few different ones. Where a set of stacks comes to by taking a block off its top is kept.
//!
//! **Example.** Of 13 return states from the bottom, those at 8 to 11 are a block and 0 to 7 are one. From the top: take the state
//! at 12 off, then the block of four, then the block of eight; what is left must contain the empty stack.
//!
//! A look-up for each bit of the depth, once the blocks are known to the sets.

use gramercy_base::Map;

use crate::contexts::{ContextId, Contexts, END};

/// The blocks of the real stack, and what is known about them.
#[derive(Clone, Debug, Default)]
pub(super) struct StackBlocks {
    /// For every depth, the numbers of the blocks that end there, the smallest first.
    ending: Vec<u32>,
    /// Where the blocks of a depth end in `ending`.
    ends: Vec<u32>,
    numbers: Map<Halves, u32>,
    /// For every block, what it is made of.
    blocks: Vec<Halves>,
    without: Map<(ContextId, u32), Option<ContextId>>,
}

/// What a block is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Halves {
    /// One return state.
    Single(u32),
    /// Two blocks of the same length, the lower one first.
    Pair(u32, u32),
}

/// What is known about taking blocks off is dropped beyond this size.
const MAX_KNOWN: usize = 1 << 23;

impl StackBlocks {
    /// Takes return states off the stack until it has at most this many.
    pub(super) fn truncate(&mut self, depth: usize) {
        if depth < self.ends.len() {
            self.ends.truncate(depth);
            self.ending.truncate(self.ends.last().map_or(0, |&end| end as usize));
        }
    }

    /// Puts a return state on the stack.
    pub(super) fn push(&mut self, return_state: u32) {
        let mut block = self.number(Halves::Single(return_state));
        self.ending.push(block);
        let depth = self.ends.len() + 1;
        for level in 0..depth.trailing_zeros() {
            // The lower half ends where this one begins.
            let lower = self.block(depth - (1 << level), level);
            block = self.number(Halves::Pair(lower, block));
            self.ending.push(block);
        }
        self.ends.push(u32::try_from(self.ending.len()).expect("invariant: calls fit"));
    }

    /// Whether the stack is in a set.
    pub(super) fn is_in(&mut self, contexts: &Contexts, set: ContextId) -> bool {
        if self.without.len() > MAX_KNOWN {
            self.without.clear();
        }
        let (mut set, mut depth) = (set, self.ends.len());
        while depth > 0 {
            let level = depth.trailing_zeros();
            match self.take_off(contexts, set, self.block(depth, level)) {
                Some(rest) => set = rest,
                None => return false,
            }
            depth -= 1 << level;
        }
        contexts.entries(set).last().is_some_and(|&(state, _)| state == END)
    }

    /// The bytes that it takes, roughly.
    pub(super) fn memory(&self) -> usize {
        let stack = (self.ending.capacity() + self.ends.capacity()) * size_of::<u32>();
        stack + self.without.capacity() * 20 + self.blocks.capacity() * 32
    }

    /// The block of 2 to the power of `level` return states that ends at a depth.
    fn block(&self, depth: usize, level: u32) -> u32 {
        let from = depth.checked_sub(2).map_or(0, |before| self.ends[before]);
        self.ending[from as usize + level as usize]
    }

    fn number(&mut self, halves: Halves) -> u32 {
        let blocks = &mut self.blocks;
        *self.numbers.entry(halves).or_insert_with(|| {
            blocks.push(halves);
            u32::try_from(blocks.len() - 1).expect("invariant: blocks fit in 32 bits")
        })
    }

    /// The stacks of a set that have a block on top, without it. It recurses once for each halving of the block.
    fn take_off(&mut self, contexts: &Contexts, set: ContextId, block: u32) -> Option<ContextId> {
        match self.blocks[block as usize] {
            Halves::Single(state) => contexts.pop(set, state),
            Halves::Pair(lower, upper) => {
                if let Some(&known) = self.without.get(&(set, block)) {
                    return known;
                }
                let rest = self.take_off(contexts, set, upper);
                let rest = rest.and_then(|rest| self.take_off(contexts, rest, lower));
                self.without.insert((set, block), rest);
                rest
            }
        }
    }
}

//! Random choices that depend only on the seed.

use gramercy_base::Draw;

/// A stream of choices.
pub(crate) struct Dice(Draw);

impl Dice {
    /// The choices of one input.
    pub(crate) fn new(seed: u64, index: u64) -> Self {
        Self(Draw::new([seed, index, 0, 0]))
    }

    /// A number below `bound`; 0 if `bound` is 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0.below(bound)
    }

    /// True in one of `times` cases on average.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// A range of a sequence; short ones are more likely.
    pub(crate) fn range(&mut self, length: usize) -> std::ops::Range<usize> {
        let start = self.below(length + 1);
        let most = 1 << self.below(12);
        let end = start + self.below(most.min(length - start) + 1);
        start..end
    }
}

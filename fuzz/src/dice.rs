//! Random choices that are the same for the same seed: SplitMix64 of Steele, Lea and Flood,
//! "Fast splittable pseudorandom number generators".

/// A stream of choices.
pub(crate) struct Dice(u64);

impl Dice {
    /// The choices of one input.
    pub(crate) fn new(seed: u64, index: u64) -> Self {
        let mut dice = Self(seed);
        dice.0 = dice.next() ^ index;
        dice
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`; 0 if that is 0. The bias is too small to matter here.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let bound = bound.max(1) as u64;
        usize::try_from(self.next() % bound).expect("invariant: it is below a usize")
    }

    /// Yes, one time in `times`.
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

//! Random numbers for tests.

/// A generator of numbers (splitmix64) with the same results on every machine.
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// A number below a bound that is not 0.
    ///
    /// # Panics
    /// Never: the number is below the bound.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        let z = z ^ (z >> 31);
        usize::try_from((u128::from(z) * bound as u128) >> 64).expect("below the bound")
    }

    /// True in one of `n` cases on average.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// A random element.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

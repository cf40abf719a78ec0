//! Deterministic pseudo-random numbers: a stream depends only on the keys it is created from
//! (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014: splitmix64).

/// A stream of pseudo-random numbers.
#[derive(Clone, Debug)]
pub struct Draw(u64);

impl Draw {
    /// The stream that these keys determine.
    #[must_use]
    pub fn new(keys: [u64; 4]) -> Self {
        keys.into_iter().fold(Self(0), |draw, key| Self(mix(draw.0 ^ key.wrapping_add(GOLDEN))))
    }

    /// The next number.
    #[inline]
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN);
        mix(self.0)
    }

    /// Skips a number of draws.
    #[inline]
    pub fn skip(&mut self, numbers: u64) {
        self.0 = self.0.wrapping_add(GOLDEN.wrapping_mul(numbers));
    }

    /// The next number, below `bound`; 0 if `bound` is 0.
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        let wide = u128::from(self.number()) * bound as u128;
        usize::try_from(wide >> 64).expect("invariant: below the bound")
    }

    /// The next number in [0, 1).
    #[inline]
    #[expect(clippy::cast_precision_loss, reason = "an f64 has 53 bits of precision")]
    pub fn share(&mut self) -> f64 {
        const BITS: u32 = f64::MANTISSA_DIGITS;
        (self.number() >> (u64::BITS - BITS)) as f64 / (1_u64 << BITS) as f64
    }
}

const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

fn mix(z: u64) -> u64 {
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::Draw;

    #[test]
    fn equal_keys_draw_equal_numbers_and_others_do_not() {
        let draw = |keys| {
            let mut draw = Draw::new(keys);
            (0..8).map(|_| draw.below(1000)).collect::<Vec<_>>()
        };
        assert_eq!(draw([1, 2, 3, 4]), draw([1, 2, 3, 4]));
        assert_ne!(draw([1, 2, 3, 4]), draw([1, 2, 4, 3]));
        assert!((0..1000).all(|seed| Draw::new([seed, 0, 0, 0]).below(7) < 7));
        assert_eq!(Draw::new([0; 4]).below(0), 0);
        let (mut one, mut other) = (Draw::new([5; 4]), Draw::new([5; 4]));
        (0..7).for_each(|_| _ = one.number());
        other.skip(7);
        assert_eq!(one.number(), other.number());
        let shares: Vec<f64> = (0..1000).map(|seed| Draw::new([seed, 0, 0, 0]).share()).collect();
        assert!(shares.iter().all(|share| (0.0..1.0).contains(share)));
        assert!((shares.iter().sum::<f64>() / 1000.0 - 0.5).abs() < 0.05);
    }
}

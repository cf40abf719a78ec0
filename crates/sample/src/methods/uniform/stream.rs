//! Random numbers for exactly uniform choices: ChaCha with 8 rounds (Bernstein, "ChaCha, a variant of Salsa20", SASC
//! 2008). The 256 bits of its key are the seed, the number of the test, the attempt and a purpose, so each test has
//! a stream of its own and tests are made in any order.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use dashu_int::UBig;
use dashu_int::ops::BitTest;

/// A stream of random numbers.
#[derive(Debug)]
pub struct Stream {
    keys: [u64; 4],
    numbers: ChaCha8Rng,
    drawn: u64,
}

/// Set in the last key of streams that continue one number of another stream.
const CONTINUED: u64 = 1 << 63;

impl Stream {
    /// The stream of these keys.
    #[must_use]
    pub fn new(keys: [u64; 4]) -> Self {
        let mut seed = [0; 32];
        for (bytes, key) in seed.chunks_exact_mut(8).zip(keys) {
            bytes.copy_from_slice(&key.to_le_bytes());
        }
        Self { keys, numbers: ChaCha8Rng::from_seed(seed), drawn: 0 }
    }

    /// The next 64 bits.
    #[inline]
    pub fn number(&mut self) -> u64 {
        self.drawn += 1;
        self.numbers.next_u64()
    }

    /// The bits that continue the number drawn last, so that together they are a real number of any precision. They
    /// come from a stream of their own: what is drawn later does not depend on whether they are asked for.
    #[must_use]
    pub fn continuation(&self) -> Self {
        let [seed, number, attempt, purpose] = self.keys;
        Self::new([seed, number, attempt ^ (self.drawn << 32), purpose | CONTINUED])
    }

    /// A number below a bound that is not zero, each with exactly the same probability.
    pub fn below(&mut self, bound: &UBig) -> UBig {
        let bits = (bound - UBig::ONE).bit_len();
        loop {
            let words: Vec<u64> = (0..bits.div_ceil(64)).map(|_| self.number()).collect();
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            let mut drawn = UBig::from_le_bytes(&bytes);
            drawn.clear_high_bits(bits);
            if &drawn < bound {
                return drawn;
            }
        }
    }

    /// A number from 0 to below 1, with the precision of a double.
    #[expect(clippy::cast_precision_loss, reason = "53 bits are what such a number has")]
    pub fn share(&mut self) -> f64 {
        (self.number() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use dashu_int::UBig;

    use super::Stream;

    #[test]
    fn streams_differ_by_every_key_and_are_the_same_for_equal_ones() {
        let first = |keys| Stream::new(keys).number();
        let base = first([1, 2, 3, 4]);
        assert_eq!(base, first([1, 2, 3, 4]));
        for keys in [[0, 2, 3, 4], [1, 0, 3, 4], [1, 2, 0, 4], [1, 2, 3, 0]] {
            assert_ne!(base, first(keys));
        }
        let mut stream = Stream::new([1, 2, 3, 4]);
        stream.number();
        let mut continued = stream.continuation();
        let next = stream.number();
        assert_ne!(continued.number(), next);
        assert_ne!(stream.continuation().number(), Stream::new([1, 2, 3, 4]).number());
    }

    #[test]
    fn numbers_below_a_bound_are_equally_likely() {
        let mut stream = Stream::new([7, 0, 0, 0]);
        for bound in [1_u32, 2, 3, 5, 6] {
            let mut found = vec![0_u32; bound as usize];
            for _ in 0..6000 {
                let drawn = stream.below(&UBig::from(bound));
                found[usize::try_from(drawn).expect("it is small")] += 1;
            }
            let expected = 6000.0 / f64::from(bound);
            let chi: f64 =
                found.iter().map(|&n| (f64::from(n) - expected).powi(2) / expected).sum();
            assert!(chi < 25.0, "{bound}: {chi}");
        }
        let bound = UBig::ONE << 200;
        assert!(stream.below(&bound) < bound);
    }
}

//! Fingerprints of 128 bits: two values with the same fingerprint count as equal.
//!
//! Two independent lanes multiply and fold the halves of the product. Among a billion values, the
//! probability of any collision is below 10⁻²⁰. Not secure against deliberately chosen collisions.
//! Linear; a few instructions per word.

/// A fingerprint under construction.
#[derive(Clone, Copy, Debug)]
pub struct Fingerprint {
    lanes: [u64; 2],
    words: u64,
}

const STARTS: [u64; 2] = [0x243F_6A88_85A3_08D3, 0x1319_8A2E_0370_7344];
const FACTORS: [u64; 2] = [0x9E37_79B9_7F4A_7C15, 0xD6E8_FEB8_6659_FD93];

impl Default for Fingerprint {
    fn default() -> Self {
        Self { lanes: STARTS, words: 0 }
    }
}

impl Fingerprint {
    /// Adds a word.
    #[inline]
    pub fn add(&mut self, word: u64) {
        self.words += 1;
        for ((lane, factor), start) in self.lanes.iter_mut().zip(FACTORS).zip(STARTS) {
            *lane = fold(*lane ^ word, factor).wrapping_add(start);
        }
    }

    /// Adds the bytes of a text and its length.
    #[inline]
    pub fn add_text(&mut self, text: &str) {
        self.add_bytes(text.as_bytes());
    }

    /// Adds bytes and their number.
    #[inline]
    pub fn add_bytes(&mut self, bytes: &[u8]) {
        let (chunks, rest) = bytes.as_chunks::<8>();
        chunks.iter().for_each(|&chunk| self.add(u64::from_le_bytes(chunk)));
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        self.add(u64::from_le_bytes(last));
        self.add(bytes.len() as u64);
    }

    /// Adds everything that was added to another fingerprint.
    #[inline]
    pub fn add_print(&mut self, other: Self) {
        other.lanes.into_iter().chain([other.words]).for_each(|word| self.add(word));
    }

    /// The fingerprint of everything that was added.
    #[inline]
    #[must_use]
    pub fn finish(mut self) -> u128 {
        self.add(self.words);
        u128::from(self.lanes[0]) << 64 | u128::from(self.lanes[1])
    }
}

/// The exclusive or of both halves of a product.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the halves of a product")]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ ((product >> 64) as u64)
}

#[cfg(test)]
mod tests {
    use super::Fingerprint;
    use crate::Set;

    fn of_words(words: &[u64]) -> u128 {
        let mut print = Fingerprint::default();
        words.iter().for_each(|&word| print.add(word));
        print.finish()
    }

    fn of_text(text: &str) -> u128 {
        let mut print = Fingerprint::default();
        print.add_text(text);
        print.finish()
    }

    #[test]
    fn short_lists_of_small_words_differ() {
        let mut prints = Set::default();
        let mut lists = vec![vec![]];
        for _ in 0..4 {
            let longer = lists.iter().flat_map(|list: &Vec<u64>| {
                (0..8).map(move |word| list.iter().copied().chain([word]).collect())
            });
            lists = longer.collect();
            assert!(lists.iter().all(|list| prints.insert(of_words(list))));
        }
        // Each half alone distinguishes them too.
        assert_eq!(prints.iter().map(|print| print >> 64).collect::<Set<_>>().len(), prints.len());
    }

    #[test]
    fn texts_differ_by_length_too() {
        let texts = ["", "\0", "\0\0", "a", "a\0", "abcdefgh", "abcdefgh\0", "abcdefghi"];
        let prints: Set<u128> = texts.iter().map(|text| of_text(text)).collect();
        assert_eq!(prints.len(), texts.len());
    }
}

//! Interned lists: kernels of states, sets of lookaheads.
//!
//! Lists are concatenated in [`Rows`]; an open hash table with linear probing, at most half full,
//! finds a list by its hash. A lookup takes one hash and usually one comparison.

use std::hash::{Hash, Hasher};

use gramercy_analysis::Rows;
use gramercy_base::Id;
use rustc_hash::FxHasher;

/// One list per id; no two are equal.
pub(crate) struct Interner<I, T> {
    rows: Rows<I, T>,
    /// A part of each list's hash, to avoid comparisons and to rehash.
    hashes: Vec<u32>,
    slots: Vec<Option<I>>,
}

impl<I: Id, T: Copy + Eq + Hash> Interner<I, T> {
    pub(crate) fn new() -> Self {
        Self { rows: Rows::new(), hashes: Vec::new(), slots: vec![None; 64] }
    }

    /// The id of a list, and whether it is new.
    pub(crate) fn intern(&mut self, list: &[T]) -> (I, bool) {
        let hash = hash(list);
        let mut at = self.home(hash);
        while let Some(known) = self.slots[at] {
            if self.hashes[known.index()] == hash && self.rows.row(known) == list {
                return (known, false);
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
        let new = self.rows.push(list.iter().copied());
        self.hashes.push(hash);
        self.slots[at] = Some(new);
        if self.rows.len() * 2 > self.slots.len() {
            self.grow();
        }
        (new, true)
    }

    fn home(&self, hash: u32) -> usize {
        hash as usize & (self.slots.len() - 1)
    }

    fn grow(&mut self) {
        self.slots = vec![None; self.slots.len() * 2];
        for (id, &hash) in self.rows.ids().zip(&self.hashes) {
            let mut at = self.home(hash);
            while self.slots[at].is_some() {
                at = (at + 1) & (self.slots.len() - 1);
            }
            self.slots[at] = Some(id);
        }
    }

    pub(crate) fn row(&self, id: I) -> &[T] {
        self.rows.row(id)
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(crate) fn into_rows(self) -> Rows<I, T> {
        self.rows
    }
}

#[expect(clippy::cast_possible_truncation, reason = "half of a hash is a hash")]
fn hash<T: Hash>(list: &[T]) -> u32 {
    let mut hasher = FxHasher::default();
    list.iter().for_each(|item| item.hash(&mut hasher));
    hasher.finish() as u32
}

#[cfg(test)]
mod tests {
    use super::Interner;
    use gramercy_base::Id;

    gramercy_base::define_id!(struct ThingId, "a thing");

    #[test]
    fn equal_lists_are_one() {
        let mut interner: Interner<ThingId, usize> = Interner::new();
        for round in 0..2 {
            for n in 0..1000 {
                let (id, new) = interner.intern(&[n, n / 7][..usize::from(n > 0) * 2]);
                assert_eq!((id.index(), new), (n, round == 0));
            }
        }
        assert_eq!((interner.len(), interner.row(ThingId::from_index(8))), (1000, &[8, 1][..]));
    }
}

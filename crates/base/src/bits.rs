//! Sets of ids as bits, and tables of such sets.
//!
//! All sets in one operation have the same universe. Mixing universes is a broken invariant and
//! panics.

use std::marker::PhantomData;

use crate::Id;

const BITS: usize = u64::BITS as usize;

fn words_for(universe: usize) -> usize {
    universe.div_ceil(BITS)
}

/// A set of ids out of a fixed universe.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct IdSet<I> {
    words: Vec<u64>,
    id: PhantomData<fn(I) -> I>,
}

impl<I: Id> IdSet<I> {
    /// The empty set over the first `universe` ids.
    #[must_use]
    pub fn new(universe: usize) -> Self {
        Self { words: vec![0; words_for(universe)], id: PhantomData }
    }

    /// The set of all the first `universe` ids.
    #[must_use]
    pub fn all(universe: usize) -> Self {
        let mut words = vec![u64::MAX; words_for(universe)];
        if !universe.is_multiple_of(BITS) {
            *words.last_mut().expect("not empty") = (1 << (universe % BITS)) - 1;
        }
        Self { words, id: PhantomData }
    }

    /// Whether `id` is in the set.
    #[inline]
    #[must_use]
    pub fn contains(&self, id: I) -> bool {
        contains(&self.words, id.index())
    }

    /// Adds `id` and returns whether it is new.
    #[inline]
    pub fn insert(&mut self, id: I) -> bool {
        insert(&mut self.words, id.index())
    }

    /// Removes `id` and returns whether it was in the set.
    pub fn remove(&mut self, id: I) -> bool {
        let (word, bit) = (id.index() / BITS, 1 << (id.index() % BITS));
        let found = self.words[word] & bit != 0;
        self.words[word] &= !bit;
        found
    }

    /// Adds all of `other` and returns whether any id is new.
    pub fn union_with(&mut self, other: &[u64]) -> bool {
        union(&mut self.words, other)
    }

    /// Keeps only the ids that are also in `other`.
    pub fn intersect_with(&mut self, other: &[u64]) {
        assert_eq!(self.words.len(), other.len(), "invariant: sets share a universe");
        self.words.iter_mut().zip(other).for_each(|(word, &other)| *word &= other);
    }

    /// Removes all of `other`.
    pub fn subtract(&mut self, other: &[u64]) {
        assert_eq!(self.words.len(), other.len(), "invariant: sets share a universe");
        self.words.iter_mut().zip(other).for_each(|(word, &other)| *word &= !other);
    }

    /// Removes everything.
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// How many ids are in the set.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether no id is in the set.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// The ids in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = I> + '_ {
        ones(&self.words)
    }

    /// The bits, lowest id first.
    #[must_use]
    pub fn words(&self) -> &[u64] {
        &self.words
    }
}

impl<I: Id> std::fmt::Debug for IdSet<I> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// A set of `C` for each `R`, in one allocation: first sets, lookaheads, adjacency.
#[derive(Clone, PartialEq, Eq)]
pub struct BitMatrix<R, C> {
    words: Vec<u64>,
    stride: usize,
    ids: PhantomData<(R, C)>,
}

impl<R: Id, C: Id> BitMatrix<R, C> {
    /// `rows` empty sets over the first `universe` ids.
    #[must_use]
    pub fn new(rows: usize, universe: usize) -> Self {
        let stride = words_for(universe);
        Self { words: vec![0; rows * stride], stride, ids: PhantomData }
    }

    /// Whether `column` is in the set of `row`.
    #[inline]
    #[must_use]
    pub fn contains(&self, row: R, column: C) -> bool {
        contains(self.row(row), column.index())
    }

    /// Adds `column` to the set of `row` and returns whether it is new.
    #[inline]
    pub fn insert(&mut self, row: R, column: C) -> bool {
        insert(self.row_mut(row), column.index())
    }

    /// The bits of a row.
    #[inline]
    #[must_use]
    pub fn row(&self, row: R) -> &[u64] {
        let start = row.index() * self.stride;
        &self.words[start..start + self.stride]
    }

    /// The bits of a row, mutable.
    #[inline]
    pub fn row_mut(&mut self, row: R) -> &mut [u64] {
        let start = row.index() * self.stride;
        &mut self.words[start..start + self.stride]
    }

    /// Adds a set to the set of `row` and returns whether any id is new.
    pub fn union_row(&mut self, row: R, other: &[u64]) -> bool {
        union(self.row_mut(row), other)
    }

    /// Adds the set of row `from` to the set of row `into` and returns whether any id is new.
    pub fn union_rows(&mut self, into: R, from: R) -> bool {
        if into == from {
            return false;
        }
        let (into, from) = (into.index() * self.stride, from.index() * self.stride);
        let (into, from) = if into < from {
            let (low, high) = self.words.split_at_mut(from);
            (&mut low[into..into + self.stride], &high[..self.stride])
        } else {
            let (low, high) = self.words.split_at_mut(into);
            (&mut high[..self.stride], &low[from..from + self.stride])
        };
        union(into, from)
    }

    /// The ids in a row, ascending.
    pub fn iter_row(&self, row: R) -> impl Iterator<Item = C> + '_ {
        ones(self.row(row))
    }

    /// A copy of the set of a row.
    #[must_use]
    pub fn row_set(&self, row: R) -> IdSet<C> {
        IdSet { words: self.row(row).to_vec(), id: PhantomData }
    }

    /// How many ids are in a row.
    #[must_use]
    pub fn row_len(&self, row: R) -> usize {
        self.row(row).iter().map(|word| word.count_ones() as usize).sum()
    }
}

impl<R: Id, C: Id> std::fmt::Debug for BitMatrix<R, C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let rows = self.words.len().checked_div(self.stride).unwrap_or(0);
        let rows = (0..rows).map(R::from_index);
        f.debug_map().entries(rows.map(|row| (row, self.row_set(row)))).finish()
    }
}

/// Whether the bit of an index is set.
#[inline]
#[must_use]
pub fn contains(words: &[u64], index: usize) -> bool {
    words[index / BITS] & (1 << (index % BITS)) != 0
}

#[inline]
fn insert(words: &mut [u64], index: usize) -> bool {
    let (word, bit) = (&mut words[index / BITS], 1 << (index % BITS));
    let new = *word & bit == 0;
    *word |= bit;
    new
}

/// Adds the bits of `from` to `into` and returns whether any bit is new.
#[inline]
pub fn union(into: &mut [u64], from: &[u64]) -> bool {
    assert_eq!(into.len(), from.len(), "invariant: sets share a universe");
    let mut new = 0;
    for (into, &from) in into.iter_mut().zip(from) {
        new |= from & !*into;
        *into |= from;
    }
    new != 0
}

/// Whether two sets share an id.
#[must_use]
pub fn intersects(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).any(|(a, b)| a & b != 0)
}

/// The ids whose bits are set, ascending.
pub fn ones<I: Id>(words: &[u64]) -> impl Iterator<Item = I> + '_ {
    words.iter().enumerate().flat_map(|(at, &word)| {
        std::iter::successors((word != 0).then_some(word), |&rest| {
            let rest = rest & (rest - 1);
            (rest != 0).then_some(rest)
        })
        .map(move |rest| I::from_index(at * BITS + rest.trailing_zeros() as usize))
    })
}

#[cfg(test)]
mod tests {
    use super::{BitMatrix, IdSet};
    use crate::Id;

    crate::define_id!(struct ThingId, "a thing");

    fn id(index: usize) -> ThingId {
        ThingId::from_index(index)
    }

    #[test]
    fn a_set_contains_the_inserted_ids() {
        let mut set = IdSet::new(200);
        for index in [0, 63, 64, 199] {
            assert!(set.insert(id(index)));
            assert!(!set.insert(id(index)));
        }
        assert_eq!(set.iter().map(Id::index).collect::<Vec<_>>(), [0, 63, 64, 199]);
        assert!(set.remove(id(63)) && !set.remove(id(63)) && !set.contains(id(63)));
        assert_eq!(IdSet::<ThingId>::all(130).len(), 130);
        assert_eq!(IdSet::<ThingId>::all(128).len(), 128);
        assert!(IdSet::<ThingId>::all(0).is_empty());
    }

    #[test]
    fn rows_are_united_in_both_directions() {
        let mut matrix: BitMatrix<ThingId, ThingId> = BitMatrix::new(3, 100);
        matrix.insert(id(0), id(99));
        matrix.insert(id(2), id(1));
        assert!(matrix.union_rows(id(2), id(0)));
        assert!(!matrix.union_rows(id(2), id(0)));
        assert!(matrix.union_rows(id(0), id(2)));
        assert!(!matrix.union_rows(id(1), id(1)));
        assert_eq!(matrix.row(id(0)), matrix.row(id(2)));
        assert_eq!(matrix.row_len(id(1)), 0);
        assert_eq!(matrix.iter_row(id(0)).map(Id::index).collect::<Vec<_>>(), [1, 99]);
    }
}

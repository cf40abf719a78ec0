//! A vector that only its own id type can index.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

use crate::Id;

/// A dense map from ids `I` to values `T`.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Table<I, T> {
    items: Vec<T>,
    id: PhantomData<fn(I) -> I>,
}

impl<I: Id, T> Table<I, T> {
    /// A table without entries.
    #[must_use]
    pub fn new() -> Self {
        Self { items: Vec::new(), id: PhantomData }
    }

    /// A table without entries that has room for `capacity` of them.
    #[must_use]
    pub fn with_capacity(capacity: usize) -> Self {
        Self { items: Vec::with_capacity(capacity), id: PhantomData }
    }

    /// A table with `len` copies of `value`.
    #[must_use]
    pub fn filled(value: T, len: usize) -> Self
    where
        T: Clone,
    {
        vec![value; len].into()
    }

    /// Appends a value and returns its id.
    #[inline]
    pub fn push(&mut self, value: T) -> I {
        let id = self.next_id();
        self.items.push(value);
        id
    }

    /// The id that the next [`push`](Self::push) returns.
    #[inline]
    #[must_use]
    pub fn next_id(&self) -> I {
        I::from_index(self.items.len())
    }

    /// The number of entries.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is no entry.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// All ids in ascending order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        (0..self.items.len()).map(I::from_index)
    }

    /// All entries with their ids, in ascending order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator {
        self.items.iter().enumerate().map(|(index, item)| (I::from_index(index), item))
    }

    /// All values in ascending order of their ids.
    pub fn values(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    /// All values, mutable, in ascending order of their ids.
    pub fn values_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.items.iter_mut()
    }

    /// The value of an id, or `None` if the table has no such entry.
    #[must_use]
    pub fn get(&self, id: I) -> Option<&T> {
        self.items.get(id.index())
    }

    /// The values as a plain slice, in ascending order of their ids.
    #[must_use]
    pub fn as_slice(&self) -> &[T] {
        &self.items
    }

    /// Keeps the first `len` entries.
    pub fn truncate(&mut self, len: usize) {
        self.items.truncate(len);
    }

    /// A table of the same ids with each value mapped.
    #[must_use]
    pub fn map<U>(&self, mut f: impl FnMut(I, &T) -> U) -> Table<I, U> {
        self.iter().map(|(id, value)| f(id, value)).collect()
    }
}

impl<I: Id, T> Default for Table<I, T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<I: Id, T> Index<I> for Table<I, T> {
    type Output = T;

    #[inline]
    fn index(&self, id: I) -> &T {
        &self.items[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for Table<I, T> {
    #[inline]
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.index()]
    }
}

impl<I: Id, T> From<Vec<T>> for Table<I, T> {
    fn from(items: Vec<T>) -> Self {
        Self { items, id: PhantomData }
    }
}

impl<I: Id, T> FromIterator<T> for Table<I, T> {
    fn from_iter<U: IntoIterator<Item = T>>(iter: U) -> Self {
        iter.into_iter().collect::<Vec<_>>().into()
    }
}

impl<I: Id + std::fmt::Debug, T: std::fmt::Debug> std::fmt::Debug for Table<I, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

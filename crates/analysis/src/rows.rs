//! Lists of different lengths in one allocation: the edges of a graph, the members of groups.

use std::marker::PhantomData;
use std::ops::Range;

use gramercy_base::Id;

/// A list of `T` for each `I`.
#[derive(Clone, PartialEq, Eq)]
pub struct Rows<I, T> {
    /// The start of each row, and the number of all items.
    starts: Vec<usize>,
    items: Vec<T>,
    id: PhantomData<fn(I) -> I>,
}

impl<I: Id, T> Rows<I, T> {
    /// No rows.
    #[must_use]
    pub fn new() -> Self {
        Self { starts: vec![0], items: Vec::new(), id: PhantomData }
    }

    /// Rows from the start of each of them in `items`; `starts` ends with the number of items.
    ///
    /// # Panics
    /// If `starts` does not ascend from 0 to the number of items.
    #[must_use]
    pub fn from_parts(starts: Vec<usize>, items: Vec<T>) -> Self {
        assert!(
            starts.first() == Some(&0) && starts.last() == Some(&items.len()) && starts.is_sorted(),
            "invariant: rows are adjacent"
        );
        Self { starts, items, id: PhantomData }
    }

    /// Groups pairs of a row and an item; within a row, items keep the order of the pairs.
    #[must_use]
    pub fn group(rows: usize, pairs: &[(I, T)]) -> Self
    where
        T: Copy,
    {
        let mut starts = vec![0; rows + 1];
        for (row, _) in pairs {
            starts[row.index() + 1] += 1;
        }
        for at in 1..=rows {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut items: Vec<T> = pairs.iter().map(|&(_, item)| item).collect();
        for &(row, item) in pairs {
            items[next[row.index()]] = item;
            next[row.index()] += 1;
        }
        Self { starts, items, id: PhantomData }
    }

    /// Appends a row and returns its id.
    pub fn push(&mut self, row: impl IntoIterator<Item = T>) -> I {
        self.items.extend(row);
        self.starts.push(self.items.len());
        I::from_index(self.len() - 1)
    }

    /// The number of rows.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A row.
    #[inline]
    #[must_use]
    pub fn row(&self, row: I) -> &[T] {
        &self.items[self.range(row)]
    }

    /// The range of a row in [all items](Self::items).
    #[inline]
    #[must_use]
    pub fn range(&self, row: I) -> Range<usize> {
        self.starts[row.index()]..self.starts[row.index() + 1]
    }

    /// The row that contains an item, by the item's position among all items.
    ///
    /// # Panics
    /// If there is no such item.
    #[must_use]
    pub fn row_at(&self, position: usize) -> I {
        assert!(position < self.items.len(), "invariant: the position is that of an item");
        I::from_index(self.starts.partition_point(|&start| start <= position) - 1)
    }

    /// The items of all rows, concatenated.
    #[inline]
    #[must_use]
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// The items of all rows, mutable.
    pub fn items_mut(&mut self) -> &mut [T] {
        &mut self.items
    }

    /// All row ids, ascending.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        (0..self.len()).map(I::from_index)
    }

    /// All rows with their ids, ascending.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (I, &[T])> + ExactSizeIterator {
        self.ids().map(|row| (row, self.row(row)))
    }
}

impl<I: Id, T> Default for Rows<I, T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<I: Id, T: std::fmt::Debug> std::fmt::Debug for Rows<I, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::Rows;
    use gramercy_base::Id;

    gramercy_base::define_id!(struct ThingId, "a thing");

    #[test]
    fn grouping_keeps_the_order_within_a_row() {
        let pairs = [(2, 'a'), (0, 'b'), (2, 'c'), (0, 'd')];
        let pairs = pairs.map(|(row, item)| (ThingId::from_index(row), item));
        let rows = Rows::group(4, &pairs);
        let lists: Vec<String> = rows.iter().map(|(_, row)| row.iter().collect()).collect();
        assert_eq!(lists, ["bd", "", "ac", ""]);
        assert_eq!(rows.row_at(1), ThingId::from_index(0));
        assert_eq!(rows.row_at(2), ThingId::from_index(2));
    }

    #[test]
    fn rows_can_be_empty() {
        let mut rows: Rows<ThingId, u8> = Rows::new();
        rows.push([]);
        let last = rows.push([1, 2]);
        assert_eq!((rows.len(), rows.row(last)), (2, &[1, 2][..]));
        assert_eq!(rows.row_at(0), last);
    }
}

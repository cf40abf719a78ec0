//! Interned linked lists: equal lists have equal ids, and a list shares the part below its top.

use std::hash::Hash;

use crate::{Id, Map, Table};

/// Linked lists that share their tails; the empty list is `None`.
#[derive(Clone, Debug)]
pub struct Linked<I: Id, T> {
    cells: Table<I, (Option<I>, T)>,
    known: Map<(Option<I>, T), I>,
}

impl<I: Id, T> Default for Linked<I, T> {
    fn default() -> Self {
        Self { cells: Table::new(), known: Map::default() }
    }
}

impl<I: Id, T: Copy + Eq + Hash> Linked<I, T> {
    /// Only the empty list.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The list with one more item on top.
    pub fn push(&mut self, below: Option<I>, top: T) -> I {
        if let Some(&known) = self.known.get(&(below, top)) {
            return known;
        }
        let id = self.cells.push((below, top));
        self.known.insert((below, top), id);
        id
    }

    /// The list below the top, and the top.
    #[must_use]
    pub fn get(&self, id: I) -> (Option<I>, T) {
        self.cells[id]
    }

    /// The items, last pushed first.
    pub fn iter(&self, mut at: Option<I>) -> impl Iterator<Item = T> + '_ {
        std::iter::from_fn(move || {
            let (below, top) = self.cells[at?];
            at = below;
            Some(top)
        })
    }
}

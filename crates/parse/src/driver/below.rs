//! What lies below a vertex of an earlier level: the ways down for the first symbols of a production.
//!
//! Earlier levels never change, so this is found once for each vertex, production and number of
//! symbols, and several ways to the same base share one prefix.

use gramercy_base::Map;
use gramercy_grammar::ProductionId;

use crate::build::{Build, Prefix};
use crate::stacks::{Stacks, VertexId};

/// A vertex, a production, and how many of its first symbols lie below the vertex.
type Key = (VertexId, ProductionId, u32);

/// All that was found so far.
#[derive(Clone, Debug)]
pub(super) struct Below<V> {
    /// Where the ways of a key are in `found`: from, and how many.
    known: Map<Key, (u32, u32)>,
    found: Vec<(VertexId, Prefix<V>)>,
    journal: Vec<Key>,
}

/// The lengths of the arrays.
#[derive(Clone, Copy, Debug)]
pub(super) struct BelowMark {
    found: usize,
    journal: usize,
}

impl<V> Default for Below<V> {
    fn default() -> Self {
        Self { known: Map::default(), found: Vec::new(), journal: Vec::new() }
    }
}

/// Ways whose memory is kept for the next input.
const KEPT: usize = 1 << 14;

impl<V: Copy> Below<V> {
    /// Forgets everything; a large memory is given back.
    pub(super) fn restart(&mut self) {
        if self.known.capacity() > KEPT || self.found.capacity() > KEPT {
            *self = Self::default();
        }
        self.known.clear();
        self.found.clear();
        self.journal.clear();
    }

    pub(super) fn mark(&self) -> BelowMark {
        BelowMark { found: self.found.len(), journal: self.journal.len() }
    }

    pub(super) fn rewind(&mut self, mark: BelowMark) {
        for key in self.journal.drain(mark.journal..) {
            self.known.remove(&key);
        }
        self.found.truncate(mark.found);
    }

    /// The bytes that it takes.
    pub(super) fn memory(&self) -> usize {
        self.known.capacity() * size_of::<(Key, (u32, u32))>()
            + self.found.capacity() * size_of::<(VertexId, Prefix<V>)>()
            + self.journal.capacity() * size_of::<Key>()
    }

    /// A way down: where it ends, and what it passes.
    #[inline]
    pub(super) fn way(&self, at: u32) -> (VertexId, Prefix<V>) {
        self.found[at as usize]
    }

    /// How many ways were found so far.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.found.len()
    }

    /// The numbers of all ways below a vertex.
    pub(super) fn ways<B: Build<Value = V>>(
        &mut self,
        stacks: &Stacks<V>,
        build: &mut B,
        top: Key,
    ) -> std::ops::Range<u32> {
        let production = top.1;
        let mut tasks = vec![(top.0, top.2)];
        while let Some(&(vertex, left)) = tasks.last() {
            if self.known.contains_key(&(vertex, production, left)) {
                tasks.pop();
                continue;
            }
            let missing = tasks.len();
            if left > 1 {
                let below = stacks.edges(vertex).map(|edge| (edge.to, left - 1));
                let is_missing = |&(to, left): &(VertexId, u32)| {
                    !self.known.contains_key(&(to, production, left))
                };
                tasks.extend(below.filter(is_missing));
            }
            if tasks.len() == missing {
                tasks.pop();
                self.find(stacks, build, (vertex, production, left));
            }
        }
        let (from, len) = self.known[&top];
        from..from + len
    }

    fn find<B: Build<Value = V>>(&mut self, stacks: &Stacks<V>, build: &mut B, key: Key) {
        let (vertex, production, left) = key;
        let end = stacks.vertex(vertex).level;
        let mut found: Vec<(VertexId, Prefix<V>)> = Vec::new();
        for edge in stacks.edges(vertex) {
            if left == 1 {
                let start = stacks.vertex(edge.to).level;
                found.push((edge.to, Prefix { len: 1, start, value: edge.value }));
                continue;
            }
            let (from, len) = self.known[&(edge.to, production, left - 1)];
            for at in from..from + len {
                let (base, prefix) = self.found[at as usize];
                found.push((base, build.extend_prefix(production, prefix, edge.value, end)));
            }
        }
        found.sort_by_key(|(base, _)| *base);
        found.dedup_by_key(|(base, _)| *base);
        let fit = |n: usize| u32::try_from(n).expect("invariant: paths fit in 32 bits");
        self.known.insert(key, (fit(self.found.len()), fit(found.len())));
        self.found.extend(found);
        self.journal.push(key);
    }
}

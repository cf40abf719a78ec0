//! Maps with the same hash function on every run. Their iteration order is still meaningless: every
//! output comes from a [`Table`](crate::Table), an [`IndexMap`] or a sort.

use rustc_hash::FxBuildHasher;

/// A hash map with a fast, fixed hash function.
pub type Map<K, V> = rustc_hash::FxHashMap<K, V>;
/// A hash set with a fast, fixed hash function.
pub type Set<K> = rustc_hash::FxHashSet<K>;
/// A hash map that remembers the order of insertion.
pub type IndexMap<K, V> = indexmap::IndexMap<K, V, FxBuildHasher>;
/// A hash set that remembers the order of insertion.
pub type IndexSet<K> = indexmap::IndexSet<K, FxBuildHasher>;

//! All shallowest embeddings of every push, counted, so that one of them can be drawn uniformly
//! (Rossouw, Fischer, JSS 2024, section 8, resolves equivalent choices at random).
//!
//! The shallowest embeddings of a push begin with its occurrences at the least depth and continue
//! with the shallowest embeddings of the pushes above. Drawing an occurrence uniformly at every
//! step would favor embeddings with few branches. Counting is linear in all occurrences; drawing a
//! step is logarithmic.
//!
//! Example: `S: C C; C: c C | d;` with the LR(0) states of [`graph`](crate::graph). The push of C
//! onto 1 has two shallowest embeddings: in C → c C below C onto 0, and below C onto 4. Each is
//! drawn with probability 1/2.

use gramercy_analysis::Rows;
use gramercy_base::Table;

use crate::embedding::{EmbeddingTree, Occurrence};
use crate::gotos::GotoId;

/// The number of embeddings grows exponentially with depth. It is capped here.
const LARGEST: f64 = 1e300;

/// For each push the occurrences that begin its shallowest embeddings.
#[derive(Clone, Debug)]
pub struct Shallowest {
    /// Each occurrence with the number of embeddings through it and through the occurrences before
    /// it.
    rows: Rows<GotoId, (Occurrence, f64)>,
}

impl Shallowest {
    /// The shallowest embeddings of a tree with these occurrences, shallow ones first.
    #[must_use]
    pub fn new(tree: &EmbeddingTree, occurrences: &Rows<GotoId, Occurrence>) -> Self {
        let at_least_depth = |goto| {
            let all = occurrences.row(goto);
            let depth = tree.depth(goto);
            &all[..all.partition_point(|occurrence| tree.depth(occurrence.above) < depth)]
        };
        let mut counts: Table<GotoId, f64> = Table::filled(0.0, occurrences.len());
        for &goto in tree.order() {
            let above = at_least_depth(goto).iter().map(|occurrence| counts[occurrence.above]);
            let count = above.sum::<f64>().min(LARGEST);
            counts[goto] = if tree.depth(goto) == 0 { 1.0 } else { count };
        }
        let mut rows = Rows::new();
        for goto in occurrences.ids() {
            let found = if tree.contains(goto) { at_least_depth(goto) } else { &[] };
            let mut sum = 0.0;
            rows.push(found.iter().map(|occurrence| {
                sum += counts[occurrence.above];
                (*occurrence, sum)
            }));
        }
        Self { rows }
    }

    /// The number of shallowest embeddings of a push; 0 for the push of the start symbol.
    #[must_use]
    pub fn count(&self, goto: GotoId) -> f64 {
        self.rows.row(goto).last().map_or(0.0, |&(_, sum)| sum)
    }

    /// The first occurrence of the embedding at this share, in [0, 1), of the shallowest embeddings
    /// of a push; `None` if it has none.
    #[must_use]
    pub fn at(&self, goto: GotoId, share: f64) -> Option<Occurrence> {
        let row = self.rows.row(goto);
        let before = self.count(goto) * share;
        let at = row.partition_point(|&(_, sum)| sum <= before).min(row.len().checked_sub(1)?);
        Some(row[at].0)
    }
}

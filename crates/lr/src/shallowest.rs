//! All shallowest embeddings of every push, counted, so that one of them can be drawn with all equally
//! likely (paper 003 §8 resolves equivalent choices at random; FACTS §4).
//!
//! The shallowest embeddings of a push go through its occurrences at the least depth, and on through
//! the shallowest embeddings of the pushes above. Drawing an occurrence with equal chances at every
//! step would favor embeddings that branch little. Linear in all occurrences to count, logarithmic to
//! draw a step.

use gramercy_analysis::Rows;
use gramercy_base::Table;

use crate::embedding::{EmbeddingTree, Occurrence};
use crate::gotos::GotoId;

/// Numbers of embeddings grow exponentially with depth; those beyond are all one.
const LARGEST: f64 = 1e300;

/// For each push the occurrences that shallowest embeddings begin with.
#[derive(Clone, Debug)]
pub struct Shallowest {
    /// Each with the number of embeddings through it and those before it.
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

    /// How many shallowest embeddings a push has; 0 for the start symbol's, which needs none.
    #[must_use]
    pub fn count(&self, goto: GotoId) -> f64 {
        self.rows.row(goto).last().map_or(0.0, |&(_, sum)| sum)
    }

    /// Where the embedding begins that comes after this share, from 0 to below 1, of a push's shallowest
    /// embeddings; `None` if it has none.
    #[must_use]
    pub fn at(&self, goto: GotoId, share: f64) -> Option<Occurrence> {
        let row = self.rows.row(goto);
        let before = self.count(goto) * share;
        let at = row.partition_point(|&(_, sum)| sum <= before).min(row.len().checked_sub(1)?);
        Some(row[at].0)
    }
}

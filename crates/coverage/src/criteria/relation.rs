//! Targets that are pairs of symbols: a relation as bits, ranked row by row.

use gramercy_base::{BitMatrix, Id, Table, define_id};

use crate::targets::TargetId;

define_id!(
    /// Nonterminals, then terminals.
    pub(super) struct SymbolRank, "the place of a symbol among all");

/// A relation between symbols with ranks for its pairs.
#[derive(Debug)]
pub(super) struct Relation {
    pairs: BitMatrix<SymbolRank, SymbolRank>,
    /// The rank of the first pair of each row, and after them the number of all pairs.
    starts: Table<SymbolRank, u64>,
}

impl Relation {
    pub(super) fn new(pairs: BitMatrix<SymbolRank, SymbolRank>, symbols: usize) -> Self {
        let mut starts: Table<SymbolRank, u64> = Table::with_capacity(symbols + 1);
        let mut sum = 0;
        for row in (0..symbols).map(SymbolRank::from_index) {
            starts.push(sum);
            sum += pairs.row_len(row) as u64;
        }
        starts.push(sum);
        Self { pairs, starts }
    }

    pub(super) fn len(&self) -> u64 {
        *self.starts.values().last().expect("invariant: the sum is always there")
    }

    /// The rank of a pair, if it is in the relation.
    pub(super) fn rank(&self, left: SymbolRank, right: SymbolRank) -> Option<TargetId> {
        if !self.pairs.contains(left, right) {
            return None;
        }
        let (row, at) = (self.pairs.row(left), right.index());
        let words = row[..at / 64].iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
        let below = row[at / 64] & ((1 << (at % 64)) - 1);
        Some(self.starts[left] + words + u64::from(below.count_ones()))
    }

    /// The pair of a rank.
    pub(super) fn pair(&self, target: TargetId) -> (SymbolRank, SymbolRank) {
        let row = self.starts.as_slice().partition_point(|&start| start <= target) - 1;
        let left = SymbolRank::from_index(row);
        let within = usize::try_from(target - self.starts[left]).expect("invariant: a row fits");
        let right = self.pairs.iter_row(left).nth(within);
        (left, right.expect("invariant: there is a pair of this rank"))
    }
}

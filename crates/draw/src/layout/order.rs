//! Orders the cells of each column so that few layout edges cross.
//!
//! Rounds to the right and to the left move every cell to the mean position of its neighbors in the
//! previous column; the order with the fewest crossings is kept. A tree in depth-first order has no
//! crossings and keeps its order. A round costs E log E.

use gramercy_base::Table;

use super::{CellId, Columns, Pull};

const ROUNDS: usize = 24;
/// The search ends after this many rounds without fewer crossings.
const PATIENCE: usize = 6;

pub(super) fn order(columns: &mut Columns) {
    let mut best = columns.columns.clone();
    let mut fewest = columns.crossings();
    let mut since = 0;
    for round in 0..ROUNDS {
        if fewest == 0 || since == PATIENCE {
            break;
        }
        if round % 2 == 0 {
            (1..columns.columns.len()).for_each(|column| columns.sort_by_left(column));
        } else {
            (0..columns.columns.len()).rev().for_each(|column| columns.sort_by_right(column));
        }
        let crossings = columns.crossings();
        since += 1;
        if crossings < fewest {
            (best, fewest, since) = (columns.columns.clone(), crossings, 0);
        }
    }
    columns.columns = best;
}

impl Columns {
    fn sort_by_left(&mut self, column: usize) {
        let positions = self.positions(column - 1);
        let mut cells = std::mem::take(&mut self.columns[column]);
        sort(&mut cells, &positions, &self.before);
        self.columns[column] = cells;
    }

    fn sort_by_right(&mut self, column: usize) {
        let Some(after) = self.columns.get(column + 1).map(|_| column + 1) else { return };
        let positions = self.positions(after);
        let mut cells = std::mem::take(&mut self.columns[column]);
        sort(&mut cells, &positions, &self.after);
        self.columns[column] = cells;
    }

    /// The positions of the cells of a column, from 0 at the top; other cells have none.
    fn positions(&self, column: usize) -> Table<CellId, usize> {
        let mut positions = Table::filled(0, self.cells.len());
        for (position, &cell) in self.columns[column].iter().enumerate() {
            positions[cell] = position;
        }
        positions
    }

    /// The number of pairs of edges that cross.
    fn crossings(&self) -> usize {
        (1..self.columns.len()).map(|column| self.crossings_before(column)).sum()
    }

    /// The crossings between a column and the previous one: pairs with different orders on both
    /// sides, counted with a Fenwick tree.
    fn crossings_before(&self, column: usize) -> usize {
        let positions = self.positions(column - 1);
        let mut sums = vec![0usize; self.columns[column - 1].len() + 1];
        let (mut seen, mut crossings) = (0, 0);
        for &cell in &self.columns[column] {
            let ends = self.before[cell].iter().map(|pull| positions[pull.other]);
            for end in ends.clone() {
                crossings += seen - sum_to(&sums, end + 1);
            }
            for end in ends {
                add(&mut sums, end + 1);
                seen += 1;
            }
        }
        crossings
    }
}

/// Sorts cells by the mean position of their neighbors; cells without neighbors keep their
/// position.
fn sort(
    cells: &mut [CellId],
    positions: &Table<CellId, usize>,
    neighbors: &Table<CellId, Vec<Pull>>,
) {
    let mean = |pulls: &[Pull]| {
        let sum: usize = pulls.iter().map(|pull| positions[pull.other]).sum();
        sum as f64 / pulls.len() as f64
    };
    let free: Vec<usize> =
        (0..cells.len()).filter(|&at| !neighbors[cells[at]].is_empty()).collect();
    let mut sorted: Vec<CellId> = free.iter().map(|&at| cells[at]).collect();
    sorted.sort_by(|&a, &b| mean(&neighbors[a]).total_cmp(&mean(&neighbors[b])));
    for (at, cell) in free.into_iter().zip(sorted) {
        cells[at] = cell;
    }
}

/// The sum of the first `count` entries of a Fenwick tree.
fn sum_to(sums: &[usize], mut count: usize) -> usize {
    let mut sum = 0;
    while count > 0 {
        sum += sums[count];
        count &= count - 1;
    }
    sum
}

fn add(sums: &mut [usize], mut at: usize) {
    while at < sums.len() {
        sums[at] += 1;
        at += at & at.wrapping_neg();
    }
}

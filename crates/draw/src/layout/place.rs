//! Computes the height of every cell.
//!
//! Each column in turn is moved as near to the preferred heights of its cells as order and distance
//! allow: a weighted least-squares problem under these constraints, which pooling adjacent
//! violators solves exactly. A round over all columns is linear.

use super::{Cell, CellId, CellKind, Columns, Pull};

const ROUNDS: usize = 24;
/// The distance between two vertices, between a vertex and an edge, and between two edges.
const VERTEX_GAP: f64 = 12.0;
const EDGE_GAP: f64 = 7.0;
/// The weight of the current position of a cell.
const INERTIA: f64 = 0.05;

pub(super) fn place(columns: &mut Columns) {
    for column in 0..columns.columns.len() {
        columns.settle(column, |columns, cell| (columns.cells[cell].y, 1.0));
    }
    for round in 0..ROUNDS {
        let all = 0..columns.columns.len();
        if round % 2 == 0 {
            all.for_each(|column| columns.settle(column, Columns::pulled));
        } else {
            all.rev().for_each(|column| columns.settle(column, Columns::pulled));
        }
    }
    columns.move_to_top();
}

impl Columns {
    /// The preferred height of a cell by its neighbors, and its weight.
    fn pulled(&self, cell: CellId) -> (f64, f64) {
        let pulls = self.before[cell].iter().chain(&self.after[cell]);
        let stay = (self.cells[cell].y * INERTIA, INERTIA);
        let (sum, weight) = pulls.fold(stay, |(sum, weight), pull: &Pull| {
            (sum + self.cells[pull.other].y * pull.weight, weight + pull.weight)
        });
        (sum / weight, weight)
    }

    /// Moves the cells of a column as near as possible to their preferred heights.
    fn settle(&mut self, column: usize, preferred: impl Fn(&Self, CellId) -> (f64, f64)) {
        let cells = &self.columns[column];
        let mut offset = 0.0;
        let mut pools: Vec<Pool> = Vec::with_capacity(cells.len());
        let mut offsets = Vec::with_capacity(cells.len());
        for (at, &cell) in cells.iter().enumerate() {
            if let Some(&above) = at.checked_sub(1).and_then(|above| cells.get(above)) {
                offset += distance(&self.cells[above], &self.cells[cell]);
            }
            offsets.push(offset);
            let (y, weight) = preferred(self, cell);
            let mut pool = Pool { sum: (y - offset) * weight, weight, len: 1 };
            while let Some(last) = pools.pop_if(|last| last.mean() >= pool.mean()) {
                pool = last.join(&pool);
            }
            pools.push(pool);
        }
        let cells = self.columns[column].clone();
        let means = pools.iter().flat_map(|pool| std::iter::repeat_n(pool.mean(), pool.len));
        for ((cell, offset), mean) in cells.into_iter().zip(offsets).zip(means) {
            self.cells[cell].y = mean + offset;
        }
    }

    fn move_to_top(&mut self) {
        let tops = self.cells.values().map(|cell| cell.y - cell.above);
        let top = tops.min_by(f64::total_cmp).unwrap_or(0.0);
        self.cells.values_mut().for_each(|cell| cell.y -= top);
    }
}

/// The minimal distance between the lines of two cells, one above the other.
fn distance(upper: &Cell, lower: &Cell) -> f64 {
    let vertices = upper.kind == CellKind::Vertex && lower.kind == CellKind::Vertex;
    upper.below + if vertices { VERTEX_GAP } else { EDGE_GAP } + lower.above
}

/// Cells that move together.
struct Pool {
    sum: f64,
    weight: f64,
    len: usize,
}

impl Pool {
    fn mean(&self) -> f64 {
        self.sum / self.weight
    }

    fn join(&self, below: &Pool) -> Pool {
        Pool {
            sum: self.sum + below.sum,
            weight: self.weight + below.weight,
            len: self.len + below.len,
        }
    }
}

//! Routes the edges that do not determine the layout.
//!
//! A forward edge passes the columns between its ends. A backward edge, or one within a column,
//! also leaves its source on the right; it turns, passes the column of its source and all columns
//! back to that of its target, turns again and arrives on the left. In each column it passes
//! between the two cells where a straight line would cross. Linear in the passages, except for a
//! sort per column.

use gramercy_base::Map;

use super::rank::Ranks;
use super::{CellId, Columns, Input, InputEdge, WEIGHT_OF_LANE};
use crate::sketch::VertexId;

pub(super) fn add(input: &Input, ranks: &Ranks, columns: &mut Columns) {
    // Edges without a label share passages if they have the same target and pass the same column.
    let mut shared: Map<(VertexId, usize), CellId> = Map::default();
    for &edge in &ranks.others {
        let InputEdge { from, to, label, .. } = input.edges[edge];
        let span = EdgeSpan::new(columns, columns.of_vertex[from], columns.of_vertex[to]);
        let passed = span.columns();
        let labelled = label.and_then(|_| span.label_column(&passed));
        for &column in &passed {
            let known = shared.get(&(to, column)).copied().filter(|_| label.is_none());
            let lane = known.unwrap_or_else(|| {
                let lane = columns.passage(column, label.filter(|_| labelled == Some(column)));
                columns.cells[lane].y = span.height(column);
                columns.enter(lane);
                if label.is_none() {
                    shared.insert((to, column), lane);
                }
                lane
            });
            if labelled == Some(column) {
                columns.labelled[edge] = Some(lane);
            }
            columns.pass(edge, lane);
        }
        columns.pull_along(edge, &span);
    }
    let Columns { columns, cells, .. } = columns;
    for column in columns {
        column.sort_by(|&a, &b| cells[a].y.total_cmp(&cells[b].y));
    }
}

/// The ends of an edge and the columns between them.
struct EdgeSpan {
    from: CellId,
    to: CellId,
    columns: (usize, usize),
    heights: (f64, f64),
    back: bool,
}

impl EdgeSpan {
    fn new(columns: &Columns, from: CellId, to: CellId) -> Self {
        let (source, target) = (&columns.cells[from], &columns.cells[to]);
        let back = target.column <= source.column;
        let (mut start, mut end) = (source.y, target.y);
        if back {
            // Around the side of a vertex that is nearer to the other one.
            let up = end < start;
            start += if up { -source.above - 1.0 } else { source.below + 1.0 };
            end += if up { target.below + 1.0 } else { -target.above - 1.0 };
        }
        let columns = (source.column, target.column);
        Self { from, to, columns, heights: (start, end), back }
    }

    /// The columns that the edge passes, from source to target.
    fn columns(&self) -> Vec<usize> {
        let (first, last) = self.columns;
        if self.back { (last..=first).rev().collect() } else { (first + 1..last).collect() }
    }

    /// The column for labels next to the source; an edge within a column has its label there.
    fn label_column(&self, passed: &[usize]) -> Option<usize> {
        passed.get(usize::from(self.back)).or(passed.first()).copied()
    }

    /// The height of a straight line at a column.
    fn height(&self, column: usize) -> f64 {
        let (first, last) = (self.columns.0 as f64, self.columns.1 as f64);
        if self.columns.0 == self.columns.1 {
            return self.heights.0;
        }
        let share = (column as f64 - first) / (last - first);
        self.heights.0 + (self.heights.1 - self.heights.0) * share
    }
}

impl Columns {
    /// Connects the passages of an edge with each other, and with the ends if these are adjacent.
    fn pull_along(&mut self, edge: usize, span: &EdgeSpan) {
        let mut chain = self.passages[edge].clone();
        if !span.back {
            chain.insert(0, span.from);
            chain.push(span.to);
        }
        for pair in chain.windows(2) {
            let (left, right) = if span.back { (pair[1], pair[0]) } else { (pair[0], pair[1]) };
            self.pull(left, right, WEIGHT_OF_LANE);
        }
    }
}

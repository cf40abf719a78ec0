//! The turns of backward edges.
//!
//! A backward edge leaves its source on the right and turns into its lane; on the left of its
//! target it turns again. Next to every column there are tracks for the vertical parts of such
//! turns, and no two turns that would touch share a track. Shorter turns come first and so are
//! inside longer ones. Quadratic in the turns at one column, which are few.

use super::route::Ends;
use super::{CellId, Columns, Input};

/// The distance of tracks, and of the first one from its column.
const TRACK: f64 = 6.0;
const FIRST_TRACK: f64 = 14.0;

/// The turns of all edges, and the space that they need at each column.
pub(super) struct Turns {
    /// For every edge the distance from its column at which it turns at the source, if it does.
    pub(super) leaving: Vec<Option<f64>>,
    /// The same at the target.
    pub(super) arriving: Vec<Option<f64>>,
    pub(super) right_of: Vec<f64>,
    pub(super) left_of: Vec<f64>,
}

struct Turn {
    edge: usize,
    column: usize,
    top: f64,
    bottom: f64,
}

impl Turn {
    fn new(edge: usize, column: usize, from: f64, to: f64) -> Self {
        Self { edge, column, top: from.min(to), bottom: from.max(to) }
    }

    fn touches(&self, other: &Turn) -> bool {
        self.top < other.bottom + TRACK && other.top < self.bottom + TRACK
    }
}

impl Turns {
    pub(super) fn new(input: &Input, columns: &Columns, ends: &Ends) -> Self {
        let (mut leaving, mut arriving) = (Vec::new(), Vec::new());
        for (index, edge) in input.edges.iter().enumerate() {
            let (from, to) = (columns.of_vertex[edge.from], columns.of_vertex[edge.to]);
            let y = |cell: CellId| columns.cells[cell].y;
            let column = columns.cells[from].column;
            let passages = &columns.passages[index];
            let (Some(&first), Some(&last)) = (passages.first(), passages.last()) else { continue };
            if columns.cells[first].column != column {
                continue;
            }
            leaving.push(Turn::new(index, column, y(from) + ends.leaving(from, first), y(first)));
            if !columns.joins(index) {
                let end = y(to) + ends.arriving(to, last);
                arriving.push(Turn::new(index, columns.cells[to].column, y(last), end));
            }
        }
        let (edges, count) = (input.edges.len(), columns.columns.len());
        let (leaving, right_of) = assign(leaving, edges, count);
        let (arriving, left_of) = assign(arriving, edges, count);
        Self { leaving, arriving, right_of, left_of }
    }
}

/// Assigns a track to every turn: its distance from the column, and the space at each column.
fn assign(mut turns: Vec<Turn>, edges: usize, columns: usize) -> (Vec<Option<f64>>, Vec<f64>) {
    turns.sort_by(|a, b| (a.bottom - a.top).total_cmp(&(b.bottom - b.top)));
    let mut distances = vec![None; edges];
    let mut tracks: Vec<Vec<Vec<Turn>>> = (0..columns).map(|_| Vec::new()).collect();
    for turn in turns {
        let beside = &mut tracks[turn.column];
        let free = beside.iter().position(|track| !track.iter().any(|other| turn.touches(other)));
        let track = free.unwrap_or(beside.len());
        if track == beside.len() {
            beside.push(Vec::new());
        }
        distances[turn.edge] = Some(FIRST_TRACK + TRACK * track as f64);
        beside[track].push(turn);
    }
    let room = |tracks: &Vec<Vec<Turn>>| match tracks.len() {
        0 => 0.0,
        count => FIRST_TRACK + TRACK * count as f64,
    };
    (distances, tracks.iter().map(room).collect())
}

//! Draws the edges through their cells.
//!
//! Inside a column an edge is a horizontal line; between columns it is a curve that leaves and
//! arrives horizontally. At the sides of a vertex the edges are spread out in the order in which
//! they go on. Linear but for sorting the ends at each vertex.

use gramercy_base::{IdSet, Map, Table};

use super::{CellId, Columns, Input, Layout, Piece, Point, Route, Size};
use crate::sketch::VertexId;

/// The room around the whole drawing.
const MARGIN: f64 = 16.0;
/// The distance of columns: at least and at most, and how it grows with the steepness of edges.
const COLUMN_GAP: (f64, f64) = (36.0, 110.0);
const STEEPNESS: f64 = 0.14;
/// The distance of ends at a vertex; where there is less than the least room they are one.
const END_GAP: f64 = 9.0;
const LEAST_END_GAP: f64 = 3.0;
/// The height of an edge from a vertex to itself, beside its label.
pub(super) const LOOP: f64 = 12.0;

pub(super) fn route(input: &Input, columns: &Columns) -> Layout {
    let extents = extents(columns);
    let ends = Ends::new(input, columns);
    let routing = Routing { input, columns, extents, ends };
    let vertices = columns.of_vertex.map(|_, &cell| routing.middle(cell));
    let mut loops: Table<VertexId, f64> = Table::filled(0.0, input.sizes.len());
    let mut drawn = IdSet::new(columns.cells.len());
    let edges = input.edges.iter().enumerate().map(|(index, edge)| {
        if edge.from == edge.to {
            routing.around(edge.from, edge.label, &mut loops)
        } else {
            routing.route(index, &mut drawn)
        }
    });
    let edges = edges.collect();
    let right = routing.extents.last().map_or(0.0, |&(_, right)| right);
    let bottoms = columns.cells.values().map(|cell| cell.y + cell.below);
    let bottom = bottoms.max_by(f64::total_cmp).unwrap_or(0.0);
    let size = Size { width: right + 2.0 * MARGIN, height: bottom + 2.0 * MARGIN };
    Layout { size, vertices, edges }
}

/// Where each column begins and ends.
fn extents(columns: &Columns) -> Vec<(f64, f64)> {
    let mut extents: Vec<(f64, f64)> = Vec::new();
    for (index, column) in columns.columns.iter().enumerate() {
        let left = match extents.last() {
            None => MARGIN,
            Some(&(_, right)) => right + gap_before(columns, index),
        };
        let widths = column.iter().map(|&cell| columns.cells[cell].width);
        extents.push((left, left + widths.max_by(f64::total_cmp).unwrap_or(0.0)));
    }
    extents
}

/// The distance of a column from the one before it: the steeper the edges, the more.
fn gap_before(columns: &Columns, column: usize) -> f64 {
    let steepest = columns.columns[column].iter().flat_map(|&cell| {
        let y = columns.cells[cell].y;
        columns.before[cell].iter().map(move |pull| (columns.cells[pull.other].y - y).abs())
    });
    let steepest = steepest.max_by(f64::total_cmp).unwrap_or(0.0);
    (steepest * STEEPNESS).clamp(COLUMN_GAP.0, COLUMN_GAP.1)
}

/// Where edges end at the sides of vertices: how far from the middle, for each neighbour.
struct Ends {
    leaving: Map<(CellId, CellId), f64>,
    arriving: Map<(CellId, CellId), f64>,
}

impl Ends {
    fn new(input: &Input, columns: &Columns) -> Self {
        let mut leaving: Table<VertexId, Vec<CellId>> =
            Table::filled(Vec::new(), input.sizes.len());
        let mut arriving = leaving.clone();
        for (index, edge) in input.edges.iter().enumerate().filter(|(_, edge)| edge.from != edge.to)
        {
            let passages = &columns.passages[index];
            leaving[edge.from].push(*passages.first().unwrap_or(&columns.of_vertex[edge.to]));
            arriving[edge.to].push(*passages.last().unwrap_or(&columns.of_vertex[edge.from]));
        }
        Self {
            leaving: spread(input, columns, &leaving),
            arriving: spread(input, columns, &arriving),
        }
    }
}

fn spread(
    input: &Input,
    columns: &Columns,
    neighbours: &Table<VertexId, Vec<CellId>>,
) -> Map<(CellId, CellId), f64> {
    let mut offsets = Map::default();
    for (vertex, neighbours) in neighbours.iter() {
        let mut neighbours = neighbours.clone();
        neighbours.sort_by(|&a, &b| columns.cells[a].y.total_cmp(&columns.cells[b].y));
        neighbours.dedup();
        let last = neighbours.len().saturating_sub(1) as f64;
        let room = (input.sizes[vertex].height - 2.0 * END_GAP).max(0.0);
        let gap = if last > 0.0 { END_GAP.min(room / last) } else { 0.0 };
        let gap = if gap < LEAST_END_GAP { 0.0 } else { gap };
        for (index, neighbour) in neighbours.into_iter().enumerate() {
            let offset = (index as f64 - last / 2.0) * gap;
            offsets.insert((columns.of_vertex[vertex], neighbour), offset);
        }
    }
    offsets
}

struct Routing<'a> {
    input: &'a Input,
    columns: &'a Columns,
    extents: Vec<(f64, f64)>,
    ends: Ends,
}

/// A horizontal part of an edge, in its direction.
#[derive(Clone, Copy)]
struct Level {
    from: f64,
    to: f64,
    y: f64,
}

impl Routing<'_> {
    /// The middle of a cell; columns are set flush left.
    fn middle(&self, cell: CellId) -> Point {
        let cell = &self.columns.cells[cell];
        Point { x: self.extents[cell.column].0 + cell.width / 2.0, y: cell.y + MARGIN }
    }

    /// The way of an edge; one that meets a passage which was drawn before ends there.
    fn route(&self, index: usize, drawn: &mut IdSet<CellId>) -> Route {
        let edge = &self.input.edges[index];
        let (from, to) = (self.columns.of_vertex[edge.from], self.columns.of_vertex[edge.to]);
        let passages = &self.columns.passages[index];
        let (source, target) = (&self.columns.cells[from], &self.columns.cells[to]);
        let back = target.column <= source.column;
        let leaving = self.ends.leaving[&(from, *passages.first().unwrap_or(&to))];
        let (left, right) = self.extents[source.column];
        let y = source.y + leaving;
        let mut levels = vec![Level { from: left + source.width, to: right, y }];
        let mut joins = false;
        for &passage in passages {
            let cell = &self.columns.cells[passage];
            let (left, right) = self.extents[cell.column];
            let (from, to) = if back { (right, left) } else { (left, right) };
            joins = !drawn.insert(passage);
            levels.push(Level { from, to: if joins { from } else { to }, y: cell.y });
            if joins {
                break;
            }
        }
        if !joins {
            let arriving = self.ends.arriving[&(to, *passages.last().unwrap_or(&from))];
            let (left, _) = self.extents[target.column];
            levels.push(Level { from: left, to: left, y: target.y + arriving });
        }
        let label = self.columns.labelled[index].map(|cell| self.label(cell));
        let start = Point { x: levels[0].from, y: levels[0].y + MARGIN };
        Route { start, pieces: connect(&levels), label, joins }
    }

    /// Where a label is: in the middle of its column.
    fn label(&self, passage: CellId) -> Point {
        let cell = &self.columns.cells[passage];
        let (left, right) = self.extents[cell.column];
        Point { x: left.midpoint(right), y: cell.y + MARGIN }
    }

    /// An edge from a vertex to itself, above it and above those that are there already.
    fn around(
        &self,
        vertex: VertexId,
        label: Option<Size>,
        loops: &mut Table<VertexId, f64>,
    ) -> Route {
        let Point { x, y } = self.middle(self.columns.of_vertex[vertex]);
        let top = y - self.input.sizes[vertex].height / 2.0;
        let label = label.unwrap_or_default();
        let height = loops[vertex] + LOOP + label.height;
        loops[vertex] = height;
        let side = (self.input.sizes[vertex].width / 2.0 - 2.0).min(8.0 + height / 4.0);
        let (peak, bulge) = (top - height + label.height / 2.0, side + 6.0);
        let start = Point { x: x - side, y: top };
        let end = Point { x: x + side, y: top };
        // A cubic curve reaches three quarters of the way to its control points.
        let control = top - (top - peak) / 0.75;
        let first = Point { x: x - bulge, y: control };
        let second = Point { x: x + bulge, y: control };
        let at = Point { x, y: peak };
        Route {
            start,
            pieces: vec![Piece::Curve(first, second, end)],
            label: Some(at),
            joins: false,
        }
    }
}

/// Joins horizontal parts by curves; where two lie above each other, the curve turns around.
fn connect(levels: &[Level]) -> Vec<Piece> {
    let point = |x: f64, y: f64| Point { x, y: y + MARGIN };
    let mut pieces = Vec::new();
    for (index, level) in levels.iter().enumerate() {
        if let Some(before) = index.checked_sub(1).map(|before| levels[before]) {
            let across = level.from - before.to;
            let turn = 8.0 + ((level.y - before.y).abs() / 4.0).min(COLUMN_GAP.0 * 0.6);
            // The first turn is to the right of a column, the second to the left of one.
            let reach = match (across.abs() < 1e-6, index == 1) {
                (true, true) => (turn, turn),
                (true, false) => (-turn, -turn),
                (false, _) => (across / 2.0, -across / 2.0),
            };
            pieces.push(Piece::Curve(
                point(before.to + reach.0, before.y),
                point(level.from + reach.1, level.y),
                point(level.from, level.y),
            ));
        }
        if (level.to - level.from).abs() > 1e-6 {
            pieces.push(Piece::Line(point(level.to, level.y)));
        }
    }
    pieces
}

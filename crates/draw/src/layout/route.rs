//! Draws the edges through their cells.
//!
//! Inside a column an edge is a horizontal line; between columns it is a curve that leaves and
//! arrives horizontally. At the sides of a vertex the ends of edges are spread in the order of
//! their continuation. Linear, except for sorting the ends at each vertex.

use gramercy_base::{Map, Table};

use super::turns::Turns;
use super::{Cell, CellId, Columns, Input, Layout, PathSegment, Point, Route, Size};
use crate::sketch::VertexId;

/// The space around the whole drawing.
const MARGIN: f64 = 16.0;
/// The minimal and maximal distance of columns, and its growth with the steepness of edges.
const COLUMN_GAP: (f64, f64) = (36.0, 110.0);
const STEEPNESS: f64 = 0.14;
/// The distance of ends at a vertex; ends that would be nearer than the minimum coincide.
const END_GAP: f64 = 9.0;
const LEAST_END_GAP: f64 = 3.0;
/// The height of an edge from a vertex to itself, without its label.
pub(super) const LOOP: f64 = 12.0;
/// The radius of a turn.
const TURN: f64 = 8.0;

pub(super) fn route(input: &Input, columns: &Columns) -> Layout {
    let ends = Ends::new(input, columns);
    let turns = Turns::new(input, columns, &ends);
    let extents = extents(columns, &turns);
    let routing = Routing { input, columns, extents, ends, turns };
    let vertices = columns.of_vertex.map(|_, &cell| routing.middle(cell));
    let mut loops: Table<VertexId, f64> = Table::filled(0.0, input.sizes.len());
    let edges = input.edges.iter().enumerate().map(|(index, edge)| {
        if edge.from == edge.to {
            routing.around(edge.from, edge.label, &mut loops)
        } else {
            routing.route(index)
        }
    });
    Layout { edges: edges.collect(), vertices, size: routing.size() }
}

/// The left and right end of each column.
fn extents(columns: &Columns, turns: &Turns) -> Vec<(f64, f64)> {
    let mut extents: Vec<(f64, f64)> = Vec::new();
    for (index, column) in columns.columns.iter().enumerate() {
        let left = match extents.last() {
            None => MARGIN + turns.left_of[index],
            Some(&(_, right)) => {
                let turning = turns.right_of[index - 1] + turns.left_of[index] + 2.0 * TURN;
                right + gap_before(columns, index).max(turning)
            }
        };
        let widths = column.iter().map(|&cell| columns.cells[cell].width);
        extents.push((left, left + widths.max_by(f64::total_cmp).unwrap_or(0.0)));
    }
    extents
}

/// The distance of a column from the previous one: it grows with the steepness of the edges.
fn gap_before(columns: &Columns, column: usize) -> f64 {
    let steepest = columns.columns[column].iter().flat_map(|&cell| {
        let y = columns.cells[cell].y;
        columns.before[cell].iter().map(move |pull| (columns.cells[pull.other].y - y).abs())
    });
    let steepest = steepest.max_by(f64::total_cmp).unwrap_or(0.0);
    (steepest * STEEPNESS).clamp(COLUMN_GAP.0, COLUMN_GAP.1)
}

/// The ends of edges at the sides of vertices: the offset from the center, for each neighbor.
pub(super) struct Ends {
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

    /// The offset at which an edge to a neighbor leaves a vertex.
    pub(super) fn leaving(&self, vertex: CellId, to: CellId) -> f64 {
        self.leaving[&(vertex, to)]
    }

    /// The offset at which an edge from a neighbor arrives at a vertex.
    pub(super) fn arriving(&self, vertex: CellId, from: CellId) -> f64 {
        self.arriving[&(vertex, from)]
    }
}

fn spread(
    input: &Input,
    columns: &Columns,
    neighbors: &Table<VertexId, Vec<CellId>>,
) -> Map<(CellId, CellId), f64> {
    let mut offsets = Map::default();
    for (vertex, neighbors) in neighbors.iter() {
        let mut neighbors = neighbors.clone();
        let own = &columns.cells[columns.of_vertex[vertex]];
        neighbors.sort_by(|&a, &b| {
            let (a, b) = (side(own, &columns.cells[a]), side(own, &columns.cells[b]));
            a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
        });
        neighbors.dedup();
        let last = neighbors.len().saturating_sub(1) as f64;
        let room = (input.sizes[vertex].height - 2.0 * END_GAP).max(0.0);
        let gap = if last > 0.0 { END_GAP.min(room / last) } else { 0.0 };
        let gap = if gap < LEAST_END_GAP { 0.0 } else { gap };
        for (index, neighbor) in neighbors.into_iter().enumerate() {
            let offset = (index as f64 - last / 2.0) * gap;
            offsets.insert((columns.of_vertex[vertex], neighbor), offset);
        }
    }
    offsets
}

/// The sort key of the ends at a vertex: edges that turn upward, then forward edges, then those
/// that turn downward. The wider a turn is, the further from its lane it begins, so that narrower
/// turns are inside it.
fn side(vertex: &Cell, neighbor: &Cell) -> (u8, f64) {
    match (neighbor.column == vertex.column, neighbor.y < vertex.y) {
        (true, true) => (0, -neighbor.y),
        (false, _) => (1, neighbor.y),
        (true, false) => (2, -neighbor.y),
    }
}

struct Routing<'a> {
    input: &'a Input,
    columns: &'a Columns,
    extents: Vec<(f64, f64)>,
    ends: Ends,
    turns: Turns,
}

impl Routing<'_> {
    fn size(&self) -> Size {
        let right = self.extents.last().map_or(0.0, |&(_, right)| right);
        let turns = self.turns.right_of.last().unwrap_or(&0.0);
        let bottoms = self.columns.cells.values().map(|cell| cell.y + cell.below);
        let bottom = bottoms.max_by(f64::total_cmp).unwrap_or(0.0);
        Size { width: right + turns + MARGIN, height: bottom + 2.0 * MARGIN }
    }

    /// The center of a cell; columns are aligned at the left.
    fn middle(&self, cell: CellId) -> Point {
        let cell = &self.columns.cells[cell];
        Point { x: self.extents[cell.column].0 + cell.width / 2.0, y: cell.y + MARGIN }
    }

    /// The route of an edge; it ends at a passage that another edge has already drawn.
    fn route(&self, index: usize) -> Route {
        let edge = &self.input.edges[index];
        let (from, to) = (self.columns.of_vertex[edge.from], self.columns.of_vertex[edge.to]);
        let passages = &self.columns.passages[index];
        let (source, target) = (&self.columns.cells[from], &self.columns.cells[to]);
        let back = target.column <= source.column;
        let (left, right) = self.extents[source.column];
        let leaving = self.ends.leaving(from, *passages.first().unwrap_or(&to));
        let y = source.y + leaving + MARGIN;
        let mut pen = Pen::new(Point { x: left + source.width, y });
        pen.line(right);
        for (at, &passage) in passages.iter().enumerate() {
            let cell = &self.columns.cells[passage];
            let (left, right) = self.extents[cell.column];
            let (begin, end) = if back { (right, left) } else { (left, right) };
            let y = cell.y + MARGIN;
            match self.turns.leaving[index].filter(|_| at == 0) {
                Some(distance) => pen.turn(distance, y),
                None => pen.curve(Point { x: begin, y }),
            }
            if self.columns.owner[passage] != Some(index) {
                break;
            }
            pen.line(end);
        }
        if !self.columns.joins(index) {
            let arriving = self.ends.arriving(to, *passages.last().unwrap_or(&from));
            let (x, y) = (self.extents[target.column].0, target.y + arriving + MARGIN);
            match self.turns.arriving[index] {
                Some(distance) => pen.turn(-distance, y),
                None => pen.curve(Point { x, y }),
            }
        }
        let label = self.columns.labelled[index].map(|cell| self.label(cell));
        pen.finish(label, self.columns.joins(index))
    }

    /// The position of a label: the center of its column.
    fn label(&self, passage: CellId) -> Point {
        let cell = &self.columns.cells[passage];
        let (left, right) = self.extents[cell.column];
        Point { x: left.midpoint(right), y: cell.y + MARGIN }
    }

    /// An edge from a vertex to itself, above the vertex and above the earlier ones.
    fn around(
        &self,
        vertex: VertexId,
        label: Option<Size>,
        loops: &mut Table<VertexId, f64>,
    ) -> Route {
        let Point { x, y } = self.middle(self.columns.of_vertex[vertex]);
        let size = self.input.sizes[vertex];
        let top = y - size.height / 2.0;
        let label = label.unwrap_or_default();
        loops[vertex] += LOOP + label.height;
        let peak = top - loops[vertex] + label.height / 2.0;
        let side = (size.width / 2.0 - 2.0).min(8.0 + loops[vertex] / 4.0);
        let mut pen = Pen::new(Point { x: x - side, y: top });
        // A cubic curve reaches three quarters of the distance to its control points.
        let control = top - (top - peak) / 0.75;
        let bulge = side + 6.0;
        let (first, second) = (x - bulge, x + bulge);
        pen.segments.push(PathSegment::Curve(
            Point { x: first, y: control },
            Point { x: second, y: control },
            Point { x: x + side, y: top },
        ));
        pen.finish(Some(Point { x, y: peak }), false)
    }
}

/// Draws one edge.
struct Pen {
    start: Point,
    at: Point,
    segments: Vec<PathSegment>,
}

impl Pen {
    fn new(start: Point) -> Self {
        Self { start, at: start, segments: Vec::new() }
    }

    fn finish(self, label: Option<Point>, joins: bool) -> Route {
        Route { start: self.start, segments: self.segments, label, joins }
    }

    fn to(&mut self, end: Point, segment: PathSegment) {
        self.segments.push(segment);
        self.at = end;
    }

    /// A horizontal line.
    fn line(&mut self, x: f64) {
        if (x - self.at.x).abs() > 1e-6 {
            let end = Point { x, ..self.at };
            self.to(end, PathSegment::Line(end));
        }
    }

    /// A curve that leaves and arrives horizontally.
    fn curve(&mut self, end: Point) {
        let middle = self.at.x.midpoint(end.x);
        let controls = (Point { x: middle, y: self.at.y }, Point { x: middle, y: end.y });
        self.to(end, PathSegment::Curve(controls.0, controls.1, end));
    }

    /// Goes out to a track at this distance, along it, and back.
    fn turn(&mut self, distance: f64, y: f64) {
        let Point { x, y: from } = self.at;
        let track = x + distance;
        let down = TURN.min((y - from).abs() / 2.0).copysign(y - from);
        let beside = track - TURN.copysign(distance);
        self.line(beside);
        self.corner(Point { x: track, y: from }, Point { x: track, y: from + down });
        let end = Point { x: track, y: y - down };
        self.to(end, PathSegment::Line(end));
        self.corner(Point { x: track, y }, Point { x: beside, y });
        self.line(x);
    }

    /// A quarter of an ellipse inside a corner.
    fn corner(&mut self, corner: Point, end: Point) {
        const ROUND: f64 = 0.55;
        let towards = |from: Point| Point {
            x: from.x + (corner.x - from.x) * ROUND,
            y: from.y + (corner.y - from.y) * ROUND,
        };
        self.to(end, PathSegment::Curve(towards(self.at), towards(end), end));
    }
}

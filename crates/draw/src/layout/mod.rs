//! The layout of a graph: columns from left to right; edges leave on the right and arrive on the
//! left.
//!
//! The phases are those of Sugiyama, Tagawa, Toda, SMC 1981: ranks, order, coordinates, curves. The
//! solid edges that lead forward are the *layout edges*. Only they determine the column of a vertex
//! ([`rank`]) and the order within a column ([`order`]), so their structure stays visible. The
//! other edges, dashed or backward, are then routed between the vertices ([`lanes`]), and
//! everything moves apart to make space ([`place`]). Curves come last ([`turns`], [`route`]).
//!
//! A long edge has a cell of its own in every column that it passes, so no edge crosses a vertex.
//! Edges without a label that lead to the same vertex share their route after they meet.
//!
//! Cost: about E log E per round over the edges divided into columns, with a fixed number of
//! rounds.

mod lanes;
mod order;
mod place;
mod rank;
mod route;
mod turns;

use gramercy_base::Table;

use crate::sketch::VertexId;

gramercy_base::define_id!(struct CellId, "a cell of a column");

/// A graph to lay out.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    pub(crate) sizes: Table<VertexId, Size>,
    pub(crate) edges: Vec<InputEdge>,
}

/// The space that a vertex or a label needs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Size {
    pub(crate) width: f64,
    pub(crate) height: f64,
}

#[derive(Clone, Debug)]
pub(crate) struct InputEdge {
    pub(crate) from: VertexId,
    pub(crate) to: VertexId,
    pub(crate) solid: bool,
    pub(crate) label: Option<Size>,
}

/// The positions of everything. A position is the center of an item.
pub(crate) struct Layout {
    pub(crate) size: Size,
    pub(crate) vertices: Table<VertexId, Point>,
    /// In the order of the input.
    pub(crate) edges: Vec<Route>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

/// The route of an edge from its source to its target.
pub(crate) struct Route {
    pub(crate) start: Point,
    /// Straight lines and curves, each from the end of the previous one.
    pub(crate) segments: Vec<PathSegment>,
    pub(crate) label: Option<Point>,
    /// Whether it ends at a passage where another edge with the same target continues.
    pub(crate) joins: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum PathSegment {
    Line(Point),
    /// Two control points and the end.
    Curve(Point, Point, Point),
}

/// Lays out a graph.
pub(crate) fn layout(input: &Input) -> Layout {
    let ranks = rank::rank(input);
    let mut columns = Columns::new(input, &ranks);
    order::order(&mut columns);
    place::place(&mut columns);
    lanes::add(input, &ranks, &mut columns);
    place::place(&mut columns);
    route::route(input, &columns)
}

/// An item of a column: a vertex, or the passage of an edge.
struct Cell {
    column: usize,
    kind: CellKind,
    width: f64,
    /// Its extent above the line on which edges arrive, and below it.
    above: f64,
    below: f64,
    /// The height of that line, after placement.
    y: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CellKind {
    Vertex,
    /// A passage of an edge, with or without its label.
    Passage,
}

/// A preference that two cells of adjacent columns have the same height, with its weight.
#[derive(Clone, Copy)]
struct Pull {
    other: CellId,
    weight: f64,
}

/// The layout under construction.
struct Columns {
    cells: Table<CellId, Cell>,
    of_vertex: Table<VertexId, CellId>,
    /// The cells of each column from top to bottom.
    columns: Vec<Vec<CellId>>,
    /// The neighbors of each cell in the previous and in the next column.
    before: Table<CellId, Vec<Pull>>,
    after: Table<CellId, Vec<Pull>>,
    /// The passages of each edge from source to target.
    passages: Vec<Vec<CellId>>,
    /// The first edge that uses each passage; it draws the passage.
    owner: Table<CellId, Option<usize>>,
    /// The passage of each edge that has its label.
    labelled: Vec<Option<CellId>>,
}

/// The weights for straight edges: at a vertex, along a route, and for passages of other edges.
const WEIGHT_AT_VERTEX: f64 = 1.0;
const WEIGHT_ON_ROUTE: f64 = 4.0;
const WEIGHT_OF_LANE: f64 = 0.25;
/// The height of a passage without a label.
const THREAD: f64 = 1.0;

impl Columns {
    /// All vertices in their columns, with the layout edges between them.
    fn new(input: &Input, ranks: &rank::Ranks) -> Self {
        let mut columns = Self {
            cells: Table::new(),
            of_vertex: Table::new(),
            columns: Vec::new(),
            before: Table::new(),
            after: Table::new(),
            passages: vec![Vec::new(); input.edges.len()],
            owner: Table::new(),
            labelled: vec![None; input.edges.len()],
        };
        for (vertex, size) in input.sizes.iter() {
            let loops = ranks.loops[vertex].iter().filter_map(|&edge| input.edges[edge].label);
            let loops: f64 = loops.map(|label| label.height + route::LOOP).sum();
            let cell = Cell {
                column: ranks.of[vertex],
                kind: CellKind::Vertex,
                width: size.width,
                above: size.height / 2.0 + loops,
                below: size.height / 2.0,
                y: 0.0,
            };
            let cell = columns.push(cell);
            columns.of_vertex.push(cell);
        }
        for vertex in ranks.preorder.iter().copied() {
            columns.enter(columns.of_vertex[vertex]);
            for &edge in &ranks.layout_edges[vertex] {
                columns.add_layout_edge(input, edge);
            }
        }
        columns
    }

    fn push(&mut self, cell: Cell) -> CellId {
        self.before.push(Vec::new());
        self.after.push(Vec::new());
        self.owner.push(None);
        self.cells.push(cell)
    }

    /// Appends a cell to its column.
    fn enter(&mut self, cell: CellId) {
        let column = self.cells[cell].column;
        if self.columns.len() <= column {
            self.columns.resize(column + 1, Vec::new());
        }
        self.columns[column].push(cell);
    }

    fn passage(&mut self, column: usize, label: Option<Size>) -> CellId {
        let Size { width, height } = label.unwrap_or(Size { width: 0.0, height: THREAD });
        let (above, below) = (height / 2.0, height / 2.0);
        self.push(Cell { column, kind: CellKind::Passage, width, above, below, y: 0.0 })
    }

    /// The passages of a forward edge; its label is in the middle.
    fn add_layout_edge(&mut self, input: &Input, edge: usize) {
        let InputEdge { from, to, label, .. } = input.edges[edge];
        let (from, to) = (self.of_vertex[from], self.of_vertex[to]);
        let (first, last) = (self.cells[from].column, self.cells[to].column);
        let middle = first.midpoint(last);
        let mut left = from;
        for column in first + 1..last {
            let passage = self.passage(column, label.filter(|_| column == middle));
            if column == middle && label.is_some() {
                self.labelled[edge] = Some(passage);
            }
            self.enter(passage);
            self.pass(edge, passage);
            self.pull(left, passage, if left == from { WEIGHT_AT_VERTEX } else { WEIGHT_ON_ROUTE });
            left = passage;
        }
        self.pull(left, to, WEIGHT_AT_VERTEX);
    }

    /// Appends a passage to an edge.
    fn pass(&mut self, edge: usize, passage: CellId) {
        self.owner[passage].get_or_insert(edge);
        self.passages[edge].push(passage);
    }

    /// Whether an edge ends at a passage where another one with the same target continues.
    fn joins(&self, edge: usize) -> bool {
        self.passages[edge].iter().any(|&passage| self.owner[passage] != Some(edge))
    }

    fn pull(&mut self, left: CellId, right: CellId, weight: f64) {
        self.after[left].push(Pull { other: right, weight });
        self.before[right].push(Pull { other: left, weight });
    }
}

#[cfg(test)]
mod tests {
    use gramercy_base::Id;
    use proptest::prelude::{Strategy, prop};
    use proptest::test_runner::{Config, RngSeed};
    use proptest::{prop_assert, proptest};

    use super::{Input, InputEdge, Layout, PathSegment, Point, Size, layout};
    use crate::sketch::VertexId;

    /// Random graphs with vertices and labels of many sizes.
    fn graphs() -> impl Strategy<Value = Input> {
        let sizes = prop::collection::vec((20u8..120, 20u8..90), 1..14);
        sizes.prop_flat_map(|sizes| {
            let ends = (0..sizes.len(), 0..sizes.len());
            let label = prop::option::of(5u8..60);
            let edges = prop::collection::vec((ends, prop::bool::ANY, label), 0..30);
            (edges, prop::bool::ANY).prop_map(move |(edges, labelled)| Input {
                sizes: sizes.iter().map(|&(width, height)| size(width, height)).collect(),
                edges: edges
                    .into_iter()
                    .map(|((from, to), solid, label)| InputEdge {
                        from: VertexId::from_index(from),
                        to: VertexId::from_index(to),
                        solid,
                        label: label.filter(|_| labelled).map(|width| size(width, 16)),
                    })
                    .collect(),
            })
        })
    }

    fn size(width: u8, height: u8) -> Size {
        Size { width: width.into(), height: height.into() }
    }

    #[derive(Clone, Copy)]
    struct Area {
        left: f64,
        right: f64,
        top: f64,
        bottom: f64,
    }

    impl Area {
        fn around(middle: Point, size: Size) -> Self {
            let (x, y) = (size.width / 2.0, size.height / 2.0);
            Self {
                left: middle.x - x,
                right: middle.x + x,
                top: middle.y - y,
                bottom: middle.y + y,
            }
        }

        fn between(a: Point, b: Point) -> Self {
            Self {
                left: a.x.min(b.x),
                right: a.x.max(b.x),
                top: a.y.min(b.y),
                bottom: a.y.max(b.y),
            }
        }

        /// Whether the interiors of two areas intersect.
        fn meets(self, other: Area) -> bool {
            let little = 1e-3;
            self.left < other.right - little
                && other.left < self.right - little
                && self.top < other.bottom - little
                && other.top < self.bottom - little
        }
    }

    fn areas(input: &Input, layout: &Layout) -> Vec<Area> {
        layout.vertices.iter().map(|(id, &at)| Area::around(at, input.sizes[id])).collect()
    }

    /// The straight parts of all edges.
    fn lines(layout: &Layout) -> Vec<(Point, Point)> {
        let mut lines = Vec::new();
        for route in &layout.edges {
            let mut at = route.start;
            for segment in &route.segments {
                let end = match *segment {
                    PathSegment::Line(end) => {
                        lines.push((at, end));
                        end
                    }
                    PathSegment::Curve(_, _, end) => end,
                };
                at = end;
            }
        }
        lines
    }

    fn end(route: &super::Route) -> Point {
        match route.segments.last() {
            Some(&PathSegment::Line(end) | &PathSegment::Curve(_, _, end)) => end,
            None => route.start,
        }
    }

    /// The same cases in every run.
    fn config() -> Config {
        Config {
            cases: 500,
            rng_seed: RngSeed::Fixed(5),
            failure_persistence: None,
            ..Config::default()
        }
    }

    proptest! {
        #![proptest_config(config())]

        #[test]
        fn no_edge_or_label_overlaps_a_vertex(input in graphs()) {
            let layout = layout(&input);
            let areas = areas(&input, &layout);
            for (index, &area) in areas.iter().enumerate() {
                let others = &areas[index + 1..];
                prop_assert!(others.iter().all(|&other| !area.meets(other)));
                prop_assert!(area.left >= 0.0 && area.right <= layout.size.width);
                prop_assert!(area.top >= 0.0 && area.bottom <= layout.size.height);
            }
            for (from, to) in lines(&layout) {
                let line = Area::between(from, to);
                prop_assert!(areas.iter().all(|&area| !area.meets(line)));
            }
        }

        #[test]
        fn edges_leave_at_the_right_and_arrive_at_the_left(input in graphs()) {
            let layout = layout(&input);
            let areas = areas(&input, &layout);
            for (edge, route) in input.edges.iter().zip(&layout.edges) {
                if edge.from == edge.to {
                    continue;
                }
                let (source, target) = (areas[edge.from.index()], areas[edge.to.index()]);
                prop_assert!((route.start.x - source.right).abs() < 1e-3);
                prop_assert!(source.top < route.start.y && route.start.y < source.bottom);
                let end = end(route);
                if !route.joins {
                    prop_assert!((end.x - target.left).abs() < 1e-3);
                    prop_assert!(target.top < end.y && end.y < target.bottom);
                }
                prop_assert!(edge.label.is_none() || route.label.is_some());
            }
        }
    }
}

//! Draws a sketch as SVG: the sizes of the texts, the layout, and the picture itself.
//!
//! Long names are shortened; the full name is the tooltip of the vertex.

use gramercy_base::Table;

use crate::layout::{self, Input, InputEdge, Layout, Point, Route, Size};
use crate::sketch::{Label, Look, Sketch, Stroke, Vertex, VertexId};
use crate::svg::Svg;
use crate::text;

/// The height of a line of text.
const LINE: f64 = 16.0;
/// The space around text in a box.
const PADDING: Size = Size { width: 8.0, height: 3.0 };
/// The minimal diameter of a circle.
const CIRCLE: f64 = 20.0;
/// The distance between the two lines around an accepting state.
const DOUBLE: f64 = 3.0;
/// The maximal number of columns of a name and of a line.
const LONGEST_NAME: usize = 40;
const LONGEST_LINE: usize = 60;

pub(crate) fn write(sketch: &Sketch) -> String {
    let shown = sketch.vertices.map(|_, vertex| shortened(vertex));
    let labels: Vec<_> =
        sketch.edges.iter().map(|edge| text::shortened(&edge.label, LONGEST_NAME)).collect();
    let edges = sketch.edges.iter().zip(&labels).map(|(edge, label)| InputEdge {
        from: edge.from,
        to: edge.to,
        solid: edge.stroke == Stroke::Solid,
        label: (!label.is_empty()).then(|| Size { width: text::width(label) + 4.0, height: LINE }),
    });
    let input = Input { sizes: shown.map(|_, vertex| size(vertex)), edges: edges.collect() };
    let layout = layout::layout(&input);
    let mut svg = Svg::new(&sketch.title, layout.size.width, layout.size.height);
    draw_edges(&mut svg, sketch, &layout);
    draw_vertices(&mut svg, sketch, &shown, &input, &layout);
    for (route, label) in layout.edges.iter().zip(&labels) {
        if let Some(at) = route.label.filter(|_| !label.is_empty()) {
            svg.text("label", at, &text::xml(label));
        }
    }
    svg.finish()
}

/// A vertex with shortened text.
fn shortened(vertex: &Vertex) -> Vertex {
    let name = |name: &str| text::shortened(name, LONGEST_NAME).into_owned();
    let line = |line: &String| text::shortened(line, LONGEST_LINE).into_owned();
    let label = match &vertex.label {
        Label::Text(text) => Label::Text(name(text)),
        Label::Numbered(text, number) => Label::Numbered(name(text), *number),
        Label::Lines(heading, lines) => {
            Label::Lines(name(heading), lines.iter().map(line).collect())
        }
    };
    Vertex { label, ..vertex.clone() }
}

fn size(vertex: &Vertex) -> Size {
    let (width, lines) = match &vertex.label {
        Label::Text(text) => (text::width(text), 1),
        Label::Numbered(name, number) => {
            (text::width(name) + text::width(&number.to_string()) * 0.75, 1)
        }
        Label::Lines(heading, lines) => {
            let widths = lines.iter().map(|line| text::width(line));
            (widths.fold(text::width(heading), f64::max), 1 + lines.len())
        }
    };
    let height = lines as f64 * LINE + 2.0 * PADDING.height;
    match vertex.look {
        Look::Synthetic => Size { width: (width + PADDING.width).max(CIRCLE), height: CIRCLE },
        Look::Accept => {
            let double = 2.0 * DOUBLE;
            Size { width: width + 2.0 * PADDING.width + double, height: height + double }
        }
        Look::Reference | Look::Terminal | Look::State | Look::Conflict | Look::Start => {
            Size { width: width + 2.0 * PADDING.width, height }
        }
    }
}

fn draw_edges(svg: &mut Svg, sketch: &Sketch, layout: &Layout) {
    svg.line(format_args!("<defs>"));
    for arrow in ["arrow", "dashed-arrow"] {
        svg.line(format_args!(
            r#"<marker id="{arrow}" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="{arrow}" d="M0 0.5 8 4 0 7.5z"/></marker>"#
        ));
    }
    svg.line(format_args!("</defs>"));
    for (edge, route) in sketch.edges.iter().zip(&layout.edges) {
        svg.edge(class(edge.stroke, route), route);
    }
}

fn draw_vertices(
    svg: &mut Svg,
    sketch: &Sketch,
    shown: &Table<VertexId, Vertex>,
    input: &Input,
    layout: &Layout,
) {
    for (id, vertex) in shown.iter() {
        let whole = &sketch.vertices[id].label;
        let cut = vertex.label != *whole;
        if cut {
            svg.line(format_args!("<g><title>{}</title>", text::xml(&whole.to_string())));
        }
        draw_vertex(svg, vertex, layout.vertices[id], input.sizes[id]);
        if cut {
            svg.line(format_args!("</g>"));
        }
    }
}

fn class(stroke: Stroke, route: &Route) -> &'static str {
    match (stroke, route.joins) {
        (Stroke::Solid, false) => "edge",
        (Stroke::Solid, true) => "edge joins",
        (Stroke::Dashed, false) => "edge dashed",
        (Stroke::Dashed, true) => "edge dashed joins",
    }
}

fn draw_vertex(svg: &mut Svg, vertex: &Vertex, at: Point, size: Size) {
    let Size { width, height } = size;
    match vertex.look {
        Look::Synthetic => svg.rect("node synthetic", at, width, height, height / 2.0),
        Look::Reference => svg.rect("node reference", at, width, height, 0.0),
        Look::Terminal => svg.rect("node terminal", at, width, height, height / 2.0),
        Look::State => svg.rect("node", at, width, height, 3.0),
        Look::Conflict => svg.rect("node conflict", at, width, height, 3.0),
        Look::Start => svg.rect("node start", at, width, height, 3.0),
        Look::Accept => {
            svg.rect("node", at, width, height, 6.0);
            svg.rect("node inner", at, width - 2.0 * DOUBLE, height - 2.0 * DOUBLE, 3.0);
        }
    }
    match &vertex.label {
        Label::Text(label) => svg.text("name", at, &text::xml(label)),
        Label::Numbered(name, number) => {
            let name = text::xml(name);
            let sub = format!(r#"{name}<tspan class="sub" dy="3">{number}</tspan>"#);
            svg.text("name", at, &sub);
        }
        Label::Lines(heading, lines) => {
            let middle = lines.len() as f64 / 2.0;
            let row = |index: f64| at.y + (index - middle) * LINE;
            svg.text("heading", Point { x: at.x, y: row(0.0) }, &text::xml(heading));
            let left = at.x - width / 2.0 + PADDING.width;
            for (index, line) in lines.iter().enumerate() {
                let at = Point { x: left, y: row(index as f64 + 1.0) };
                svg.text("item", at, &text::xml(line));
            }
        }
    }
}

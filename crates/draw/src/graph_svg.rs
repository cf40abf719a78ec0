//! Draws a sketch: sizes of what is written on the vertices, their layout, and the picture itself.

use crate::layout::{self, Input, InputEdge, Layout, Point, Route, Size};
use crate::sketch::{Label, Look, Sketch, Stroke, Vertex};
use crate::svg::Svg;
use crate::text;

/// The height of a line of text.
const LINE: f64 = 16.0;
/// The room around text in a box.
const PADDING: Size = Size { width: 8.0, height: 3.0 };
/// The least diameter of a circle.
const CIRCLE: f64 = 20.0;
/// The distance between the two lines around an accepting state.
const DOUBLE: f64 = 3.0;

pub(crate) fn write(sketch: &Sketch) -> String {
    let sizes = sketch.vertices.map(|_, vertex| size(vertex));
    let edges = sketch.edges.iter().map(|edge| InputEdge {
        from: edge.from,
        to: edge.to,
        solid: edge.stroke == Stroke::Solid,
        label: (!edge.label.is_empty())
            .then(|| Size { width: text::width(&edge.label) + 4.0, height: LINE }),
    });
    let input = Input { sizes, edges: edges.collect() };
    let layout = layout::layout(&input);
    draw(sketch, &input, &layout)
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
        Look::Reference | Look::Terminal | Look::State | Look::Start => {
            Size { width: width + 2.0 * PADDING.width, height }
        }
    }
}

fn draw(sketch: &Sketch, input: &Input, layout: &Layout) -> String {
    let mut svg = Svg::new(&sketch.title, layout.size.width, layout.size.height);
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
    for (id, vertex) in sketch.vertices.iter() {
        draw_vertex(&mut svg, vertex, layout.vertices[id], input.sizes[id]);
    }
    for (edge, route) in sketch.edges.iter().zip(&layout.edges) {
        if let Some(at) = route.label.filter(|_| !edge.label.is_empty()) {
            svg.text("label", at, &text::xml(&edge.label));
        }
    }
    svg.finish()
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

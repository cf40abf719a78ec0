//! Writes SVG: one self-contained file with its own style, for light and dark backgrounds.

use std::fmt::{self, Display, Write};

use crate::layout::{PathSegment, Point, Route};
use crate::text;

/// Colors and fonts, for light and for dark backgrounds.
const STYLE: &str = include_str!("style.css");

/// A picture under construction.
pub(crate) struct Svg {
    out: String,
}

impl Svg {
    /// A picture of this size, in pixels.
    pub(crate) fn new(title: &str, width: f64, height: f64) -> Self {
        let (width, height) = (Number(width), Number(height));
        let mut svg = Self { out: String::new() };
        svg.line(format_args!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">"#
        ));
        svg.line(format_args!("<title>{}</title>", text::xml(title)));
        svg.line(format_args!("<style>\n{STYLE}</style>"));
        svg.line(format_args!(r#"<rect class="paper" width="{width}" height="{height}"/>"#));
        svg
    }

    /// Appends a line.
    pub(crate) fn line(&mut self, line: fmt::Arguments<'_>) {
        writeln!(self.out, "{line}").expect("invariant: a string takes any text");
    }

    /// A rectangle around a point, with this radius of its corners.
    pub(crate) fn rect(&mut self, class: &str, middle: Point, width: f64, height: f64, round: f64) {
        let (x, y) = (Number(middle.x - width / 2.0), Number(middle.y - height / 2.0));
        let (width, height) = (Number(width), Number(height));
        let round = if round > 0.0 { format!(r#" rx="{}""#, Number(round)) } else { String::new() };
        self.line(format_args!(
            r#"<rect class="{class}" x="{x}" y="{y}" width="{width}" height="{height}"{round}/>"#
        ));
    }

    /// Text, already escaped, centered at a point.
    pub(crate) fn text(&mut self, class: &str, at: Point, content: &str) {
        // The baseline is about a third of the font's height below the middle.
        let (x, y) = (Number(at.x), Number(at.y + text::FONT_SIZE * 0.34));
        self.line(format_args!(r#"<text class="{class}" x="{x}" y="{y}">{content}</text>"#));
    }

    /// An edge, with the arrow of its class at its end.
    pub(crate) fn edge(&mut self, class: &str, route: &Route) {
        let mut path = format!("M{}", route.start);
        for segment in &route.segments {
            match segment {
                PathSegment::Line(end) => write!(path, "L{end}"),
                PathSegment::Curve(first, second, end) => write!(path, "C{first} {second} {end}"),
            }
            .expect("invariant: a string takes any text");
        }
        self.line(format_args!(r#"<path class="{class}" d="{path}"/>"#));
    }

    /// The whole file.
    pub(crate) fn finish(mut self) -> String {
        self.line(format_args!("</svg>"));
        self.out
    }
}

impl Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", Number(self.x), Number(self.y))
    }
}

/// A length with at most one decimal.
pub(crate) struct Number(pub(crate) f64);

impl Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tenths = (self.0 * 10.0).round();
        // Adding zero turns a negative zero into a plain one.
        write!(f, "{}", tenths / 10.0 + 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Number;

    #[test]
    fn numbers_are_short() {
        let check = |number: f64, expected: &str| assert_eq!(Number(number).to_string(), expected);
        check(3.0, "3");
        check(2.25, "2.3");
        check(-0.04, "0");
        check(-1.55, "-1.6");
        check(123_456.1, "123456.1");
    }
}

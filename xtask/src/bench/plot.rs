//! A plot as SVG: points on logarithmic axes, connected by lines, with a line of slope one through
//! the first point of each series, which shows linear growth.

use std::fmt::Write as _;

/// Points that belong together.
pub(super) struct Series {
    pub(super) name: &'static str,
    pub(super) color: &'static str,
    pub(super) points: Vec<(f64, f64)>,
}

impl Series {
    /// The last point of linear growth from the first.
    fn linear(&self) -> Option<(f64, f64)> {
        let (first, last) = (self.points.first()?, self.points.last()?);
        Some((last.0, first.1 * last.0 / first.0))
    }
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 420.0;
const MARGIN: f64 = 60.0;

/// An axis in powers of ten.
struct Axis {
    low: f64,
    high: f64,
    /// Of the picture, in pixels, from the low to the high end.
    from: f64,
    to: f64,
}

impl Axis {
    fn new(values: impl Iterator<Item = f64> + Clone, from: f64, to: f64) -> Self {
        let low = values.clone().fold(f64::INFINITY, f64::min).log10().floor();
        let high = values.fold(f64::NEG_INFINITY, f64::max).log10().ceil();
        Self { low, high: high.max(low + 1.0), from, to }
    }

    fn at(&self, value: f64) -> f64 {
        let share = (value.log10() - self.low) / (self.high - self.low);
        self.from + share * (self.to - self.from)
    }

    /// The powers of ten on the axis.
    fn marks(&self) -> Vec<f64> {
        let count = (self.high - self.low).round();
        let steps = std::iter::successors(Some(0.0), |step| Some(step + 1.0));
        steps.take_while(|&step| step <= count).map(|step| 10_f64.powf(self.low + step)).collect()
    }
}

/// The picture.
pub(super) fn svg(title: &str, across: &str, series: &[Series]) -> String {
    let all = |series: &Series| {
        let mut points = series.points.clone();
        points.extend(series.linear());
        points
    };
    let points: Vec<(f64, f64)> = series.iter().flat_map(all).collect();
    let x = Axis::new(points.iter().map(|point| point.0), MARGIN, WIDTH - MARGIN);
    let y = Axis::new(points.iter().map(|point| point.1), HEIGHT - MARGIN, MARGIN);
    let mut picture = String::new();
    let mut line = |text: String| picture.push_str(&(text + "\n"));
    line(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n\
         <text x=\"{MARGIN}\" y=\"24\" font-size=\"14\">{title}</text>\n\
         <text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"middle\">{across}</text>",
        WIDTH / 2.0,
        HEIGHT - 16.0
    ));
    for mark in x.marks() {
        let at = x.at(mark);
        line(stroke((at, y.from), (at, y.to), "#ddd", ""));
        line(label(at, y.from + 18.0, "middle", &number(mark)));
    }
    for mark in y.marks() {
        let at = y.at(mark);
        line(stroke((x.from, at), (x.to, at), "#ddd", ""));
        line(label(x.from - 6.0, at + 4.0, "end", &number(mark)));
    }
    for (at, series) in series.iter().enumerate() {
        line(drawn(series, &x, &y));
        let row = MARGIN + 18.0 * (1.0 + f64::from(u8::try_from(at).unwrap_or(u8::MAX)));
        line(format!(
            "<text x=\"{:.0}\" y=\"{row:.0}\" fill=\"{}\">{}</text>",
            MARGIN + 10.0,
            series.color,
            series.name
        ));
    }
    picture + "</svg>\n"
}

fn drawn(series: &Series, x: &Axis, y: &Axis) -> String {
    let mut text = String::new();
    let at = |&(a, b): &(f64, f64)| (x.at(a), y.at(b));
    if let (Some(first), Some(end)) = (series.points.first(), series.linear()) {
        text += &stroke(at(first), at(&end), series.color, " stroke-dasharray=\"3 4\"");
    }
    for pair in series.points.windows(2) {
        text += &stroke(at(&pair[0]), at(&pair[1]), series.color, "");
    }
    for point in &series.points {
        let (x, y) = at(point);
        let color = series.color;
        let _infallible =
            write!(text, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{color}\"/>");
    }
    text
}

fn stroke(from: (f64, f64), to: (f64, f64), color: &str, more: &str) -> String {
    format!(
        "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{color}\"{more}/>",
        from.0, from.1, to.0, to.1
    )
}

fn label(x: f64, y: f64, anchor: &str, text: &str) -> String {
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>")
}

fn number(value: f64) -> String {
    if value >= 1.0 { format!("{value:.0}") } else { format!("{value}") }
}

#[cfg(test)]
mod tests {
    use super::{Series, svg};

    #[test]
    fn linear_points_lie_on_the_dashed_line() {
        let points = vec![(10.0, 1.0), (100.0, 10.0), (1000.0, 100.0)];
        let picture = svg("t", "n", &[Series { name: "s", color: "red", points }]);
        let dashed = picture.lines().find(|line| line.contains("dasharray")).expect("a line");
        assert!(dashed.contains("x1=\"60.0\" y1=\"360.0\" x2=\"580.0\" y2=\"60.0\""), "{dashed}");
        assert_eq!(picture.matches("<circle").count(), 3);
        assert!(picture.contains("<circle cx=\"320.0\" cy=\"210.0\""), "{picture}");
    }
}

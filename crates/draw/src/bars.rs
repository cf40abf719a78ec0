//! Bar charts: one bar per item for its average, with a line from the smallest to the largest
//! measurement. If the items differ much in size, lengths are logarithmic, and the heading says so.

use crate::layout::Point;
use crate::svg::{Number, Svg};
use crate::text;

/// The measurements of one item.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// Its name.
    pub name: String,
    /// The average of all measurements.
    pub average: f64,
    /// The smallest of them.
    pub smallest: f64,
    /// The largest of them.
    pub largest: f64,
}

const ROW: f64 = 24.0;
const LENGTH: f64 = 480.0;
const MARGIN: f64 = 12.0;
/// From this ratio of the largest to the smallest average on, lengths are logarithmic.
const FAR_APART: f64 = 50.0;

/// A bar chart as SVG.
#[must_use]
pub fn bars(title: &str, bars: &[Bar]) -> String {
    let scale = Scale::of(bars);
    let names = bars.iter().map(|bar| text::width(&bar.name)).fold(0.0, f64::max);
    let values = bars.iter().map(|bar| text::width(&value(bar))).fold(0.0, f64::max);
    let left = MARGIN + names + MARGIN;
    let width = (left + LENGTH + MARGIN + values).max(text::width(&heading(title, &scale)));
    let height = MARGIN * 2.0 + ROW * (bars.len() as f64 + 1.0);
    let mut svg = Svg::new(title, width + MARGIN, height);
    let middle = |row: usize| MARGIN + ROW * (row as f64 + 0.5);
    let at = Point { x: MARGIN, y: middle(0) };
    svg.text("item heading", at, &text::xml(&heading(title, &scale)));
    for (row, bar) in bars.iter().enumerate() {
        let y = middle(row + 1);
        svg.text("item", Point { x: MARGIN, y }, &text::xml(&bar.name));
        let long = scale.length(bar.average);
        let center = Point { x: left + long / 2.0, y };
        svg.rect("node reference", center, long, ROW * 0.6, 0.0);
        let (from, to) = (scale.length(bar.smallest), scale.length(bar.largest));
        let (from, to, y_line) = (Number(left + from), Number(left + to), Number(y));
        svg.line(format_args!(r#"<path class="track" d="M{from} {y_line}L{to} {y_line}"/>"#));
        let end = left + scale.length(bar.largest) + MARGIN / 2.0;
        svg.text("item remark", Point { x: end, y }, &value(bar));
    }
    svg.finish()
}

fn heading(title: &str, scale: &Scale) -> String {
    match scale.logarithmic {
        true => format!("{title} (logarithmic)"),
        false => title.to_owned(),
    }
}

fn value(bar: &Bar) -> String {
    Number(bar.average).to_string()
}

/// The mapping from values to lengths.
struct Scale {
    logarithmic: bool,
    most: f64,
}

impl Scale {
    fn of(bars: &[Bar]) -> Self {
        let most = bars.iter().map(|bar| bar.largest).fold(1.0, f64::max);
        let least = bars.iter().map(|bar| bar.average.max(1.0)).fold(f64::INFINITY, f64::min);
        Self { logarithmic: most > FAR_APART * least, most }
    }

    fn length(&self, value: f64) -> f64 {
        let share = match self.logarithmic {
            // The logarithm of the value plus one, so that 0 has length 0.
            true => (value + 1.0).ln() / (self.most + 1.0).ln(),
            false => value / self.most,
        };
        share * LENGTH
    }
}

#[cfg(test)]
mod tests {
    use super::{Bar, bars};

    fn bar(name: &str, smallest: f64, average: f64, largest: f64) -> Bar {
        Bar { name: name.to_owned(), average, smallest, largest }
    }

    #[test]
    fn lengths_are_proportional_to_the_longest() {
        let chart = bars("sizes", &[bar("a", 10.0, 15.0, 20.0), bar("b <", 5.0, 10.0, 10.0)]);
        assert!(chart.contains(">sizes<") && chart.contains(">b &lt;<"), "{chart}");
        assert!(chart.contains(r#"width="360""#) && chart.contains(r#"width="240""#), "{chart}");
    }

    #[test]
    fn very_different_values_are_logarithmic() {
        let chart = bars("sizes", &[bar("a", 1.0, 1.0, 1.0), bar("b", 1e6, 1e6, 1e6)]);
        assert!(chart.contains(">sizes (logarithmic)<"), "{chart}");
        assert_eq!(bars("nothing", &[]).matches("<rect").count(), 1);
    }
}

//! The tables of the experiment, beside those that were published (Havrikov, Kampmann, Zeller, TOSEM, Tables 5 and 9 to
//! 11). Subjects of the same name are other versions with other drivers; the averages are over JSON subjects.

use std::fmt::Write as _;

use super::statistics::mean;
use super::{Row, Way};

/// Published: name, relative random and made, absolute random and made, accuracy, precision, recall, mean methods random
/// and made, mean calls random and made, Cohen's d.
type Published = (&'static str, [f64; 12]);

const PUBLISHED: &[Published] = &[
    ("argo", [0.111, 0.800, 0.606, 1.000, 0.983, 0.959, 0.971, 44.2, 52.2, 4.3, 8.8, 0.602]),
    ("fastjson", [0.286, 0.857, 0.713, 0.960, 0.984, 0.966, 0.976, 29.9, 39.9, 8.8, 10.5, 0.101]),
    ("genson", [0.300, 0.700, 0.717, 0.956, 0.986, 0.964, 0.969, 35.9, 55.4, 17.4, 20.1, 0.066]),
    ("gson", [0.000, 1.000, 0.486, 0.966, 0.987, 0.964, 0.962, 35.8, 73.0, 4.0, 8.8, 0.366]),
    (
        "json-flattener",
        [0.000, 1.000, 0.463, 1.000, 0.970, 0.978, 0.936, 17.9, 25.5, 464.6, 464.1, 0.0],
    ),
    ("json-java", [0.000, 1.000, 0.250, 1.000, 0.982, 0.944, 0.937, 9.7, 20.7, 3.1, 8.0, 0.458]),
    ("json-simple", [0.000, 1.000, 0.471, 1.000, 0.997, 0.988, 0.994, 8.7, 16.1, 5.0, 6.8, 0.181]),
    (
        "json-cliftonlabs",
        [0.857, 1.000, 0.941, 1.000, 0.987, 0.989, 0.988, 12.5, 13.1, 73.3, 35.2, 0.447],
    ),
    (
        "minimal-json",
        [0.125, 1.000, 0.560, 0.980, 0.974, 0.946, 0.928, 26.8, 41.2, 2.6, 7.0, 0.792],
    ),
    ("pojo", [0.000, 0.500, 0.240, 0.680, 0.988, 0.953, 0.934, 19.2, 49.6, 1.0, 5.2, 0.425]),
    ("autolink", [0.500, 0.886, 1.000, 1.000, 0.946, 0.948, 0.952, 24.8, 25.6, 111.1, 53.6, 0.487]),
    ("jurl", [0.948, 1.000, 1.000, 1.000, 0.941, 0.956, 0.977, 36.0, 36.9, 122.5, 101.4, 0.119]),
    (
        "url-detector",
        [0.833, 0.852, 0.949, 1.000, 0.952, 0.966, 0.970, 41.1, 33.3, 881.9, 123.4, 0.796],
    ),
    ("rhino", [0.000, 0.692, 0.392, 0.928, 0.954, 0.846, 0.825, 270.4, 334.8, 3.8, 181.0, 0.082]),
];

/// Published correlations for k from 1 to 5, of subjects that are here too, and the means of their families.
const CORRELATIONS: &[(&str, [f64; 5])] = &[
    ("gson", [0.785, 0.786, 0.784, 0.784, 0.784]),
    ("json-simple", [0.936, 0.931, 0.926, 0.926, 0.926]),
    ("commons-csv", [0.860, 0.848, 0.885, 0.884, 0.890]),
    ("jackson-databind", [0.671, 0.668, 0.667, 0.667, 0.667]),
    ("jackson-csv", [0.844, 0.856, 0.818, 0.817, 0.802]),
    ("jurl", [0.579, 0.573, 0.578, 0.578, 0.578]),
    ("commonmark", [0.943, 0.943, 0.943, 0.943, 0.943]),
];

/// The whole report, as Markdown.
pub(super) fn report(rows: &[Row]) -> String {
    let mut text = String::new();
    predictions(rows, &mut text);
    fractions(rows, &mut text);
    extent(rows, &mut text);
    trees(rows, &mut text);
    correlations(rows, &mut text);
    text
}

fn predictions(rows: &[Row], text: &mut String) {
    line(text, "### Predictions on 1,000 fresh inputs (Table 10)\n");
    line(text, "| subject | functions | learned | way | accuracy | precision | recall |");
    line(text, "|---|---|---|---|---|---|---|");
    for (row, way) in ways(rows) {
        let quality = &way.quality;
        let figures = figures(&[quality.accuracy, quality.precision, quality.recall]);
        let (name, observed, trainable) = (row.name, row.observed, row.trainable);
        line(text, &format!("| {name} | {observed} | {trainable} | {} | {figures} |", way.name));
    }
    averages(rows, text, "| | ", |way| {
        vec![way.quality.accuracy, way.quality.precision, way.quality.recall]
    });
    for (name, of) in PUBLISHED {
        line(text, &format!("| {name}, published | | | greedy | {} |", figures(&of[4..7])));
    }
}

fn fractions(rows: &[Row], text: &mut String) {
    line(text, "\n### Coverage of the targeted function (Table 9)\n");
    line(
        text,
        "| subject | way | relative, random | relative | relative, mean | absolute, random | absolute | bytes, random | bytes |",
    );
    line(text, "|---|---|---|---|---|---|---|---|---|");
    for (row, way) in ways(rows) {
        let of = &way.reached;
        let [random, relative] = of.relative;
        let shares =
            figures(&[random, relative, of.mean_relative[1], of.absolute[0], of.absolute[1]]);
        let sizes = format!("{:.1} | {:.1}", of.bytes[0], of.bytes[1]);
        line(text, &format!("| {} | {} | {shares} | {sizes} |", row.name, way.name));
    }
    averages(rows, text, "", |way| {
        let of = &way.reached;
        vec![
            of.relative[0],
            of.relative[1],
            of.mean_relative[1],
            of.absolute[0],
            of.absolute[1],
            of.bytes[0],
            of.bytes[1],
        ]
    });
    for (name, of) in PUBLISHED {
        line(
            text,
            &format!(
                "| {name}, published | greedy | {} | | {} | | |",
                figures(&of[..2]),
                figures(&of[2..4])
            ),
        );
    }
}

fn extent(rows: &[Row], text: &mut String) {
    line(text, "\n### Functions per input and calls of the targeted one (Table 11)\n");
    line(
        text,
        "| subject | median, random | median | mean, random | mean | calls, random | calls | p | d |",
    );
    line(text, "|---|---|---|---|---|---|---|---|---|");
    for row in rows {
        let Some(way) = row.ways.first() else { continue };
        let of = &way.reached;
        let p = if of.p_value < 0.001 { "< .001".to_owned() } else { format!("{:.3}", of.p_value) };
        line(
            text,
            &format!(
                "| {} | {:.0} | {:.0} | {:.1} | {:.1} | {:.1} | {:.1} | {p} | {:.3} |",
                row.name,
                of.median_methods[0],
                of.median_methods[1],
                of.mean_methods[0],
                of.mean_methods[1],
                of.mean_calls[0],
                of.mean_calls[1],
                of.effect
            ),
        );
    }
    for (name, of) in PUBLISHED {
        let [.., random, made, calls, called, effect] = *of;
        line(
            text,
            &format!(
                "| {name}, published | | | {random:.1} | {made:.1} | {calls:.1} | {called:.1} | | {effect:.3} |"
            ),
        );
    }
}

fn trees(rows: &[Row], text: &mut String) {
    line(
        text,
        "\n### Sizes of trees\n\n| subject | way | questions | accuracy | targets without inputs |",
    );
    line(text, "|---|---|---|---|---|");
    for (row, way) in ways(rows) {
        let (questions, accuracy) = (way.questions, way.quality.accuracy);
        let without = way.reached.without_inputs;
        line(
            text,
            &format!(
                "| {} | {} | {questions:.1} | {accuracy:.3} | {without} |",
                row.name, way.name
            ),
        );
    }
}

fn correlations(rows: &[Row], text: &mut String) {
    line(text, "\n### Spearman's rho of k-path and branch coverage (Table 5)\n");
    line(text, "| subject | k = 1 | 2 | 3 | 4 | 5 |\n|---|---|---|---|---|---|");
    for row in rows.iter().filter(|row| !row.correlation.is_empty()) {
        line(text, &format!("| {} | {} |", row.name, figures(&row.correlation)));
    }
    for (name, of) in CORRELATIONS {
        line(text, &format!("| {name}, published | {} |", figures(of)));
    }
}

/// The averages of the JSON subjects, for each way.
fn averages(rows: &[Row], text: &mut String, gap: &str, of: impl Fn(&Way) -> Vec<f64>) {
    let json: Vec<&Row> = rows.iter().filter(|row| row.kind == "JSON").collect();
    for number in 0..json.first().map_or(0, |row| row.ways.len()) {
        let values: Vec<Vec<f64>> = json.iter().map(|row| of(&row.ways[number])).collect();
        let columns = values[0].len();
        let column = |at: usize| mean(&values.iter().map(|value| value[at]).collect::<Vec<_>>());
        let means: Vec<f64> = (0..columns).map(column).collect();
        let name = json[0].ways[number].name;
        line(text, &format!("| **JSON, average** | {gap}{name} | {} |", figures(&means)));
    }
}

fn ways(rows: &[Row]) -> impl Iterator<Item = (&Row, &Way)> {
    rows.iter().flat_map(|row| row.ways.iter().map(move |way| (row, way)))
}

fn figures(values: &[f64]) -> String {
    values.iter().map(|value| format!("{value:.3}")).collect::<Vec<_>>().join(" | ")
}

fn line(text: &mut String, line: &str) {
    let _infallible = writeln!(text, "{line}");
}

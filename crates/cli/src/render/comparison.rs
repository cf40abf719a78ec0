//! Suites against each other: as tables, as JSON, as a chart.

use std::fmt::Write as _;
use std::io::{self, Write};

use gramercy::draw::{Bar, bars};
use gramercy::generate::compare::{Comparison, Pair, Sample, Standing};
use serde::Serialize;

use super::Palette;
use super::csv::field as csv_field;
use super::json;
use super::numbers::grouped;
use super::table::Table;

/// Writes all figures for people.
pub(crate) fn write_tables(
    out: &mut impl Write,
    comparison: &Comparison,
    palette: Palette,
) -> io::Result<()> {
    let tables = [sizes(comparison), reached(comparison), pairs(comparison)];
    let tables: Vec<String> = tables.iter().map(|table| table.render(palette)).collect();
    // One criterion alone has no others to be compared with.
    let shown = if comparison.pairs.is_empty() { 2 } else { 3 };
    write!(out, "{}", tables[..shown].join("\n"))
}

fn sizes(comparison: &Comparison) -> Table {
    let headings = [
        "tests",
        "suites",
        "average",
        "smallest",
        "largest",
        "ratio",
        "merged",
        "exclusive",
        "bytes",
    ];
    let mut table = Table::of_numbers(headings);
    for Standing { name, sizes, bytes, merged, exclusive, .. } in &comparison.standings {
        table.row([
            name.clone(),
            grouped(sizes.values().len()),
            format!("{:.1}", sizes.average()),
            grouped(sizes.smallest()),
            grouped(sizes.largest()),
            format!("{:.2}", sizes.ratio()),
            grouped(merged),
            grouped(exclusive),
            format!("{:.0}", bytes.average()),
        ]);
    }
    table
}

/// What share of each criterion, a row, each suite, a column, reaches.
fn reached(comparison: &Comparison) -> Table {
    let names = comparison.standings.iter().map(|standing| format!("by {}", standing.name));
    let names: Vec<String> = names.collect();
    let headings = ["reached", "targets"].into_iter().chain(names.iter().map(String::as_str));
    let mut table = Table::of_numbers(headings);
    for (criterion, standing) in comparison.standings.iter().enumerate() {
        let share = |by| match comparison.share(criterion, by) {
            Some(share) => format!("{:.1} %", 100.0 * share),
            None => "-".to_owned(),
        };
        let targets = standing.coverable.map_or_else(|| "-".to_owned(), grouped);
        let shares = (0..names.len()).map(share);
        table.row([standing.name.clone(), targets].into_iter().chain(shares));
    }
    table
}

fn pairs(comparison: &Comparison) -> Table {
    let headings = ["pair", "composite", "only first", "only second", "p", "first larger"];
    let mut table = Table::of_numbers(headings);
    for Pair { first, second, composite, only_first, only_second, sizes } in &comparison.pairs {
        let [first, second] = [first, second].map(|&at| &*comparison.standings[at].name);
        table.row([
            format!("{first}, {second}"),
            grouped(composite),
            grouped(only_first),
            grouped(only_second),
            sizes.map_or_else(|| "-".to_owned(), |test| format!("{:.2e}", test.p)),
            sizes.map_or_else(|| "-".to_owned(), |test| format!("{:.2}", test.larger)),
        ]);
    }
    table
}

/// All figures of each suite as a table for spreadsheets (RFC 4180), with the shares of all criteria that it reaches.
pub(crate) fn csv(comparison: &Comparison) -> String {
    let has_targets = |at: &usize| comparison.standings[*at].coverable.is_some();
    let criteria: Vec<usize> = (0..comparison.standings.len()).filter(has_targets).collect();
    let mut text = "suite,suites,average,smallest,largest,merged,exclusive,bytes".to_owned();
    for &criterion in &criteria {
        _ = write!(text, ",{} reached", comparison.standings[criterion].name);
    }
    text += "\r\n";
    for (at, standing) in comparison.standings.iter().enumerate() {
        let Standing { name, sizes, bytes, merged, exclusive, .. } = standing;
        let (count, average) = (sizes.values().len(), sizes.average());
        let (smallest, largest, bytes) = (sizes.smallest(), sizes.largest(), bytes.average());
        let name = csv_field(name);
        _ = write!(
            text,
            "{name},{count},{average},{smallest},{largest},{merged},{exclusive},{bytes}"
        );
        for &criterion in &criteria {
            let share = comparison.share(criterion, at).unwrap_or_default();
            _ = write!(text, ",{share:.4}");
        }
        text += "\r\n";
    }
    text
}

/// The sizes as SVG.
pub(crate) fn chart(comparison: &Comparison) -> String {
    #[expect(clippy::cast_precision_loss, reason = "lengths of bars")]
    let bar = |Standing { name, sizes, .. }: &Standing| Bar {
        name: name.clone(),
        average: sizes.average(),
        smallest: sizes.smallest() as f64,
        largest: sizes.largest() as f64,
    };
    let all: Vec<Bar> = comparison.standings.iter().map(bar).collect();
    bars("distinct tests of a suite", &all)
}

#[derive(Serialize)]
struct Document<'c> {
    sentences: u64,
    suites: Vec<SuiteRow<'c>>,
    pairs: Vec<PairRow<'c>>,
}

#[derive(Serialize)]
struct SuiteRow<'c> {
    name: &'c str,
    sizes: Figures<'c>,
    bytes: Figures<'c>,
    merged: u64,
    exclusive: u64,
    coverable: Option<u64>,
    reached_by: &'c [u64],
}

#[derive(Serialize)]
struct Figures<'c> {
    average: f64,
    smallest: u64,
    largest: u64,
    ratio: f64,
    all: &'c [u64],
}

#[derive(Serialize)]
struct PairRow<'c> {
    first: &'c str,
    second: &'c str,
    composite: u64,
    only_first: u64,
    only_second: u64,
    mann_whitney: Option<TestRow>,
}

#[derive(Serialize)]
struct TestRow {
    u: f64,
    p: f64,
    larger: f64,
}

/// Writes all figures for programs.
pub(crate) fn write_json(out: &mut impl Write, comparison: &Comparison) -> io::Result<()> {
    let name = |at: usize| &*comparison.standings[at].name;
    let suites = comparison.standings.iter().map(|standing| SuiteRow {
        name: &standing.name,
        sizes: figures(&standing.sizes),
        bytes: figures(&standing.bytes),
        merged: standing.merged,
        exclusive: standing.exclusive,
        coverable: standing.coverable,
        reached_by: &standing.reached_by,
    });
    let pairs = comparison.pairs.iter().map(|pair| PairRow {
        first: name(pair.first),
        second: name(pair.second),
        composite: pair.composite,
        only_first: pair.only_first,
        only_second: pair.only_second,
        mann_whitney: pair.sizes.map(|test| TestRow { u: test.u, p: test.p, larger: test.larger }),
    });
    let (suites, pairs) = (suites.collect(), pairs.collect());
    json::write(out, &Document { sentences: comparison.all, suites, pairs })
}

fn figures(sample: &Sample) -> Figures<'_> {
    Figures {
        average: sample.average(),
        smallest: sample.smallest(),
        largest: sample.largest(),
        ratio: sample.ratio(),
        all: sample.values(),
    }
}

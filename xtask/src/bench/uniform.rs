//! Uniform trees: tables, trees per second and memory by size, beside a bare loop and beside usainboltz, a Boltzmann
//! sampler, which is installed from PyPI into a separate environment below the target directory.

use std::fmt::Write as _;
use std::path::PathBuf;

use super::plot::{self, Series};
use super::{Bench, write};
use crate::extent::Extent;
use crate::gramercy::Entry;
use crate::process::{Cargo, Fallible, root};
use crate::tools;

/// A grammar with its sizes in nodes; the middle one is also asked of usainboltz.
struct Subject {
    name: &'static str,
    path: PathBuf,
    sizes: &'static [&'static str],
}

/// How far the trees of usainboltz may be from the requested size, and how many it draws.
const TOLERANCE: &str = "0.1";
const TREES: &str = "200";

pub(super) fn section(bench: &Bench) -> Fallible<String> {
    let shared = root().join("../shared/grammars/pytomata");
    let is_full = bench.extent == Extent::Full && shared.is_dir();
    let subjects = match is_full {
        true => vec![
            Subject {
                name: "JSON",
                path: shared.join("json.y"),
                sizes: &["100", "300", "1000", "3000", "10000"],
            },
            Subject {
                name: "SQLite",
                path: shared.join("sqlite.y"),
                sizes: &["100", "200", "500", "1000", "2000"],
            },
        ],
        false => vec![Subject {
            name: "JSON",
            path: root().join("grammars/json.gram"),
            sizes: &["60", "120"],
        }],
    };
    let mut text = String::from(
        "Trees of exactly the size, each equally likely, on one core. The bare loop copies the tokens and \
         productions of a tree.\n\n| grammar | nodes | tables, ms | trees/s | times a bare loop | MB of memory |\n\
         |---|--:|--:|--:|--:|--:|\n",
    );
    let (mut pictures, mut measured) = (String::new(), Vec::new());
    for subject in subjects {
        let rows = rows(bench, &subject)?;
        for row in &rows {
            let _infallible = writeln!(text, "| {} {row}", subject.name);
        }
        let file = format!("uniform-{}.svg", subject.name.to_lowercase());
        write(&bench.folder.join(&file), &picture(&rows))?;
        let _infallible = write!(pictures, "\n![Uniform trees of {}]({file})\n", subject.name);
        measured.push((subject, rows));
    }
    text.push_str(&pictures);
    if is_full {
        text.push_str(&beside_usainboltz(bench, &measured)?);
        text.push_str(&plan(bench, &shared.join("sqlite.y"))?);
    }
    Ok(text)
}

/// The figures of one size.
struct Row {
    nodes: f64,
    tables: f64,
    rate: f64,
    bare: f64,
    kilobytes: f64,
}

impl std::fmt::Display for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { nodes, tables, rate, bare, kilobytes } = self;
        write!(f, "| {nodes} | {tables:.1} | {rate:.0} | {bare:.0} | {:.0} |", kilobytes / 1024.0)
    }
}

/// The numbers of a line whose fields are separated by tabs.
fn numbers(line: &str) -> Fallible<Vec<f64>> {
    let number = |text: &str| text.parse().map_err(|error| format!("{line}: {error}"));
    line.trim().split('\t').map(number).collect()
}

/// Each size in a process of its own, to measure its memory.
fn rows(bench: &Bench, subject: &Subject) -> Fallible<Vec<Row>> {
    let row = |size: &&str| {
        let line = uniform(bench, &[&subject.path.to_string_lossy(), size])?;
        let [nodes, tables, rate, bare, kilobytes] = numbers(&line)?[..] else {
            return Err(format!("no line of figures: {line}"));
        };
        Ok(Row { nodes, tables, rate, bare, kilobytes })
    };
    subject.sizes.iter().map(row).collect()
}

fn uniform(bench: &Bench, arguments: &[&str]) -> Fallible<String> {
    let profile = if bench.extent == Extent::Short { "dev" } else { "bench" };
    let call = Cargo::new(["bench", "--quiet", "--locked", "--package", "gramercy-sample"]);
    call.with(&["--bench", "uniform", "--profile", profile, "--"]).with(arguments).output()
}

fn picture(rows: &[Row]) -> String {
    let series = |name, color, of: fn(&Row) -> f64| {
        let points = rows.iter().map(|row| (row.nodes, of(row))).collect();
        Series { name, color, points }
    };
    let series = [
        series("tables, ms", "#06c", |row| row.tables),
        series("a thousand trees, ms", "#090", |row| 1e6 / row.rate),
        series("memory, MB", "#c30", |row| row.kilobytes / 1024.0),
    ];
    plot::svg("Uniform trees; dashed: linear growth", "nodes", &series)
}

fn beside_usainboltz(bench: &Bench, measured: &[(Subject, Vec<Row>)]) -> Fallible<String> {
    let python = match tools::python("usainboltz", &["usainboltz", "ecos"]) {
        Ok(python) => python,
        Err(reason) => return Ok(format!("\nWithout usainboltz: {reason}\n")),
    };
    let mut text = format!(
        "\nusainboltz draws trees of the size within {TOLERANCE} of it, without texts:\n\n\
         | grammar | nodes | tuning, ms | trees/s | we draw, exactly of the size | times faster |\n\
         |---|--:|--:|--:|--:|--:|\n",
    );
    for (subject, rows) in measured {
        let Row { nodes, rate: own, .. } = rows[rows.len() / 2];
        let entry = Entry::new(&subject.path);
        let listed = bench.gramercy.on("convert", &entry, &["--to", "bnf", "--quiet"]);
        let list = bench.folder.join("productions.txt");
        write(&list, &listed.finish()?.success()?)?;
        let script = root().join("benches/peers/src/usainboltz_rate.py");
        let call = crate::process::Call::new(&python).arg(script).arg(&list);
        let line = call.args([&*nodes.to_string(), TOLERANCE, TREES]).finish()?.success()?;
        let [tuning, seconds, trees, _] = numbers(&line)?[..] else {
            return Err(format!("no line of figures: {line}"));
        };
        let rate = trees / seconds;
        let _infallible = writeln!(
            text,
            "| {} | {nodes} | {:.0} | {rate:.0} | {own:.0} | **{:.1}** |",
            subject.name,
            tuning * 1000.0,
            own / rate
        );
    }
    Ok(text)
}

fn plan(bench: &Bench, path: &std::path::Path) -> Fallible<String> {
    let line = uniform(bench, &["plan", &path.to_string_lossy(), "100", "2"])?;
    let [elements, seconds] = numbers(&line)?[..] else {
        return Err(format!("no line of figures: {line}"));
    };
    Ok(format!(
        "\nA plan for the {elements} nonterminals of SQLite with trees of 100 nodes takes {seconds:.1} s with two \
         workers.\n"
    ))
}

#[cfg(test)]
mod tests {
    use super::{Row, numbers, picture};

    #[test]
    fn lines_become_rows_and_points() {
        let row = Row { nodes: 10.0, tables: 1.0, rate: 1e5, bare: 2.0, kilobytes: 2048.0 };
        assert_eq!(row.to_string(), "| 10 | 1.0 | 100000 | 2 | 2 |");
        assert_eq!(picture(&[row]).matches("<circle").count(), 3);
        assert_eq!(numbers("1\t2.5\n"), Ok(vec![1.0, 2.5]));
        assert!(numbers("1\tx").is_err());
    }
}

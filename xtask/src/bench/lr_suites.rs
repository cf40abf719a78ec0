//! Pop-edge suites: from the grammar file to the text of all distinct tests, over grammars of all sizes.

use std::fmt::Write as _;

use super::plot::{self, Series};
use super::{Bench, best, milliseconds, write};
use crate::extent::Extent;
use crate::gramercy::Entry;
use crate::process::{Cargo, Fallible, root};

/// The largest suites, each in a separate process, to measure its memory.
const LARGE: [(&str, &str, &str); 4] = [
    ("pytomata", "go.y", "lr1"),
    ("pytomata", "sqlite.y", "lr0"),
    ("pytomata", "sqlite.y", "lr1"),
    ("antlr/mysql", "MySqlParser.g4", "lr0"),
];

/// Grammars with fewer pop edges take almost no time.
const LEAST_EDGES: f64 = 100.0;

/// A line of the benchmark `pop_edge`.
struct Figures {
    name: String,
    ties: String,
    edges: f64,
    tests: f64,
    tokens: f64,
    bytes: f64,
    time: f64,
    peer: f64,
    kilobytes: f64,
}

impl Figures {
    fn of(line: &str) -> Fallible<Self> {
        let [name, ties, rest @ ..] = &line.split('\t').collect::<Vec<_>>()[..] else {
            return Err(format!("no line of figures: {line}"));
        };
        let number = |text: &&str| text.parse().map_err(|error| format!("{line}: {error}"));
        let numbers: Vec<f64> = rest.iter().map(number).collect::<Fallible<_>>()?;
        let [edges, tests, tokens, bytes, time, peer, kilobytes] = numbers[..] else {
            return Err(format!("no line of figures: {line}"));
        };
        let (name, ties) = ((*name).to_owned(), (*ties).to_owned());
        Ok(Self { name, ties, edges, tests, tokens, bytes, time, peer, kilobytes })
    }

    fn row(&self) -> String {
        format!(
            "| {} | {} | {} | {} | {:.1} | {:.1} | {:.1} | {:.0} | {:.0} | {:.1} | {:.0} |\n",
            self.name,
            self.ties,
            self.edges,
            self.tests,
            self.tokens / self.tests,
            self.bytes / 1e6,
            self.time,
            self.time * 1e6 / self.edges,
            self.tests / self.time,
            self.time / self.peer,
            self.kilobytes / 1024.0
        )
    }
}

const HEADING: &str = "\
| suite | ties | pop edges | distinct tests | tokens a test | MB of text | ms | ns an edge | tests a ms | \
times a bare loop | MB of memory |
|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|
";

/// Runs the benchmark in a separate process.
fn pop_edge(bench: &Bench, arguments: &[&str]) -> Fallible<Vec<Figures>> {
    let profile = if bench.extent == Extent::Short { "dev" } else { "bench" };
    let call = Cargo::new(["bench", "--quiet", "--locked", "--package", "gramercy-assemble"]);
    let call = call.with(&["--bench", "pop_edge", "--profile", profile, "--"]).with(arguments);
    call.output()?.lines().map(Figures::of).collect()
}

/// The section.
pub(super) fn section(bench: &Bench) -> Fallible<String> {
    let is_there = root().join("../shared/grammars/pytomata").is_dir();
    let is_large = bench.extent == Extent::Full && is_there;
    let mut figures = pop_edge(bench, &["all", if is_large { "pytomata" } else { "examples" }])?;
    figures.retain(|it| it.edges >= LEAST_EDGES);
    let mut text = String::from(
        "From the file to the text of all distinct tests, within the program; the bare loop writes the \
         same text from a list of its tokens.\n\n",
    );
    text.push_str(HEADING);
    if is_large {
        for (_, file, automaton) in LARGE {
            for it in pop_edge(bench, &["known", &format!("{file}:{automaton}")])? {
                text.push_str(&it.row());
                figures.push(it);
            }
        }
    } else {
        figures.iter().for_each(|it| text.push_str(&it.row()));
    }
    figures.sort_by(|a, b| a.edges.total_cmp(&b.edges));
    text.push_str("\n![Time by the number of pop edges](pop-edges.svg)\n");
    write(&bench.folder.join("pop-edges.svg"), &picture(&figures))?;
    if is_large {
        text.push_str(&whole_program(bench)?);
    }
    Ok(text)
}

fn picture(figures: &[Figures]) -> String {
    let series = |name, color, ties: &str| {
        let points = figures.iter().filter(|it| it.ties == ties);
        Series { name, color, points: points.map(|it| (it.edges, it.time)).collect() }
    };
    let series = [
        series("ties to the first, ms", "#06c", "first"),
        series("ties drawn, ms", "#c30", "drawn"),
    ];
    plot::svg("From the file to all tests; dashed: linear growth", "pop edges", &series)
}

/// The program itself, on one core, with its output through a pipe.
fn whole_program(bench: &Bench) -> Fallible<String> {
    let mut text =
        String::from("\nThe whole program with `--jobs 1`, its text read through a pipe:\n\n");
    for (folder, file, automaton) in LARGE {
        let entry = Entry::new(root().join("../shared/grammars").join(folder).join(file));
        let cover = format!("pop-edge:{automaton}");
        let time = |ties| {
            let flags = ["--cover", &cover, "--ties", ties, "--yield", "edges", "--jobs", "1"];
            best(3, || bench.gramercy.on("generate", &entry, &flags))
        };
        let (first, drawn) = (milliseconds(time("first")?), milliseconds(time("random")?));
        let _infallible =
            writeln!(text, "- {file}, {automaton}: {first:.0} ms, with ties drawn {drawn:.0} ms");
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::{Figures, picture};

    #[test]
    fn lines_become_rows_and_points() {
        let line = "a.y:lr0\tfirst\t200\t100\t1000\t2000000\t0.5\t0.25\t2048";
        let figures = Figures::of(line).expect("figures");
        let row = "| a.y:lr0 | first | 200 | 100 | 10.0 | 2.0 | 0.5 | 2500 | 200 | 2.0 | 2 |\n";
        assert_eq!(figures.row(), row);
        assert_eq!(picture(&[figures]).matches("<circle").count(), 1);
        assert!(Figures::of("a.y\tfirst\t1").is_err());
    }
}

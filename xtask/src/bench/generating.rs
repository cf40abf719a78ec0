//! The speed of generating tests: with one and two workers, with growing suites and grammars, and
//! compared with Grammarinator.
//!
//! The figures come from the benchmark `rates` of the crate `assemble`. Grammarinator is installed
//! from PyPI into a separate environment below the target directory.

use std::fmt::Write as _;
use std::path::Path;

use super::plot::{self, Series};
use super::{Bench, write};
use crate::extent::Extent;
use crate::process::{Call, Cargo, Fallible, root, target};
use crate::tools;

const LEFT_OUT: &str = "Left out: it takes minutes, and a build for release.\n";

/// Random tests and systematic suites on one core.
pub(super) fn rates(bench: &Bench) -> Fallible<String> {
    if bench.extent == Extent::Short {
        return Ok(LEFT_OUT.into());
    }
    let mut text = String::from(
        "On one core, text included; a bare loop writes as many tokens or lines of the same mean size.\n",
    );
    for name in ["random", "suites", "paths"] {
        let _infallible = write!(text, "\n{}", table(&figures(name)?));
    }
    Ok(text)
}

/// Two workers compared with one.
pub(super) fn two_workers(bench: &Bench) -> Fallible<String> {
    if bench.extent == Extent::Short {
        return Ok(LEFT_OUT.into());
    }
    Ok(format!("The best of several runs; the bytes are the same.\n\n{}", table(&figures("two")?)))
}

/// More tests, and larger grammars.
pub(super) fn growth(bench: &Bench) -> Fallible<String> {
    if bench.extent == Extent::Short {
        return Ok(LEFT_OUT.into());
    }
    let (tests, grammars) = (figures("tests")?, figures("grammars")?);
    let plots = [
        (
            "generating-tests.svg",
            "Random tests of JSON, ms; dashed: linear growth",
            "tests",
            &tests,
        ),
        (
            "generating-rules.svg",
            "2000 random tests, ms; dashed: linear growth",
            "rules",
            &grammars,
        ),
    ];
    let mut text = String::from("Random tests of 50 tokens.\n");
    for (file, title, across, figures) in plots {
        let points = figures.lines().skip(1).filter_map(point).collect();
        let series = [Series { name: "ms", color: "#06c", points }];
        write(&bench.folder.join(file), &plot::svg(title, across, &series))?;
        let _infallible = write!(text, "\n{}\n![{title}]({file})\n", table(figures));
    }
    Ok(text)
}

fn point(line: &str) -> Option<(f64, f64)> {
    let mut fields = line.split('\t');
    Some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
}

/// A grammar that Grammarinator reads too: the files, its generator, its start rule, and how many
/// tests it generates in seconds.
type Subject = (&'static str, &'static [&'static str], &'static str, &'static str, &'static str);

const SUBJECTS: [Subject; 3] = [
    ("json", &["JSON.g4"], "JSONGenerator", "json", "5000"),
    ("sqlite", &["SQLiteLexer.g4", "SQLiteParser.g4"], "SQLiteGenerator", "parse", "60"),
    ("golang", &["GoLexer.g4", "GoParser.g4"], "GoGenerator", "sourceFile", "300"),
];

/// The depth limit for both programs.
const DEPTH: &str = "20";

/// The same limit on depth, in the same run.
pub(super) fn beside_grammarinator(bench: &Bench) -> Fallible<String> {
    let collection = root().join("../shared/grammars/antlr");
    if bench.extent == Extent::Short || !collection.is_dir() {
        return Ok("Left out: it takes minutes, and the collection of grammars.\n".into());
    }
    let python = match tools::python("grammarinator", &["grammarinator"]) {
        Ok(python) => python,
        Err(reason) => return Ok(format!("Without Grammarinator: {reason}\n")),
    };
    let ours = figures("depth")?;
    let mut text = format!(
        "Random tests of at most {DEPTH} nested rules, each on one core.\n\n\
         | grammar | | MB/s | tests/s | bytes a test | % distinct |\n|---|---|--:|--:|--:|--:|\n"
    );
    for subject in SUBJECTS {
        let name = subject.0;
        let own = ours.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('\t'));
        let own = Made::of(own.ok_or_else(|| format!("no figures of {name}"))?)?;
        let other = Made::of(&grammarinator(&python, &collection, &subject)?)?;
        for (who, made) in [("gramercy", &own), ("Grammarinator", &other)] {
            let _infallible = writeln!(text, "| {name} | {who} | {made}");
        }
        let _infallible = writeln!(
            text,
            "| | **times faster** | **{:.0}** | **{:.0}** | | |",
            own.megabytes() / other.megabytes(),
            own.rate() / other.rate()
        );
    }
    Ok(text)
}

/// The number of tests and the time.
struct Made {
    seconds: f64,
    tests: f64,
    bytes: f64,
    distinct: f64,
}

impl Made {
    fn of(line: &str) -> Fallible<Self> {
        let numbers: Result<Vec<f64>, _> = line.trim().split('\t').map(str::parse).collect();
        match numbers.as_deref() {
            Ok(&[seconds, tests, bytes, distinct]) => Ok(Self { seconds, tests, bytes, distinct }),
            _ => Err(format!("no line of figures: {line}")),
        }
    }

    fn megabytes(&self) -> f64 {
        self.bytes / self.seconds / 1e6
    }

    fn rate(&self) -> f64 {
        self.tests / self.seconds
    }
}

impl std::fmt::Display for Made {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (mean, share) = (self.bytes / self.tests, 100.0 * self.distinct / self.tests);
        write!(f, "{:.3} | {:.0} | {mean:.1} | {share:.1} |", self.megabytes(), self.rate())
    }
}

/// Generates a generator from a grammar's files, and tests with it.
fn grammarinator(python: &Path, collection: &Path, subject: &Subject) -> Fallible<String> {
    let (name, files, generator, rule, tests) = *subject;
    let folder = target()?.join("peers").join(format!("grammarinator-{name}"));
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let files = files.iter().map(|file| collection.join(name).join(file));
    Call::new(python.with_file_name("grammarinator-process"))
        .args(files)
        .args(["--no-actions", "-o"])
        .arg(&folder)
        .finish()?
        .success()?;
    let script = root().join("benches/peers/src/grammarinator_rate.py");
    let call = Call::new(python).arg(script).arg(&folder).args([generator, rule, DEPTH, tests]);
    call.finish()?.success()
}

/// The output of the benchmark with a name.
fn figures(name: &str) -> Fallible<String> {
    Cargo::new(["bench", "--quiet", "--locked", "--package", "gramercy-assemble"])
        .with(&["--bench", "rates", "--", name])
        .output()
}

/// A table from fields separated by tabs; the first line is the header.
fn table(figures: &str) -> String {
    let mut text = String::new();
    for (at, line) in figures.lines().enumerate() {
        let _infallible = writeln!(text, "| {} |", line.replace('\t', " | "));
        if at == 0 {
            let columns = line.split('\t').count() - 1;
            let _infallible = writeln!(text, "|---|{}", "--:|".repeat(columns));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Made, table};

    #[test]
    fn figures_become_a_table() {
        let expected = "| tests | ms |\n|---|--:|\n| 10 | 0.5 |\n";
        assert_eq!(table("tests\tms\n10\t0.5\n"), expected);
    }

    #[test]
    fn rates_are_those_of_what_was_made() {
        let made = Made::of("2.0\t100\t4000000\t50\n").expect("a line of figures");
        assert_eq!(made.to_string(), "2.000 | 50 | 40000.0 | 50.0 |");
        assert!(Made::of("2.0\t100").is_err());
    }
}

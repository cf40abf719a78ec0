//! `cargo xtask bench`: the speed of the program, compared with others in the same run, as a report
//! in Markdown with a plot.
//!
//! A section is a line in [`SECTIONS`] and a function that writes it. Absolute times depend on the
//! machine; the claims are ratios and growth. `--short` uses the build of the tests, small sizes,
//! and no other program except `true`: it shows that the benchmarks work. Words select the sections
//! with these words in their headings.

mod campaigns;
mod generating;
mod lr_suites;
mod negatives;
mod parsing;
mod plot;
mod tool_trees;
mod uniform;

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use crate::extent::Extent;
use crate::gramercy::{self, Entry, Gramercy};
use crate::process::{Call, Cargo, Fallible, Profile, root};
use crate::{say, tools};
use plot::Series;

/// The context of sections.
struct Bench {
    extent: Extent,
    gramercy: Gramercy,
    /// The folder of the report and its pictures.
    folder: std::path::PathBuf,
}

/// A part of the report: its heading and its function.
type Section = (&'static str, fn(&Bench) -> Fallible<String>);

const SECTIONS: [Section; 21] = [
    ("From start to end", start_to_end),
    ("LR automata beside bison", automata),
    ("Reading and analysing", reading),
    ("Growth", growth),
    ("Parsing beside others", parsing::beside_others),
    ("Parsing as inputs grow", parsing::growth),
    ("Very ambiguous inputs", parsing::ambiguous),
    ("Trees of the grammar's own tool", tool_trees::growth),
    ("Measuring many files", parsing::many_files),
    ("Measuring a collection of grammars", tool_trees::collection),
    ("Suites over LR-graphs", lr_suites::section),
    ("Negative tests over LR-graphs", negatives::section),
    ("Making tests", generating::rates),
    ("Making tests with two workers", generating::two_workers),
    ("Making tests as suites and grammars grow", generating::growth),
    ("Random tests beside Grammarinator", generating::beside_grammarinator),
    ("Uniform trees beside usainboltz", uniform::section),
    ("Campaigns: processes beside bare ones", campaigns::overhead),
    ("Campaigns: long-lived programs", campaigns::long_lived),
    ("Campaigns: resuming", campaigns::resuming),
    ("Ranking rules once tests are parsed", ranking),
];

/// Writes the report.
pub(crate) fn run(arguments: &[String]) -> Fallible {
    let usage = || "usage: cargo xtask bench [--short] [WORD OF A HEADING...]".to_owned();
    let (extent, words) = Extent::of(arguments).ok_or_else(usage)?;
    let is_wanted = |heading: &str| {
        let heading = heading.to_lowercase();
        words.is_empty() || words.iter().any(|word| heading.contains(&word.to_lowercase()))
    };
    if !SECTIONS.iter().any(|(heading, _)| is_wanted(heading)) {
        return Err(usage());
    }
    let gramercy = Gramercy::build(Profile::of(extent))?;
    let bench = Bench { extent, gramercy, folder: gramercy::scratch("bench")? };
    let mut report = String::from("# Benchmarks\n");
    for (heading, section) in SECTIONS.into_iter().filter(|(heading, _)| is_wanted(heading)) {
        say(&format!("== {heading}"));
        let text = section(&bench)?;
        say(&text);
        let _infallible = write!(report, "\n## {heading}\n\n{text}");
    }
    let path = bench.folder.join("report.md");
    write(&path, &report)?;
    say(&format!("written to {}", path.display()));
    Ok(())
}

fn write(path: &Path, text: &str) -> Fallible {
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// The shortest of several runs.
fn best(runs: usize, call: impl Fn() -> Call) -> Fallible<Duration> {
    let mut best = Duration::MAX;
    for _ in 0..runs {
        let output = call().finish()?;
        best = best.min(output.time);
        output.success()?;
    }
    Ok(best)
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// The whole program on a small grammar, compared with a program that does nothing.
fn start_to_end(bench: &Bench) -> Fallible<String> {
    let json = Entry::new(root().join("grammars/json.gram"));
    let nothing = best(30, || Call::new("true"))?;
    let stats = best(30, || bench.gramercy.on("stats", &json, &["--json"]))?;
    Ok(format!(
        "`gramercy stats` on JSON takes {:.1} ms, `true` {:.1} ms in the same run.\n",
        milliseconds(stats),
        milliseconds(nothing)
    ))
}

/// Rules of a grammar with 600 productions, ranked by 1,000 parsed tests.
fn ranking(bench: &Bench) -> Fallible<String> {
    if bench.extent == Extent::Short {
        return Ok("Left out: it builds a benchmark of its own.\n".into());
    }
    let call = Cargo::new(["bench", "--quiet", "--locked", "--package", "gramercy-localize"]);
    let output = call.with(&["--bench", "ranking"]).output()?;
    Ok(format!("```\n{output}```\n"))
}

/// Canonical LR(1) with the LR-graph of a large grammar: the whole program compared with bison.
fn automata(bench: &Bench) -> Fallible<String> {
    let path = root().join("../shared/grammars/pytomata/sqlite.y");
    if bench.extent == Extent::Short || !path.is_file() {
        return Ok("Left out: it takes a minute, and sqlite.y of the LR architecture.\n".into());
    }
    tools::have("bison", "bison", bench.extent)?;
    // The spelling of bison; the published file has quoted names of several letters.
    let written = bench.gramercy.on("convert", &Entry::new(path), &["--to", "yacc", "--quiet"]);
    let path = bench.folder.join("sqlite.y");
    write(&path, &written.finish()?.success()?)?;
    let bison = Call::new("bison")
        .args(["-Dlr.type=canonical-lr", "-Wno-all"])
        .arg(format!("--output={}", bench.folder.join("sqlite.c").display()))
        .arg(&path)
        .finish()?;
    let bison_time = bison.time;
    bison.success()?;
    let entry = Entry::new(path);
    let stats = |automaton: &'static str| {
        best(5, || {
            bench.gramercy.on("stats", &entry, &["--json", "--kpaths", "1", "--lr", automaton])
        })
    };
    let (canonical, lr0) = (stats("lr1")?, stats("lr0")?);
    let inner = Cargo::new(["bench", "--quiet", "--locked", "--package", "gramercy-lr"])
        .with(&["--bench", "automata"])
        .output()?;
    Ok(format!(
        "sqlite.y, from start to end of the program: bison's canonical LR(1) {:.1} s, ours with the \
         LR-graph {:.0} ms, **{:.0} times faster**; our LR(0) {:.1} ms. Inside the program:\n\n\
         ```\n{inner}```\n",
        bison_time.as_secs_f64(),
        milliseconds(canonical),
        bison_time.as_secs_f64() / canonical.as_secs_f64(),
        milliseconds(lr0)
    ))
}

/// A line of the benchmark `loading`.
struct Loading {
    name: String,
    rules: f64,
    reading: f64,
    views: f64,
    facts: f64,
    kilobytes: f64,
    /// A loop that only accesses as much memory.
    bare: f64,
}

impl Loading {
    fn of(line: &str) -> Fallible<Self> {
        let [name, rules, _, reading, views, facts, kilobytes, bare] =
            line.split('\t').collect::<Vec<_>>()[..]
        else {
            return Err(format!("no line of figures: {line}"));
        };
        let number = |text: &str| text.parse().map_err(|error| format!("{line}: {error}"));
        Ok(Self {
            name: name.into(),
            rules: number(rules)?,
            reading: number(reading)?,
            views: number(views)?,
            facts: number(facts)?,
            kilobytes: number(kilobytes)?,
            bare: number(bare)?,
        })
    }

    /// The shorter times of two runs.
    fn best(self, other: &Self) -> Self {
        Self {
            reading: self.reading.min(other.reading),
            views: self.views.min(other.views),
            facts: self.facts.min(other.facts),
            bare: self.bare.min(other.bare),
            ..self
        }
    }

    /// Microseconds for each rule.
    fn a_rule(&self, milliseconds: f64) -> f64 {
        milliseconds * 1000.0 / self.rules
    }

    fn total(&self) -> f64 {
        self.reading + self.views + self.facts
    }
}

/// Runs the benchmark in a separate process, to measure its memory.
fn loading(bench: &Bench, arguments: &[&str]) -> Fallible<Vec<Loading>> {
    loading_bench(bench, arguments)?.lines().map(Loading::of).collect()
}

fn loading_bench(bench: &Bench, arguments: &[&str]) -> Fallible<String> {
    let profile = if bench.extent == Extent::Short { "dev" } else { "bench" };
    let call = Cargo::new(["bench", "--quiet", "--locked", "--package", "gramercy-analysis"]);
    call.with(&["--bench", "loading", "--profile", profile, "--"]).with(arguments).output()
}

fn reading(bench: &Bench) -> Fallible<String> {
    let mut grammars = loading(bench, &["collection"])?;
    grammars.sort_by(|a, b| b.total().total_cmp(&a.total()));
    let mut text = String::from("| grammar | rules | reading, ms | views | facts | together |\n");
    text.push_str("|---|--:|--:|--:|--:|--:|\n");
    for it in &grammars {
        let _infallible = writeln!(
            text,
            "| {} | {} | {:.1} | {:.1} | {:.1} | **{:.1}** |",
            it.name,
            it.rules,
            it.reading,
            it.views,
            it.facts,
            it.total()
        );
    }
    Ok(text)
}

/// Time and memory over generated grammars of increasing size.
fn growth(bench: &Bench) -> Fallible<String> {
    let (processes, sizes): (_, &[&str]) = match bench.extent {
        Extent::Short => (1, &["100", "1000"]),
        Extent::Full => (7, &["1000", "3000", "10000", "30000", "100000"]),
    };
    let mut grammars = Vec::new();
    for size in sizes {
        let mut runs = Vec::new();
        for _ in 0..processes {
            runs.extend(loading(bench, &["family", size])?);
        }
        grammars.extend(runs.into_iter().reduce(|best, run| best.best(&run)));
    }
    let mut text = String::from(
        "Rules over an alphabet of 26 letters, each referring to two; the best of some processes. \
         The bare loop only follows references through a table as large as the memory: its growth \
         is the machine's. Times are the processor's.\n\n",
    );
    text.push_str(
        "| rules | reading, ms | views | facts | µs a rule | MB | bare loop, µs a rule |\n",
    );
    text.push_str("|--:|--:|--:|--:|--:|--:|--:|\n");
    for it in &grammars {
        let _infallible = writeln!(
            text,
            "| {} | {:.1} | {:.1} | {:.1} | {:.2} | {:.0} | {:.2} |",
            it.rules,
            it.reading,
            it.views,
            it.facts,
            it.a_rule(it.total()),
            it.kilobytes / 1024.0,
            it.a_rule(it.bare)
        );
    }
    text.push_str("\n![Time and memory by the number of rules](growth.svg)\n");
    text.push_str(&instructions(bench, sizes)?);
    write(&bench.folder.join("growth.svg"), &growth_plot(&grammars))?;
    Ok(text)
}

/// The work per rule, independent of the machine's memory.
fn instructions(bench: &Bench, sizes: &[&str]) -> Fallible<String> {
    if bench.extent == Extent::Short || !tools::have("valgrind", "valgrind", bench.extent)? {
        return Ok(String::new());
    }
    let mut text =
        String::from("\nInstructions a rule of `gramercy stats`, as valgrind counts them:");
    for size in sizes {
        let entry = Entry::new(bench.folder.join("family.gram"));
        write(&entry.path, &loading_bench(bench, &["text", size])?)?;
        let counted = Call::new("valgrind")
            .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
            .call(&bench.gramercy.on("stats", &entry, &["--json", "--kpaths", "3"]))
            .finish()?;
        let collected = counted.stderr.lines().find_map(|line| line.split_once("Collected :"));
        let collected = collected.and_then(|(_, count)| count.trim().parse::<u64>().ok());
        let rules: u64 = size.parse().map_err(|error| format!("{size}: {error}"))?;
        let each = collected.ok_or("valgrind counts nothing")? / rules;
        let _infallible = write!(text, " {each} of {size} rules,");
    }
    text.pop();
    Ok(text + ".\n")
}

fn growth_plot(grammars: &[Loading]) -> String {
    let series = |name, color, of: fn(&Loading) -> f64| {
        let points = grammars.iter().map(|it| (it.rules, of(it))).collect();
        Series { name, color, points }
    };
    let series = [
        series("reading, views and facts, ms", "#06c", Loading::total),
        series("reading alone, ms", "#090", |it| it.reading),
        series("memory, MB", "#c30", |it| it.kilobytes / 1024.0),
        series("bare loop, ms", "#999", |it| it.bare),
    ];
    plot::svg("Reading and analysing; dashed: linear growth", "rules", &series)
}

//! The time to read a grammar and to compute all facts about it.
//!
//! - `collection` measures the ANTLR grammars next to the checkout, or the examples;
//! - `family N` measures one generated grammar of N rules over a fixed alphabet, once, in fresh
//!   memory, as the program would;
//! - `text N` prints that grammar for other programs.
//!
//! One line per grammar, separated by tabs: name, rules, productions, milliseconds for reading, for
//! both views, for all facts, kilobytes, and milliseconds of a bare loop. Kilobytes are the peak
//! memory of the process. The bare loop knows nothing about grammars: it follows references through
//! a table of the same size in an order that defeats caches, one step per reference. So its growth
//! is that of the machine. Times are CPU times of the thread; those of a collection are the best of
//! several runs.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use gramercy_analysis::{
    Adjacency, Cyclic, Duplicates, First, Follow, Heights, KPaths, Last, LeftRecursive, Length,
    NodeHeights, Nullable, Precede, Productive, Reachable, ShortestYield, Useful,
};
use gramercy_base::Limits;
use gramercy_formats::{Disk, Files, LoadOptions, Memory, load};
use gramercy_grammar::{Bnf, GrammarGraph};
use gramercy_testkit::clock::{on_processor, peak_memory};
use gramercy_testkit::{examples, files_in, shared};

/// Terminals of a generated grammar.
const ALPHABET: usize = 26;
/// Number of runs; the best one counts.
const SEVERAL: usize = 5;

fn main() {
    let arguments: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["family", rules] => family(rules.parse().expect("a number of rules")),
        ["text", rules] => say(&generated(rules.parse().expect("a number of rules"))),
        _ => collection(),
    }
}

fn collection() {
    let Some(folder) = shared("antlr") else {
        for path in files_in(&examples(), &["gram", "y"]) {
            measure(&stem(&path), &path, &Disk, None, SEVERAL);
        }
        return;
    };
    let index = std::fs::read_to_string(folder.join("index.tsv")).expect("a readable index");
    for line in index.lines().skip(1) {
        let [name, files, start, ..] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let parser = files.split('+').find(|file| file.ends_with("Parser.g4")).unwrap_or(files);
        measure(name, &folder.join(name).join(parser), &Disk, Some(start), SEVERAL);
    }
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn family(rules: usize) {
    let path = PathBuf::from("family.gram");
    let files = Memory::with("family.gram", generated(rules));
    measure("family", &path, &files, None, 1);
}

/// Each rule refers to the next rule and to another one, so all rules are reachable.
fn generated(rules: usize) -> String {
    let mut text = String::new();
    let letter = |at: usize| char::from(b'a' + u8::try_from(at % ALPHABET).expect("a letter"));
    for rule in 0..rules {
        let (next, other) = (rule + 1, (rule * 7_919 + 13) % rules);
        let (one, two) = (letter(rule), letter(rule * 31 + 7));
        let line = if next == rules {
            format!("r{rule} := \"{one}\";")
        } else {
            format!("r{rule} := \"{one}\" r{next} (\"{two}\" r{other})? | \"{two}\"+ \"{one}\";")
        };
        writeln!(text, "{line}").expect("writing to a string");
    }
    text
}

fn measure(name: &str, path: &Path, files: &dyn Files, start: Option<&str>, runs: usize) {
    let limits = Limits::default();
    let options = LoadOptions { start: start.map(Into::into), ..LoadOptions::default() };
    let (reading, loaded) = best(runs, || load(path, files, &options));
    let grammar = loaded.grammar.unwrap_or_else(|| panic!("{name}: {:?}", loaded.diagnostics));
    let (views, (graph, bnf)) = best(runs, || {
        let graph = grammar.graph();
        let bnf = grammar.bnf(&graph, &limits).expect("within the limits");
        (graph, bnf)
    });
    let (analyzing, ()) = best(runs, || analyze(&graph, &bnf));
    let milliseconds = |time: Duration| format!("{:.3}", time.as_secs_f64() * 1000.0);
    let (rules, kilobytes) = (grammar.written_rules(), peak_memory());
    let productions = bnf.production_count();
    drop((grammar, graph, bnf));
    let table = BareLoop::new(kilobytes);
    let (bare, _) = best(runs, || std::hint::black_box(table.run(rules)));
    say(&format!(
        "{name}\t{rules}\t{productions}\t{}\t{}\t{}\t{kilobytes}\t{}",
        milliseconds(reading),
        milliseconds(views),
        milliseconds(analyzing),
        milliseconds(bare)
    ));
}

/// Every fact that the crate knows.
fn analyze(graph: &GrammarGraph, bnf: &Bnf) {
    let (productive, nullable) = (Productive::of(bnf), Nullable::of(bnf));
    let useful = Useful::of(bnf, &productive);
    let first = First::of(bnf, &productive, &nullable);
    let last = Last::of(bnf, &productive, &nullable);
    let follow = Follow::of(bnf, &useful, &nullable, &first);
    let precede = Precede::of(bnf, &useful, &nullable, &last);
    let adjacency = Adjacency::of(bnf, &useful, &nullable, &first, &follow);
    let facts = (Reachable::of(bnf), Cyclic::of(bnf, &nullable), Duplicates::of(bnf));
    let more = (LeftRecursive::of(bnf, &nullable), Heights::of(bnf), NodeHeights::of(graph));
    let shortest = ShortestYield::of(bnf, Length::Terminals);
    let paths = KPaths::of(graph, 5).expect("a number of paths");
    std::hint::black_box((precede, adjacency, facts, more, shortest, paths));
}

/// The shortest time of some runs, and the last result.
fn best<T>(runs: usize, run: impl Fn() -> T) -> (Duration, T) {
    let timed = || {
        let begin = on_processor();
        let result = run();
        (on_processor() - begin, result)
    };
    (1..runs).fold(timed(), |(best, last), _| {
        drop(last);
        let (time, result) = timed();
        (best.min(time), result)
    })
}

/// Steps of the bare loop per rule: about twenty phases follow the five references in the
/// productions of a rule.
const STEPS: usize = 100;

/// A loop that only follows references, through a table of this size.
struct BareLoop(Vec<[usize; 8]>);

impl BareLoop {
    fn new(kilobytes: usize) -> Self {
        let lines = kilobytes * 1024 / 64;
        // Steps of the golden ratio reach all entries and are far from each other.
        let step = (lines * 618 / 1000) | 1;
        Self((0..lines).map(|at| [(at + step) % lines; 8]).collect())
    }

    fn run(&self, rules: usize) -> usize {
        (0..rules * STEPS).fold(0, |at, _| self.0[at][at % 8])
    }
}

#[expect(clippy::print_stdout, reason = "a benchmark shows its figures")]
fn say(line: &str) {
    println!("{line}");
}

//! How long pop-edge suites of real grammars take from the file to the text, with counts asserted.
//!
//! `cargo bench -p gramercy-generate --bench pop_edge`, or with a workload's name for that one alone.
//! Times are the best of several runs. Distinct sentences are written as token names into a buffer; the
//! peer is a bare loop that writes the same names from a list of all tokens.

use std::path::Path;
use std::time::{Duration, Instant};

use gramercy_analysis::shortest_yield::Length;
use gramercy_base::{Id, Limits, Set};
use gramercy_coverage::Views;
use gramercy_formats::{Disk, LoadOptions, load};
use gramercy_generate::strategies::pop_edge::PopEdges;
use gramercy_generate::{Draft, Indexed, Resolution};
use gramercy_grammar::{Grammar, TerminalId};
use gramercy_lr::Construction::{self, Canonical, Lr0};

/// A grammar with the numbers of its pop edges and of its distinct sentences.
struct Workload {
    folder: &'static str,
    file: &'static str,
    construction: Construction,
    counts: (u64, usize),
}

const fn workload(
    folder: &'static str,
    file: &'static str,
    construction: Construction,
    counts: (u64, usize),
) -> Workload {
    Workload { folder, file, construction, counts }
}

const WORKLOADS: [Workload; 7] = [
    workload("pytomata", "ampl20.y", Lr0, (277, 128)),
    workload("pytomata", "ampl20.y", Canonical, (998, 572)),
    workload("pytomata", "go.y", Lr0, (4728, 2707)),
    workload("pytomata", "go.y", Canonical, (30_011, 17_229)),
    workload("pytomata", "sqlite.y", Lr0, (22_581, 20_356)),
    workload("pytomata", "sqlite.y", Canonical, (383_430, 340_385)),
    workload("antlr/mysql", "MySqlParser.g4", Lr0, (497_392, 461_679)),
];

/// What is written.
#[derive(Default)]
struct Written {
    tests: usize,
    text: Vec<u8>,
}

fn main() {
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    for workload in WORKLOADS {
        let name = format!("{}:{}", workload.file, workload.construction.as_str());
        let Some(folder) = gramercy_testkit::shared(workload.folder) else { return };
        if wanted.is_empty() || wanted.contains(&name) {
            measure(&name, &folder.join(workload.file), &workload);
        }
    }
}

fn measure(name: &str, file: &Path, workload: &Workload) {
    let (time, (pops, written)) = best(|| end_to_end(file, workload.construction));
    let memory = peak_memory();
    assert_eq!((pops, written.tests), workload.counts, "{name}");
    let grammar = load(file, &Disk, &LoadOptions::default()).grammar.expect("a grammar");
    let names = names(&grammar);
    let tokens = all_tokens(&grammar, workload.construction);
    let (peer, bytes) = best(|| write_all(&names, &tokens));
    let mean = tokens.len().checked_div(written.tests).unwrap_or(0);
    say(&format!(
        "{name:14} {pops} pop edges, {} distinct tests of {mean} tokens, {} bytes: {time:.2?}, {:.1} \
         times a bare loop that writes {bytes} bytes; {memory} of memory at most so far",
        written.tests,
        written.text.len(),
        time.as_secs_f64() / peer.as_secs_f64(),
    ));
}

/// From the file to the text of all distinct tests.
fn end_to_end(file: &Path, construction: Construction) -> (u64, Written) {
    let grammar = load(file, &Disk, &LoadOptions::default()).grammar.expect("a grammar");
    let names = names(&grammar);
    let mut written = Written::default();
    let pops = for_each_distinct(&grammar, construction, |tokens| {
        written.tests += 1;
        write(&names, tokens, &mut written.text);
    });
    (pops, written)
}

fn all_tokens(grammar: &Grammar, construction: Construction) -> Vec<TerminalId> {
    let mut all = Vec::new();
    for_each_distinct(grammar, construction, |tokens| all.extend_from_slice(tokens));
    all
}

fn for_each_distinct(
    grammar: &Grammar,
    construction: Construction,
    mut found: impl FnMut(&[TerminalId]),
) -> u64 {
    let limits = Limits::default();
    let graph = grammar.graph();
    let bnf = grammar.bnf(&graph, &limits).expect("within the limits");
    let views = Views::new(grammar, &graph, &bnf, &limits);
    let resolution = Resolution { length: Length::LrEdges, ..Resolution::default() };
    let suite = PopEdges::new(&views, construction, resolution, 0, &limits).expect("in the limits");
    let (mut draft, mut seen) = (Draft::default(), Set::default());
    for number in 0..suite.count() {
        draft.clear();
        if suite.make(number, 0, &mut draft) && seen.insert(fingerprint(&draft.tokens)) {
            found(&draft.tokens);
        }
    }
    suite.count()
}

/// 128 bits of a sentence.
fn fingerprint(tokens: &[TerminalId]) -> u128 {
    tokens.iter().fold(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835, |hash: u128, token| {
        let mixed =
            (hash ^ token.index() as u128).wrapping_mul(0x2360_ED05_1FC6_5DA4_4385_DF64_9FCC_F645);
        mixed ^ (mixed >> 61)
    })
}

fn names(grammar: &Grammar) -> Vec<String> {
    grammar.terminals().values().map(|terminal| terminal.name.to_string()).collect()
}

fn write(names: &[String], tokens: &[TerminalId], text: &mut Vec<u8>) {
    for token in tokens {
        text.extend_from_slice(names[token.index()].as_bytes());
        text.push(b' ');
    }
    text.push(b'\n');
}

fn write_all(names: &[String], tokens: &[TerminalId]) -> usize {
    let mut text = Vec::new();
    write(names, tokens, &mut text);
    text.len()
}

/// The shortest time of several runs, and the last result.
fn best<T>(run: impl Fn() -> T) -> (Duration, T) {
    let timed = || {
        let start = Instant::now();
        let result = run();
        (start.elapsed(), result)
    };
    (0..4).fold(timed(), |(best, last), _| {
        drop(last);
        let (time, result) = timed();
        (best.min(time), result)
    })
}

/// The most memory that this process ever had, where the system tells.
fn peak_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or_else(|| "an unknown amount".to_owned(), |size| size.trim().to_owned())
}

#[expect(clippy::print_stdout, reason = "a benchmark prints its times")]
fn say(text: &str) {
    println!("{text}");
}

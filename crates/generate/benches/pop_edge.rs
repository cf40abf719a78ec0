//! How long pop-edge suites take from the file to the text, with counts asserted where they are known.
//!
//! `cargo bench -p gramercy-generate --bench pop_edge -- known [NAME…]` takes large grammars, or those
//! named, `all FOLDER…` every grammar in a folder of examples (`examples`) or of the collection beside
//! the checkout. Times are the best of several runs. Distinct sentences are written as token names into a
//! buffer; the peer is a bare loop that writes the same names from a list of all tokens. Every line has,
//! separated by tabs: file and automaton, how ties are broken, pop edges, distinct tests, tokens, bytes,
//! milliseconds, those of the peer, kilobytes of memory that the process had at most so far.

use std::path::Path;
use std::time::{Duration, Instant};

use gramercy_analysis::shortest_yield::Length;
use gramercy_base::{Id, Limits, Set};
use gramercy_coverage::Views;
use gramercy_formats::{Disk, LoadOptions, load};
use gramercy_generate::strategies::pop_edge::PopEdges;
use gramercy_generate::{Draft, Indexed, Resolution, Ties};
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

/// Ties are drawn from this seed, if they are.
const DRAWN: Ties = Ties::Random { seed: 0, variant: 0 };

/// What is made, and of what.
#[derive(Default)]
struct Written {
    edges: u64,
    tests: usize,
    tokens: usize,
    text: Vec<u8>,
}

fn main() {
    // cargo itself adds a flag.
    let arguments: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    match arguments.split_first() {
        Some((mode, folders)) if mode == "all" => {
            folders.iter().for_each(|folder| measure_folder(folder));
        }
        Some((mode, names)) if mode == "known" => measure_known(names),
        _ => measure_known(&[]),
    }
}

fn measure_known(names: &[String]) {
    for Workload { folder, file, construction, counts } in WORKLOADS {
        let name = format!("{file}:{}", construction.as_str());
        let Some(folder) = gramercy_testkit::shared(folder) else { return };
        if names.is_empty() || names.contains(&name) {
            for ties in [Ties::First, DRAWN] {
                let written = measure(&name, &folder.join(file), construction, ties);
                assert_eq!(written.edges, counts.0, "{name}");
                assert!(ties != Ties::First || written.tests == counts.1, "{name}");
            }
        }
    }
}

fn measure_folder(folder: &str) {
    let folder = match folder {
        "examples" => Some(gramercy_testkit::examples()),
        _ => gramercy_testkit::shared(folder),
    };
    for file in folder.iter().flat_map(|it| gramercy_testkit::files_in(it, &["gram", "y"])) {
        if load(&file, &Disk, &LoadOptions::default()).grammar.is_none() {
            continue;
        }
        for construction in [Lr0, Canonical] {
            let file_name = file.file_name().unwrap_or_default().to_string_lossy();
            let name = format!("{file_name}:{}", construction.as_str());
            for ties in [Ties::First, DRAWN] {
                measure(&name, &file, construction, ties);
            }
        }
    }
}

fn measure(name: &str, file: &Path, construction: Construction, ties: Ties) -> Written {
    let (time, written) = best(|| end_to_end(file, construction, ties));
    let memory = peak_memory();
    let grammar = load(file, &Disk, &LoadOptions::default()).grammar.expect("a grammar");
    let names = names(&grammar);
    let mut tokens = Vec::new();
    for_each_distinct(&grammar, construction, ties, |of| tokens.extend_from_slice(of));
    let (peer, _) = best(|| write_all(&names, &tokens));
    let how = if ties == Ties::First { "first" } else { "drawn" };
    let Written { edges, tests, tokens, text } = &written;
    say(&format!(
        "{name}\t{how}\t{edges}\t{tests}\t{tokens}\t{}\t{:.3}\t{:.3}\t{memory}",
        text.len(),
        time.as_secs_f64() * 1000.0,
        peer.as_secs_f64() * 1000.0,
    ));
    written
}

/// From the file to the text of all distinct tests.
fn end_to_end(file: &Path, construction: Construction, ties: Ties) -> Written {
    let grammar = load(file, &Disk, &LoadOptions::default()).grammar.expect("a grammar");
    let names = names(&grammar);
    let mut written = Written::default();
    let edges = for_each_distinct(&grammar, construction, ties, |tokens| {
        written.tests += 1;
        written.tokens += tokens.len();
        write(&names, tokens, &mut written.text);
    });
    Written { edges, ..written }
}

fn for_each_distinct(
    grammar: &Grammar,
    construction: Construction,
    ties: Ties,
    mut found: impl FnMut(&[TerminalId]),
) -> u64 {
    let limits = Limits::default();
    let graph = grammar.graph();
    let bnf = grammar.bnf(&graph, &limits).expect("within the limits");
    let views = Views::new(grammar, &graph, &bnf, &limits);
    let resolution = Resolution { length: Length::LrEdges, ties, ..Resolution::default() };
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

/// The most kilobytes that this process ever had, where the system tells.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|size| size.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}

#[expect(clippy::print_stdout, reason = "a benchmark prints its times")]
fn say(text: &str) {
    println!("{text}");
}

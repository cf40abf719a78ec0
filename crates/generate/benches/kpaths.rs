//! How long suites of k-paths take on large grammars, with the numbers of targets asserted.
//!
//! `cargo bench -p gramercy-generate --bench kpaths`, or with a workload's name (`js:4`) for that one
//! alone. Times are of one run, and shown as multiples of what writing as many tokens as the tests
//! have takes in the same run.

use std::time::{Duration, Instant};

use gramercy_base::Limits;
use gramercy_coverage::Views;
use gramercy_formats::{Disk, LoadOptions, load};
use gramercy_generate::strategies::kpath::{KPathOptions, KPathStrategy};
use gramercy_generate::{Draft, Sequential};
use gramercy_grammar::Grammar;

/// A grammar and K, with the number of targets.
const WORKLOADS: [(&str, u32, u64); 7] = [
    ("json", 5, 1336),
    ("regex", 5, 36687),
    ("js", 3, 14954),
    ("js", 4, 81175),
    ("css_domato", 3, 244_441),
    ("css_domato", 4, 700_371),
    ("css_domato", 5, 1_992_384),
];

fn main() {
    let Some(folder) = gramercy_testkit::shared("tribble") else { return };
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let files = gramercy_testkit::files_in(&folder, &["tribble", "scala"]);
    for (name, k, targets) in WORKLOADS {
        let title = format!("{name}:{k}");
        if !wanted.is_empty() && !wanted.contains(&title) {
            continue;
        }
        let file = files.iter().find(|file| file.file_stem() == Some(name.as_ref()));
        let file = file.expect("a file of the collection");
        let grammar = load(file, &Disk, &LoadOptions::default()).grammar.expect("a grammar");
        measure(&title, &grammar, k, targets);
    }
}

fn measure(title: &str, grammar: &Grammar, k: u32, targets: u64) {
    let limits = Limits::default();
    let start = Instant::now();
    let graph = grammar.graph();
    let bnf = grammar.bnf(&graph, &limits).expect("within the limits");
    let views = Views::new(grammar, &graph, &bnf, &limits);
    let strategy = KPathStrategy::new(&views, KPathOptions::new(k), &limits);
    let mut strategy = strategy.expect("within the limits");
    let prepared = start.elapsed();
    assert_eq!(strategy.missing().len(), targets, "{title}");
    let (mut tests, mut tokens, mut draft) = (0u64, 0usize, Draft::default());
    while strategy.next(&mut draft) {
        tests += 1;
        tokens += draft.tokens.len();
    }
    let made = start.elapsed() - prepared;
    let peer = bare_loop(tokens);
    say(&format!(
        "{title:14} {targets:9} targets {tests:8} tests {tokens:10} tokens  prepared {prepared:.2?}  made \
         {made:.2?} ({:.1})",
        made.as_secs_f64() / peer.as_secs_f64()
    ));
}

/// So many numbers, written one by one.
fn bare_loop(count: usize) -> Duration {
    let start = Instant::now();
    let mut written: Vec<u32> = Vec::new();
    for n in 0..count {
        if n % 64 == 0 {
            written.clear();
        }
        written.push(u32::try_from(n % 1000).expect("small"));
    }
    std::hint::black_box(&written);
    start.elapsed()
}

#[expect(clippy::print_stdout, reason = "a benchmark prints its times")]
fn say(text: &str) {
    println!("{text}");
}

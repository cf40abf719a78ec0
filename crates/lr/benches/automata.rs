//! The time to build automata and graphs of real grammars; their counts are asserted.
//!
//! `cargo bench -p gramercy-lr`, or with the name of a workload for that one alone. Times are the
//! best of several runs, as multiples of the time to sort as many numbers as there are push edges.

use std::time::{Duration, Instant};

use gramercy_analysis::{First, Nullable, Productive};
use gramercy_base::Limits;
use gramercy_grammar::Bnf;
use gramercy_lr::{Automaton, Construction, Facts, LrGraph};

#[path = "../../analysis/tests/it/support.rs"]
mod support;

/// An automaton of a grammar, with the numbers of its states, push edges and pop edges.
struct Workload {
    file: &'static str,
    construction: Construction,
    counts: [usize; 3],
}

const WORKLOADS: [Workload; 6] = [
    workload("go.y", Construction::Lr0, [480, 3770, 4728]),
    workload("go.y", Construction::Lalr, [480, 3770, 4728]),
    workload("go.y", Construction::Canonical, [2963, 24053, 30011]),
    workload("sqlite.y", Construction::Lr0, [966, 21586, 22581]),
    workload("sqlite.y", Construction::Lalr, [966, 21586, 22581]),
    workload("sqlite.y", Construction::Canonical, [27349, 354_127, 383_430]),
];

const fn workload(file: &'static str, construction: Construction, counts: [usize; 3]) -> Workload {
    Workload { file, construction, counts }
}

fn main() {
    let Some(folder) = gramercy_testkit::shared("pytomata") else { return };
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    for workload in WORKLOADS {
        let name = format!("{}:{}", workload.file, workload.construction.as_str());
        if wanted.is_empty() || wanted.contains(&name) {
            let text = std::fs::read_to_string(folder.join(workload.file));
            measure(&name, &text.expect("a readable file"), &workload);
        }
    }
}

fn measure(name: &str, text: &str, workload: &Workload) {
    let grammar = support::read(text);
    let bnf = grammar.bnf(&grammar.graph(), &Limits::default()).expect("a small grammar");
    let (automaton_time, automaton) = best(|| build(&bnf, workload.construction));
    let (count_time, found) = best(|| {
        let graph = LrGraph::new(&bnf, &automaton);
        [automaton.state_count(), graph.push_edge_count(), graph.pop_edge_count()]
    });
    assert_eq!(found, workload.counts, "{name}");
    let (walk_time, walked) = best(|| LrGraph::new(&bnf, &automaton).pop_edges().count());
    assert_eq!(walked, workload.counts[2], "{name}");
    let (peer, _) = best(|| sorted(workload.counts[1]));
    let show =
        |time: Duration| format!("{time:.2?} ({:.2})", time.as_secs_f64() / peer.as_secs_f64());
    say(&format!(
        "{name:14} automaton {:18} edge counts {:18} pop edges {}",
        show(automaton_time),
        show(count_time),
        show(walk_time)
    ));
}

/// Sorts scattered numbers.
fn sorted(count: usize) -> Vec<usize> {
    let mut numbers: Vec<usize> =
        (0..count).map(|n| n.wrapping_mul(0x9E37_79B9) % 1_000_003).collect();
    numbers.sort_unstable();
    numbers
}

/// An automaton with the facts that it needs.
fn build(bnf: &Bnf, construction: Construction) -> Automaton {
    let (productive, nullable) = (Productive::of(bnf), Nullable::of(bnf));
    let first = First::of(bnf, &productive, &nullable);
    let facts = Facts { nullable: &nullable, first: &first };
    construction.build(bnf, &facts, &Limits::default()).expect("within the limits")
}

/// The shortest time of several runs, and the last result.
fn best<T>(run: impl Fn() -> T) -> (Duration, T) {
    let timed = || {
        let start = Instant::now();
        let result = run();
        (start.elapsed(), result)
    };
    (0..6).fold(timed(), |(best, _), _| {
        let (time, result) = timed();
        (best.min(time), result)
    })
}

#[expect(clippy::print_stdout, reason = "a benchmark prints its times")]
fn say(text: &str) {
    println!("{text}");
}

//! How fast suites are made: all tests of `step:4` on SQLite, text included, beside a bare loop that
//! writes the same lines, with one worker and with two. Counts are asserted, times are shown.

use std::hint::black_box;
use std::io::Write;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use gramercy_base::Limits;
use gramercy_coverage::{CriterionSpec, Views, criteria};
use gramercy_formats::{Disk, LoadOptions, load};
use gramercy_generate::strategies::{self, Wishes};
use gramercy_generate::{Closings, Named, Options, Pipeline, Resolution};
use gramercy_lexis::{WriteOptions, Writer};
use gramercy_suite::sinks::Lines;

/// Runs of which the best counts.
const RUNS: usize = 5;

/// A workload: grammar, criterion, targets, and the tests it has.
const WORKLOADS: [(&str, &str, u64); 3] =
    [("sqlite.y", "step:4", 656_232), ("sqlite.y", "bfs:2", 58_747), ("go.y", "step:4", 4_346)];

fn main() {
    let Some(folder) = gramercy_testkit::shared("pytomata") else { return };
    for (file, cover, tests) in WORKLOADS {
        let loaded = load(&folder.join(file), &Disk, &LoadOptions::default());
        let grammar = loaded.grammar.expect("a grammar");
        let limits = Limits::default();
        let graph = grammar.graph();
        let bnf = grammar.bnf(&graph, &limits).expect("within the limits");
        let views = Views::new(&grammar, &graph, &bnf, &limits);
        let writer = Writer::new(&grammar, &WriteOptions::default()).expect("a writer");
        let make = |jobs: usize, out: &mut Vec<u8>| {
            out.clear();
            let spec: CriterionSpec = cover.parse().expect("a criterion");
            let closings = Closings::new(&views, Resolution::default(), 1);
            let strategy =
                strategies::build(spec, 0, &views, &closings, &Wishes::default(), &limits);
            let criterion = criteria::build(spec, &views, &limits).expect("within the limits");
            let named = Named { name: cover.to_owned(), criterion };
            let options = Options { jobs, ..Options::default() };
            let pipeline =
                Pipeline { views: &views, writer: writer.clone(), criteria: vec![named], options };
            let mut strategies = [strategy.expect("within the limits")];
            let watch = &mut |_| ControlFlow::Continue(());
            let summary = pipeline.run(&mut strategies, &mut Lines::new(out), watch);
            summary.expect("memory takes everything").tests
        };
        let mut out = Vec::new();
        assert_eq!(make(1, &mut out), tests, "{file} {cover}");
        let expected = out.clone();
        let (one, _) = best(|| make(1, &mut out));
        let (two, _) = best(|| make(2, &mut out));
        assert!(out == expected, "the suite of two workers is that of one");
        let (bare, _) = best(|| copy_lines(&expected, &mut out));
        let rate = |time: Duration| tests as f64 / time.as_secs_f64();
        say(&format!(
            "{file} {cover}: {tests} tests, all distinct, {:.1} bytes each; {:.0} tests/s, \
             {:.0} MB/s, {:.1} times a bare loop's time; two workers {:.2} times as fast",
            expected.len() as f64 / tests as f64,
            rate(one),
            expected.len() as f64 / one.as_secs_f64() / 1e6,
            one.as_secs_f64() / bare.as_secs_f64(),
            one.as_secs_f64() / two.as_secs_f64(),
        ));
    }
}

/// Writes lines that are there already.
fn copy_lines(lines: &[u8], out: &mut Vec<u8>) -> u64 {
    out.clear();
    let mut count = 0;
    for line in lines.split_inclusive(|&byte| byte == b'\n') {
        black_box(&mut *out).write_all(line).expect("memory takes everything");
        count += 1;
    }
    count
}

fn best<T>(mut run: impl FnMut() -> T) -> (Duration, T) {
    let timed = |_| {
        let begun = Instant::now();
        let result = run();
        (begun.elapsed(), result)
    };
    (0..RUNS).map(timed).min_by_key(|(time, _)| *time).expect("some runs")
}

#[expect(clippy::print_stdout, reason = "a benchmark shows its figures")]
fn say(line: &str) {
    println!("{line}");
}

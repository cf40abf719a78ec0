//! How fast random tests are made and written, from the strategy to the lines of a suite, on one core.
//!
//! `cargo bench -p gramercy-generate --bench random`. Beside every rate stand the mean size of a test,
//! the share of distinct ones among those over 100 bytes, and how long it takes to write as many bytes
//! in a bare loop in the same run. The number of tests is asserted.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use gramercy_base::{Fingerprint, Limits, Set};
use gramercy_coverage::Views;
use gramercy_formats::{Disk, LoadOptions, load};
use gramercy_generate::Weighing;
use gramercy_generate::pipeline::options::Merge;
use gramercy_generate::strategies::random::{Method, RandomOptions, strategy};
use gramercy_generate::{Options, Pipeline, Strategy, Summary};
use gramercy_lexis::{Lexemes, WriteOptions, Writer};
use gramercy_suite::sinks::Format;
use gramercy_suite::{Sink, SinkError, Test};

/// Tests of a workload.
const TESTS: u64 = 20_000;
/// How long a test is at least to be counted among those that should be distinct.
const LONG: usize = 100;

fn main() {
    let shared = |folder: &str, file: &str| Some(gramercy_testkit::shared(folder)?.join(file));
    let files = [
        ("json.gram", Some(gramercy_testkit::examples().join("json.gram"))),
        ("JSON.g4", shared("antlr/json", "JSON.g4")),
        ("SQLite", shared("antlr/sqlite", "SQLiteParser.g4")),
    ];
    for (name, file) in files {
        let Some(file) = file else { continue };
        for method in [Method::Size(100), Method::Size(400), Method::Depth(20)] {
            for lexemes in [Lexemes::Varied, Lexemes::Random] {
                measure(name, &file, method, lexemes);
            }
        }
    }
}

fn measure(name: &str, file: &Path, method: Method, lexemes: Lexemes) {
    let limits = Limits::default();
    let grammar = load(file, &Disk, &LoadOptions::default()).grammar.expect("a grammar");
    let graph = grammar.graph();
    let bnf = grammar.bnf(&graph, &limits).expect("within the limits");
    let views = Views::new(&grammar, &graph, &bnf, &limits);
    let options = WriteOptions { lexemes, ..WriteOptions::default() };
    let mut writer = Writer::new(&grammar, &options).expect("a lexer");
    let start = Instant::now();
    writer.quicken(0).expect("within the limits");
    let quickened = start.elapsed();
    let random = RandomOptions {
        method,
        weighing: Weighing::default(),
        seed: 0,
        count: TESTS,
        max_tokens: 10_000,
    };
    let options = Options { merge: Merge::Nothing, ..Options::default() };
    let pipeline = Pipeline { views: &views, writer, criteria: Vec::new(), options };
    let start = Instant::now();
    let summary = run(&pipeline, &random, &mut *Format::Lines.sink(std::io::sink()));
    let took = start.elapsed();
    assert_eq!(summary.tests + summary.unwritten_count, TESTS, "{name}");
    let mut distinct = Distinct::default();
    run(&pipeline, &random, &mut distinct);
    let seconds = took.as_secs_f64();
    say(&format!(
        "{name:10} {:22} {:9} pools {quickened:.1?}  {:6.1} MB/s {:9.0} tests/s  {:6.1} bytes {:5.1} tokens \
         a test  {:.2} % of {} distinct  {} unwritten  {:.1} bare loops",
        format!("{method:?}"),
        format!("{lexemes:?}"),
        summary.bytes as f64 / seconds / 1e6,
        summary.tests as f64 / seconds,
        summary.bytes as f64 / summary.tests as f64,
        summary.tokens as f64 / summary.tests as f64,
        100.0 * distinct.prints.len() as f64 / distinct.long as f64,
        distinct.long,
        summary.unwritten_count,
        seconds / bare_loop(&summary).as_secs_f64(),
    ));
}

fn run(pipeline: &Pipeline<'_>, random: &RandomOptions, sink: &mut dyn Sink) -> Summary {
    let strategy = strategy(pipeline.views, random).expect("such tests exist");
    let mut strategies = [Strategy::Indexed(strategy)];
    let summary = pipeline.run(&mut strategies, sink, &mut |_| ControlFlow::Continue(()));
    summary.expect("nothing is kept")
}

/// Counts long tests, and how many of them differ.
#[derive(Default)]
struct Distinct {
    prints: Set<u128>,
    long: u64,
}

impl Sink for Distinct {
    fn put(&mut self, test: &Test<'_>) -> Result<(), SinkError> {
        if test.text.len() > LONG {
            let mut print = Fingerprint::default();
            print.add_text(test.text);
            self.prints.insert(print.finish());
            self.long += 1;
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        Ok(())
    }
}

/// As many tests of the mean size, token by token.
fn bare_loop(summary: &Summary) -> Duration {
    let size = usize::try_from(summary.bytes / summary.tokens.max(1)).expect("a small size");
    let token = vec![b'x'; size.max(1)];
    let start = Instant::now();
    let (mut out, mut buffer) = (std::io::sink(), Vec::new());
    for _ in 0..summary.tokens {
        buffer.extend_from_slice(std::hint::black_box(&token));
        if buffer.len() > 1 << 16 {
            out.write_all(&buffer).expect("nothing is kept");
            buffer.clear();
        }
    }
    std::hint::black_box(&buffer);
    start.elapsed()
}

#[expect(clippy::print_stdout, reason = "a benchmark prints its times")]
fn say(text: &str) {
    println!("{text}");
}

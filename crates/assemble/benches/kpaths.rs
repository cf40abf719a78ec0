//! How long suites of k-paths take on large grammars, with the numbers of targets asserted.
//!
//! `cargo bench -p gramercy-assemble --bench kpaths`, or with a workload's name (`js:4`) for that one
//! alone. Times are of one run, and shown as multiples of what writing as many tokens as the tests
//! have takes in the same run. Tests are only counted.

use std::time::{Duration, Instant};

use gramercy_assemble::{Recipe, Watch, suite};
use gramercy_language::Language;
use gramercy_suite::{Sink, SinkError, Test, Wants};

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
        measure(&title, &Language::read(file).expect("a grammar"), k, targets);
    }
}

fn measure(title: &str, language: &Language, k: u32, targets: u64) {
    let recipe = Recipe::cover(&format!("kpath:{k}")).expect("a criterion");
    let start = Instant::now();
    let mut begun = Begun(start);
    let summary = suite(language, &recipe, &mut Counted, &mut begun).expect("within the limits");
    let (prepared, made) = (begun.0 - start, begun.0.elapsed());
    assert_eq!(summary.written, targets, "{title}");
    let (tests, tokens) = (summary.tests, summary.tokens);
    let peer = bare_loop(tokens);
    say(&format!(
        "{title:14} {targets:9} targets {tests:8} tests {tokens:10} tokens  prepared {prepared:.2?}  made \
         {made:.2?} ({:.1})",
        made.as_secs_f64() / peer.as_secs_f64()
    ));
}

/// When the tests began.
struct Begun(Instant);

impl Watch for Begun {
    fn begin(&mut self, _: &'static str) {
        self.0 = Instant::now();
    }
}

/// Takes tests that are only counted.
struct Counted;

impl Sink for Counted {
    fn wants(&self) -> Wants {
        Wants::default()
    }

    fn put(&mut self, _: &Test<'_>) -> Result<(), SinkError> {
        Ok(())
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        Ok(())
    }
}

/// As many numbers, written one by one.
fn bare_loop(count: u64) -> Duration {
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

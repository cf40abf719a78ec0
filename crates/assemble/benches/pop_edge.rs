//! How long pop-edge suites take from the file to the text, with counts asserted where they are known.
//!
//! `cargo bench -p gramercy-assemble --bench pop_edge -- known [NAME…]` takes large grammars, or those
//! named, `all FOLDER…` every grammar in a folder of examples (`examples`) or of the collection beside
//! the checkout. Times are the best of several runs. Distinct sentences are written as lines into a
//! buffer; the peer is a bare loop that writes the same lines from a list of the texts of all tokens. Every line
//! has, separated by tabs: file and automaton, how ties are broken, pop edges, distinct tests, tokens, bytes,
//! milliseconds, those of the peer, kilobytes of memory that the process had at most so far.

use std::path::Path;
use std::time::{Duration, Instant};

use gramercy_analysis::Length;
use gramercy_assemble::recipe::{Systematic, Tests, TieBreak};
use gramercy_assemble::{Recipe, Summary, suite};
use gramercy_coverage::CriterionSpec;
use gramercy_language::Language;
use gramercy_lr::Construction::{self, Canonical, Lr0};
use gramercy_suite::sinks::Lines;
use gramercy_suite::{Sink, SinkError, Test, Wants};
use gramercy_testkit::clock::peak_memory;

/// A grammar with the numbers of its pop edges and of its distinct sentences.
struct Workload {
    folder: &'static str,
    file: &'static str,
    construction: Construction,
    counts: (u64, u64),
}

const fn workload(
    folder: &'static str,
    file: &'static str,
    construction: Construction,
    counts: (u64, u64),
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

const TIES: [TieBreak; 2] = [TieBreak::First, TieBreak::Random];

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
            for ties in TIES {
                let (edges, tests) = measure(&name, &folder.join(file), construction, ties);
                assert_eq!(edges, counts.0, "{name}");
                assert!(ties != TieBreak::First || tests == counts.1, "{name}");
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
        if Language::read(&file).is_err() {
            continue;
        }
        for construction in [Lr0, Canonical] {
            let file_name = file.file_name().unwrap_or_default().to_string_lossy();
            let name = format!("{file_name}:{}", construction.as_str());
            for ties in TIES {
                measure(&name, &file, construction, ties);
            }
        }
    }
}

/// Shows the figures of a suite; how many pop edges and tests there are.
fn measure(name: &str, file: &Path, construction: Construction, ties: TieBreak) -> (u64, u64) {
    let cover = CriterionSpec::new("pop-edge", Some(construction.as_str())).expect("a criterion");
    let tests =
        Systematic { cover: vec![cover], length: Length::LrEdges, ties, ..Systematic::default() };
    let recipe = Recipe { tests: Tests::Systematic(tests), ..Recipe::default() };
    let (time, (summary, bytes)) = best(|| end_to_end(file, &recipe));
    let memory = peak_memory();
    let language = Language::read(file).expect("a grammar");
    let mut pieces = Pieces::default();
    suite(&language, &recipe, &mut pieces, &mut ()).expect("within the limits");
    let (peer, _) = best(|| pieces.write());
    let edges = cover.build(&language).expect("within the limits").targets();
    let how = if ties == TieBreak::First { "first" } else { "drawn" };
    let Summary { tests, tokens, .. } = summary;
    say(&format!(
        "{name}\t{how}\t{edges}\t{tests}\t{tokens}\t{bytes}\t{:.3}\t{:.3}\t{memory}",
        time.as_secs_f64() * 1000.0,
        peer.as_secs_f64() * 1000.0,
    ));
    (edges, tests)
}

/// From the file to the text of all distinct tests, and how many bytes it has.
fn end_to_end(file: &Path, recipe: &Recipe) -> (Summary, usize) {
    let language = Language::read(file).expect("a grammar");
    let mut text = Vec::new();
    let summary = suite(&language, recipe, &mut Lines::new(&mut text), &mut ());
    (summary.expect("within the limits"), text.len())
}

/// The texts of the tokens of all tests, and where each ends.
#[derive(Default)]
struct Pieces {
    text: String,
    ends: Vec<usize>,
}

impl Pieces {
    /// Writes all of them, one by one.
    fn write(&self) -> usize {
        let (mut text, mut start) = (Vec::new(), 0);
        for &end in &self.ends {
            text.extend_from_slice(&self.text.as_bytes()[start..end]);
            text.push(b' ');
            start = end;
        }
        text.len()
    }
}

impl Sink for Pieces {
    fn wants(&self) -> Wants {
        Wants { tokens: true, ..Wants::TEXT }
    }

    fn put(&mut self, test: &Test<'_>) -> Result<(), SinkError> {
        let text = test.content.to_text();
        for token in test.tokens {
            self.text.push_str(&text[token.start..token.end]);
            self.ends.push(self.text.len());
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        Ok(())
    }
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

#[expect(clippy::print_stdout, reason = "a benchmark prints its times")]
fn say(text: &str) {
    println!("{text}");
}

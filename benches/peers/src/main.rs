//! The speed of our parser compared with other parsers in one run, and its growth.
//!
//! - `json BYTES` reads one token-dense JSON document with ours, tree-sitter, ANTLR and lark;
//! - `growth BYTES` makes the forest of one such document: time and the most memory of the process;
//! - `ambiguous GRAMMAR N` counts the trees of N letters `a`, and picks two of them;
//! - `examples NAME` reads the examples of a grammar of the collection with ours and with ANTLR;
//! - `tool-trees KIND BYTES [antlr]` reads one long input as the grammar's own tool does, beside ANTLR if asked for.
//!
//! Figures are lines of fields separated by tabs. Times are CPU times of the parsing thread, so
//! they can be compared on a busy machine: the best of several warm runs. A forest takes new memory
//! unless stated otherwise. A missing peer is a line that begins with `skipped` and the reason.

mod document;
mod lark;
mod peers;
mod tool_trees;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use gramercy_language::Language;
use gramercy_parse::{Derivations, Preferences};
use gramercy_proof::antlr::subject;
use gramercy_proof::{Fallible, languages};

use tool_trees::{Beside, tool_trees};

/// The number of runs of long measurements.
const RUNS: usize = 20;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match arguments[..] {
        ["json", bytes] => number(bytes).and_then(json),
        ["growth", bytes] => number(bytes).and_then(growth),
        ["ambiguous", grammar, length] => number(length).and_then(|n| ambiguous(grammar, n)),
        ["examples", name] => examples(name),
        ["tool-trees", kind, bytes] => {
            number(bytes).and_then(|bytes| tool_trees(kind, bytes, Beside::Nothing))
        }
        ["tool-trees", kind, bytes, "antlr"] => {
            number(bytes).and_then(|bytes| tool_trees(kind, bytes, Beside::Antlr))
        }
        _ => Err("usage: json BYTES | growth BYTES | ambiguous GRAMMAR N | examples NAME | \
                  tool-trees KIND BYTES [antlr]"
            .into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn number(text: &str) -> Fallible<usize> {
    text.parse().map_err(|error| format!("{text}: {error}"))
}

/// The CPU time of this thread.
fn clock() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    Duration::new(seconds, u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// The shortest of several runs.
fn best<T>(runs: usize, mut run: impl FnMut() -> Fallible<T>) -> Fallible<(Duration, T)> {
    let mut best: Option<(Duration, T)> = None;
    for _ in 0..runs {
        let begin = clock();
        let result = run()?;
        let time = clock() - begin;
        if best.as_ref().is_none_or(|(shortest, _)| time < *shortest) {
            best = Some((time, result));
        }
    }
    best.ok_or_else(|| "nothing was run".into())
}

/// A line of figures.
fn line(name: &str, time: Duration, note: &str) {
    println!("{name}\t{:.3}\t{note}", time.as_secs_f64() * 1000.0);
}

fn skipped(name: &str, reason: &str) {
    println!("skipped\t{name}\t{reason}");
}

fn workspace() -> PathBuf {
    gramercy_testkit::workspace()
}

fn own_json() -> Fallible<Language> {
    languages::read(&workspace().join("grammars/json.gram"), None)
}

fn json(bytes: usize) -> Fallible<()> {
    let text = document::json(bytes);
    let language = own_json()?;
    let parser = languages::parser(&language)?;
    let mut workspace = parser.workspace();
    parser.recognize(&mut workspace, &text).map_err(|error| format!("{error:?}"))?;
    let (time, count) = best(RUNS, || Ok(parser.tokens(&mut workspace, &text).0.len()))?;
    line("tokens", time, &format!("{count} tokens in {} bytes", text.len()));
    let (time, ()) = best(RUNS, || {
        parser.recognize(&mut workspace, &text).map_err(|error| format!("{error:?}"))
    })?;
    line("recognition", time, "");
    let (time, memory) = best(RUNS, || {
        let parsed = parser.parse(&mut workspace, &text).map_err(|error| format!("{error:?}"))?;
        Ok(parsed.forest.memory())
    })?;
    line("forest", time, &format!("{:.1} bytes a byte", memory as f64 / text.len() as f64));
    let (time, ()) = best(RUNS, || {
        let parsed = parser.parse(&mut workspace, &text).map_err(|error| format!("{error:?}"))?;
        workspace.recycle(parsed);
        Ok(())
    })?;
    line("forest, recycled", time, "in the memory of the one before");
    peers::tree_sitter(&text)?;
    if let Err(reason) = peers::antlr_json(&text) {
        skipped("ANTLR", &reason);
    }
    if let Err(reason) = lark::forest(&document::json(LARK_BYTES), text.len()) {
        skipped("lark", &reason);
    }
    Ok(())
}

/// What lark's Earley reads in seconds.
const LARK_BYTES: usize = 10_000;

/// The peak memory of the process in kilobytes.
fn peak() -> Fallible<f64> {
    let status = std::fs::read_to_string("/proc/self/status").map_err(|error| error.to_string())?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    kilobytes.ok_or_else(|| "the system does not say how much memory was used".into())
}

fn growth(bytes: usize) -> Fallible<()> {
    let text = document::json(bytes);
    let language = own_json()?;
    let parser = languages::parser(&language)?;
    let mut workspace = parser.workspace();
    parser.recognize(&mut workspace, &document::json(1000)).map_err(|e| format!("{e:?}"))?;
    let before = peak()?;
    let runs = if bytes > 10_000_000 { 2 } else { RUNS };
    let (time, memory) = best(runs, || {
        let parsed = parser.parse(&mut workspace, &text).map_err(|error| format!("{error:?}"))?;
        Ok(parsed.forest.memory())
    })?;
    let all = (peak()? - before) * 1024.0;
    let per_byte = |n: f64| n / text.len() as f64;
    println!(
        "{}\t{:.3}\t{:.1}\t{:.1}\t{:.1}",
        text.len(),
        time.as_secs_f64() * 1000.0,
        per_byte(time.as_secs_f64() * 1e9),
        per_byte(memory as f64),
        per_byte(all),
    );
    Ok(())
}

fn ambiguous(grammar: &str, length: usize) -> Fallible<()> {
    let files = gramercy_formats::Memory::with("ambiguous.gram", grammar);
    let language = languages::read_from(Path::new("ambiguous.gram"), &files, None)?;
    let parser = languages::parser(&language)?;
    let mut workspace = parser.workspace();
    let text = "a".repeat(length);
    let begin = clock();
    let parsed = parser.parse(&mut workspace, &text).map_err(|e| format!("{e:?}"))?;
    let parse = clock() - begin;
    let begin = clock();
    let count = parsed.forest.count_trees().to_string();
    let megabytes = parsed.forest.memory() as f64 / 1e6;
    line("forest", parse, &format!("{megabytes:.0} MB, {:.0} MB of the process", peak()? / 1024.0));
    let digits = count.len();
    line("count", clock() - begin, &format!("{digits} digits, {}", &count[..digits.min(12)]));
    let begin = clock();
    let derivations = Derivations::of_forest(parser.parser(), &parsed.forest);
    let preferences = Preferences::of(language.grammar(), language.bnf());
    let tree = preferences.pick(&derivations);
    line("preferred tree", clock() - begin, &format!("{} nodes", tree.len()));
    let begin = clock();
    let differ = preferences.readings(&derivations).is_some();
    line("two readings", clock() - begin, if differ { "differ" } else { "none" });
    Ok(())
}

fn examples(name: &str) -> Fallible<()> {
    let subjects = subject::collection()?;
    let subject = subjects.iter().find(|subject| subject.name == name);
    let Some(subject) = subject else {
        skipped(name, "the collection is not there");
        return Ok(());
    };
    let language = languages::read(&subject.main, subject.start.as_deref())?;
    let parser = languages::parser(&language)?;
    let mut workspace = parser.workspace();
    let examples: Vec<_> = subject.examples()?.into_iter().map(|example| example.text).collect();
    let read = |text: &&String| parser.recognize(&mut workspace, text).is_ok();
    let texts: Vec<_> = examples.iter().filter(read).collect();
    let bytes: usize = texts.iter().map(|text| text.len()).sum();
    const ROUNDS: usize = 1000;
    let (time, ()) = best(ROUNDS, || {
        texts.iter().for_each(|text| assert!(parser.recognize(&mut workspace, text).is_ok()));
        Ok(())
    })?;
    line("recognition", time, &format!("{} texts, {bytes} bytes", texts.len()));
    let (time, ()) = best(ROUNDS, || {
        texts.iter().for_each(|text| assert!(parser.parse(&mut workspace, text).is_ok()));
        Ok(())
    })?;
    line("forest", time, "");
    let (time, ()) = best(ROUNDS, || {
        for text in &texts {
            let parsed =
                parser.parse(&mut workspace, text).map_err(|error| format!("{error:?}"))?;
            workspace.recycle(parsed);
        }
        Ok(())
    })?;
    line("forest, recycled", time, "in the memory of the one before");
    if let Err(reason) = peers::antlr_texts(subject, &language, &texts) {
        skipped("ANTLR", &reason);
    }
    Ok(())
}

//! Runs the workers of all readers and reports the results.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use gramercy_grammar::Notation;

use crate::minimize::minimize;
use crate::seeds::Seeds;
use crate::watch::{Bounds, End, Seen, watch};
use crate::{Fallible, Options, exercise, hard as inputs, mutate as mutation, say};

/// The limit on CPU time for one input.
const TIME: Duration = Duration::from_secs(10);
/// The same for large files: 50 MB may be two million rules.
const TIME_IF_HARD: Duration = Duration::from_secs(30);
/// The limit on memory for mutated inputs, which are a megabyte at most.
const MEMORY: u64 = 1 << 20;
/// The limit on memory for hard inputs.
const MEMORY_IF_HARD: u64 = 4 << 20;

/// Mutates seeds for every reader.
pub(crate) fn mutate(options: &Options) -> Fallible {
    let mut failures = 0;
    for &reader in &options.readers {
        failures += mutate_for(&Seeds::collect(reader)?, options)?;
    }
    if failures == 0 { Ok(()) } else { Err(format!("{failures} inputs failed")) }
}

/// Continues after an input that fails, so that one failure does not hide the others.
fn mutate_for(seeds: &Seeds, options: &Options) -> Fallible<u64> {
    let reader = seeds.reader;
    let mut until = Instant::now() + options.time;
    let mut reasons = Vec::new();
    let name = reader.as_str();
    let (texts, good) = seeds.counts();
    say(&format!("{name}: {texts} seeds and {good} that are grammars"));
    let (mut first, mut failures, mut grammars, mut memory) = (0, 0, 0, 0);
    while Instant::now() < until {
        let arguments = ["stream", name, &options.seed.to_string(), &first.to_string()];
        let bounds = Bounds { time: TIME, memory: MEMORY, until: Some(until) };
        let seen = watch(&arguments, bounds)?;
        memory = memory.max(seen.memory);
        let Some((index, read)) = progress(&seen) else {
            return Err(format!("{name}: the worker said nothing: {:?}", seen.end));
        };
        grammars += read;
        first = index + 1;
        if let End::Failed(reason) = seen.end {
            failures += 1;
            if reasons.contains(&reason) {
                continue;
            }
            let begin = Instant::now();
            say(&format!("{name}: input {index} of seed {}: {reason}", options.seed));
            let input = mutation::input(seeds, options.seed, index);
            save(reader, input, options.seed, index)?;
            reasons.push(reason);
            until += begin.elapsed();
        }
    }
    let memory = memory >> 10;
    say(&format!(
        "{name}: {first} inputs, {grammars} of them grammars, {failures} failures, {memory} MB"
    ));
    Ok(failures)
}

/// The number of the last input, and the number of grammars before it.
fn progress(seen: &Seen) -> Option<(u64, u64)> {
    let (index, grammars) = seen.last.as_deref()?.split_once(' ')?;
    Some((index.parse().ok()?, grammars.parse().ok()?))
}

/// Minimizes an input and saves it.
fn save(reader: Notation, input: Vec<u8>, seed: u64, index: u64) -> Fallible {
    let folder = gramercy_testkit::workspace().join("target/fuzz");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let extension = PathBuf::from(exercise::file_name(reader));
    let extension = extension.extension().and_then(|it| it.to_str()).unwrap_or_default();
    let file =
        folder.join(format!("{reader}-{seed}-{index}.{extension}", reader = reader.as_str()));
    let bounds = Bounds { time: TIME, memory: MEMORY, until: None };
    let small = minimize(reader, input, &file, bounds)?;
    let shown: String = String::from_utf8_lossy(&small).chars().take(400).collect();
    say(&format!("  {} bytes in {}: {shown:?}", small.len(), file.display()));
    Ok(())
}

/// Gives every reader all hard inputs in full size.
pub(crate) fn hard(options: &Options) -> Fallible {
    let size = options.megabytes.to_string();
    let mut failures = 0;
    for &reader in &options.readers {
        for input in inputs::ALL {
            if (input.files)(reader, inputs::Scale::of(0)).is_none() {
                continue;
            }
            let bounds = Bounds { time: TIME_IF_HARD, memory: MEMORY_IF_HARD, until: None };
            let seen = watch(&["hard", reader.as_str(), input.name, &size], bounds)?;
            let said = match seen.end {
                End::Fine => seen.last.unwrap_or_default(),
                End::Failed(reason) => {
                    failures += 1;
                    format!("FAILED: {reason}")
                }
            };
            let said: String = said.chars().take(120).collect();
            let (reader, name, memory) = (reader.as_str(), input.name, seen.memory >> 10);
            say(&format!("{reader:8} {name:24} {memory:5} MB {said}"));
        }
    }
    if failures == 0 { Ok(()) } else { Err(format!("{failures} hard inputs failed")) }
}

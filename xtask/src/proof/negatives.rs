//! No negative test is accepted, and each is rejected where it says: tests that `negate` makes are read by `parse`
//! from scratch, which compares place and expected tokens with what the tests say.
//!
//! The short form takes some thousand tests of each example. The full one takes more, of the collection of other
//! grammars too; and tens of millions are read within one program, without the way through files.

mod explanations;
pub(super) mod programs;

use serde_json::Value;

use crate::extent::Extent;
use crate::gramercy::{self, Entry, Gramercy};
use crate::process::{Fallible, Profile};
use crate::say;

/// How tests are made.
const SUITES: &[&[&str]] = &[
    &["--cover", "item-edit+lexeme-error"],
    &["--cover", "error-entry:lr0"],
    &["--mutate", "word"],
    &["--mutate", "rule"],
    &["--mutate", "edge", "--check", "pairs"],
    &["--mutate", "stack", "--check", "prefix"],
    &["--mutate", "character"],
    &["--mutate", "encoding"],
    &["--mutate", "word", "--order", "2"],
];

pub(super) fn run(extent: Extent) -> Fallible {
    let gramercy = Gramercy::build(Profile::of(extent))?;
    let folder = gramercy::scratch("negatives")?;
    let (mut entries, most) =
        (gramercy::examples()?, if extent == Extent::Full { "2000" } else { "500" });
    if extent == Extent::Full {
        entries.extend(gramercy::collection()?);
    }
    let (mut problems, mut tests) = (Vec::new(), 0);
    for entry in &entries {
        let (begin, before) = (std::time::Instant::now(), tests);
        for suite in SUITES {
            let file = folder.join("tests.ndjson");
            let made = file.to_string_lossy().into_owned();
            let mut arguments = suite.to_vec();
            arguments.extend(["-n", most, "--quiet", "--format", "ndjson", "-o", &made]);
            let negated = gramercy.on("negate", entry, &arguments).finish()?;
            // Nothing is negative (1), or the operator does not suit the grammar (2).
            if negated.code != Some(0) {
                continue;
            }
            let read = gramercy.on("parse", entry, &[&made, "--json", "--quiet"]).finish()?;
            match judge(entry, &file, &read.stdout) {
                Ok(count) => tests += count,
                Err(problem) => {
                    problems.push(format!("{} {}: {problem}", entry.name(), suite.join(" ")));
                }
            }
        }
        let (seconds, count) = (begin.elapsed().as_secs(), tests - before);
        say(&format!("{}: {count} tests, {seconds} s", entry.name()));
    }
    say(&format!("{tests} negative tests of {} grammars were read again", entries.len()));
    if !problems.is_empty() {
        return Err(problems.join("\n"));
    }
    match extent {
        Extent::Full => super::judged::negatives_again(extent),
        Extent::Short => Ok(()),
    }
}

/// How many tests were rejected as they say; the first that was not.
fn judge(entry: &Entry, file: &std::path::Path, verdicts: &str) -> Result<u64, String> {
    let tests = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let (mut count, is_yacc) = (0, entry.path.extension().is_some_and(|of| of == "y"));
    for (test, verdict) in tests.lines().zip(verdicts.lines()) {
        let value = |text: &str| -> Result<Value, String> {
            serde_json::from_str(text).map_err(|error| format!("{error}: {text}"))
        };
        let (test, verdict) = (value(test)?, value(verdict)?);
        // A grammar of tokens only is read as words, of which blanks are none.
        let is_blank = |token: &Value| {
            token["text"].as_str().is_some_and(|text| text.trim().is_empty() || text.contains(' '))
        };
        let has_blank =
            |test: &Value| test["tokens"].as_array().is_some_and(|all| all.iter().any(is_blank));
        if is_yacc && has_blank(&test) {
            continue;
        }
        if verdict["judgement"] != "rejected" {
            return Err(format!("{} is read as {}", test["text"], verdict["judgement"]));
        }
        count += 1;
    }
    match tests.lines().count() == verdicts.lines().count() {
        true => Ok(count),
        false => Err("not every test was read".to_owned()),
    }
}

//! `gramercy diff` on real changes of published grammars: repairs that their authors made, each as a folder with the
//! grammar before and after. It holds if a difference is found in every pair. The pairs come from a collection next
//! to the checkout. Cost: a minute or two for all of them; the short form takes the small grammars.

use std::path::Path;
use std::time::Duration;

use serde_json::Value;

use crate::extent::Extent;
use crate::gramercy::Gramercy;
use crate::process::{Call, Fallible, Profile, root};
use crate::say;

/// The largest grammar file of the short form, in bytes.
const SMALL: u64 = 4_000;

/// Reviews all changes.
pub(super) fn run(extent: Extent) -> Fallible {
    let folder = root().join("../shared/faults");
    let Ok(index) = std::fs::read_to_string(folder.join("index.tsv")) else {
        say(&format!("skipped: {} is not there", folder.display()));
        return Ok(());
    };
    let gramercy = Gramercy::build(Profile::of(extent))?;
    let (mut reviewed, mut unchanged, mut slowest) = (0, Vec::new(), (Duration::ZERO, ""));
    for line in index.lines().skip(1) {
        let [name, file, start, ..] = line.split('\t').collect::<Vec<_>>()[..] else {
            return Err(format!("index.tsv: {line}"));
        };
        let [before, after] =
            ["before", "after"].map(|side| folder.join(name).join(side).join(file));
        let is_small = before.metadata().is_ok_and(|metadata| metadata.len() <= SMALL);
        if extent == Extent::Short && !is_small {
            continue;
        }
        let (changes, time) = review(&gramercy, &before, &after, start)?;
        reviewed += 1;
        slowest = slowest.max((time, name));
        if changes == 0 {
            unchanged.push(name);
        }
    }
    let (time, name) = slowest;
    let found = reviewed - unchanged.len();
    say(&format!(
        "a difference in {found} of {reviewed} pairs; the slowest, {name}, took {time:.1?}"
    ));
    match unchanged[..] {
        [] => Ok(()),
        ref names => Err(format!("no difference was found in {}", names.join(", "))),
    }
}

/// How many groups of differences there are, and how long it took to find them.
fn review(
    gramercy: &Gramercy,
    before: &Path,
    after: &Path,
    start: &str,
) -> Fallible<(usize, Duration)> {
    let call = Call::new(gramercy.path()).arg("diff").arg(before).arg(after);
    let output = call.args(["--start", start, "--json", "--quiet"]).finish()?;
    if !matches!(output.code, Some(0 | 1)) {
        return Err(format!("{}: {}", before.display(), output.stderr));
    }
    let document: Value =
        serde_json::from_str(&output.stdout).map_err(|error| error.to_string())?;
    Ok((document["changes"].as_array().map_or(0, Vec::len), output.time))
}

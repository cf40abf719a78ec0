//! Campaigns: what a process costs beyond a bare spawn, how many tests a long-lived program gets, how soon a large
//! campaign goes on.

use std::path::{Path, PathBuf};

use super::Bench;
use crate::extent::Extent;
use crate::process::{Call, Cargo, Fallible, root};
use crate::tools;

/// The suite of the long-lived program.
const SUITE: [&str; 8] = [
    "run",
    "grammars/json.gram",
    "--kind",
    "positive",
    "--tokens",
    "10",
    "--persistent",
    "--random",
];

/// `true` in a launcher beside `true` as it is.
pub(super) fn overhead(bench: &Bench) -> Fallible<String> {
    if bench.extent == Extent::Short {
        return Ok("Left out: it is a build of its own.\n".to_owned());
    }
    let call = Cargo::new(["bench", "--quiet", "--locked", "--package", "gramercy-subject"]);
    let output = call.with(&["--bench", "overhead"]).output()?;
    Ok(format!("{} (at most 1,500 us are allowed).\n", output.trim()))
}

/// The harness of the guide, compiled; `None` if there is no compiler.
fn harness(folder: &Path) -> Option<PathBuf> {
    let (source, program) = (root().join("guide/harnesses/harness.c"), folder.join("harness"));
    let built = Call::new("cc").arg("-O2").arg(source).arg("-o").arg(&program).finish();
    built.is_ok_and(|output| output.code == Some(0)).then_some(program)
}

fn database(folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(name);
    for ending in ["", "-wal", "-shm"] {
        // It may not be there.
        let _ = std::fs::remove_file(format!("{}{ending}", path.display()));
    }
    path
}

/// Tests per second, and memory as the number of tests grows.
pub(super) fn long_lived(bench: &Bench) -> Fallible<String> {
    let Some(harness) = harness(&bench.folder) else {
        return Ok("Left out: there is no C compiler.\n".to_owned());
    };
    let sizes: [u64; 2] =
        if bench.extent == Extent::Short { [1_000, 4_000] } else { [100_000, 1_000_000] };
    let mut text = String::from("Verdicts committed, a trivial program in C, one worker:\n\n");
    text += "| tests | tests per second | per second of processor time | memory of the runner |\n|---|---|---|---|\n";
    for tests in sizes {
        let db = database(&bench.folder, "long-lived.db");
        let out = bench.folder.join("long-lived.out");
        let call =
            Call::new("bash").args(["-c", tools::PEAK_MEMORY, "bash"]).arg(bench.gramercy.path());
        let call = call.args(SUITE).arg(tests.to_string()).args(["--jobs", "1", "--db"]).arg(&db);
        let call = call.arg("--").arg(&harness).env("OUT", &out.display().to_string());
        let before = processor_seconds()?;
        let output = call.finish()?;
        let (seconds, used) = (output.time.as_secs_f64(), processor_seconds()? - before);
        let memory: f64 = output.stdout.trim().parse().map_err(|_| output.stderr.clone())?;
        let shown = std::fs::read_to_string(&out).unwrap_or_default();
        if !shown.contains(" tests") {
            return Err(format!("the campaign failed: {shown}"));
        }
        text += &format!(
            "| {tests} | {:.0} | {:.0} | {:.0} MB |\n",
            tests as f64 / seconds,
            tests as f64 / used,
            memory / 1024.0
        );
    }
    Ok(text)
}

/// Processor time of all programs that this one has run, in seconds.
fn processor_seconds() -> Fallible<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").map_err(|error| error.to_string())?;
    // After the name in parentheses, fields 14 and 15 are the time of children that were waited for.
    let fields = stat.rsplit_once(") ").map_or("", |(_, fields)| fields);
    let ticks = fields.split(' ').skip(13).take(2).filter_map(|field| field.parse::<f64>().ok());
    Ok(ticks.sum::<f64>() / 100.0)
}

/// How soon a campaign with many verdicts goes on. Its verdicts are copies, put into the database of a campaign that
/// was interrupted, so that they need not be waited for.
pub(super) fn resuming(bench: &Bench) -> Fallible<String> {
    let Some(harness) = harness(&bench.folder) else {
        return Ok("Left out: there is no C compiler.\n".to_owned());
    };
    if !tools::have("sqlite3", "sqlite3", bench.extent)? {
        return Ok("Left out: sqlite3 is not installed.\n".to_owned());
    }
    let verdicts: u64 = if bench.extent == Extent::Short { 50_000 } else { 10_000_000 };
    let (tests, db) = ((verdicts + 1000).to_string(), database(&bench.folder, "resumed.db"));
    let run = |before: Call, more: &[&str]| {
        let call =
            before.arg(bench.gramercy.path()).args(SUITE).arg(&tests).args(["--jobs", "1", "--db"]);
        call.arg(&db).args(more).arg("--").arg(&harness)
    };
    run(Call::new("timeout").args(["--signal=INT", "0.4"]), &[]).finish()?;
    Call::new("sqlite3").arg(&db).arg(filling(verdicts)).finish()?.success()?;
    let output = run(Call::new("env"), &["--resume"]).finish()?;
    let (time, shown) = (output.time.as_secs_f64(), output.success()?);
    if !shown.contains("tests") {
        return Err(format!("the campaign did not go on: {shown}"));
    }
    let size = db.metadata().map_or(0, |metadata| metadata.len()) >> 20;
    let _ = database(&bench.folder, "resumed.db");
    Ok(format!(
        "A database of {verdicts} verdicts ({size} MB): the campaign went on, ran its last 1000 tests and \
         reported in {time:.1} s, from start to end of the program.\n"
    ))
}

/// Replaces all verdicts by this number of them.
fn filling(verdicts: u64) -> String {
    let numbers = format!(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {verdicts})"
    );
    format!(
        "PRAGMA synchronous = OFF; BEGIN; DELETE FROM tests; DELETE FROM verdicts; DELETE FROM totals;
         INSERT INTO tests {numbers} SELECT i, NULL, X'5B5D', 'accept', NULL, NULL, NULL, NULL, NULL, 0 FROM n;
         INSERT INTO verdicts {numbers} SELECT 0, i, 0, 'accept', 'accept', '', NULL, NULL, 3 FROM n;
         INSERT INTO totals VALUES (0, 0, {verdicts});
         UPDATE shards SET done_through = {verdicts}, finished = 0; COMMIT;"
    )
}

//! Campaigns against programs that do their worst, and campaigns that are killed.
//!
//! [`hostile`] runs a program that hangs, detaches, forks, fills memory and disk and kills, thousands of times. It
//! holds if every test has one verdict, no process, directory or control group is left, and the memory of the runner
//! stays small. [`killed`] ends a campaign by `SIGKILL` again and again, goes on each time, and compares the result
//! with that of a campaign that was never killed. Cost: minutes in the full form, seconds in the short one.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::extent::Extent;
use crate::gramercy::{Gramercy, scratch};
use crate::process::{Call, Fallible, Profile, root};
use crate::{say, tools};

/// What the program does, each in turn. It is told by the test, which is an argument.
const MODES: [&str; 21] = [
    "exit",
    "hang",
    "ignore",
    "stop",
    "close",
    "detach",
    "detach-and-hold",
    "allocate",
    "write",
    "write-error",
    "fill",
    "fill-many",
    "abort",
    "terminal",
    "kill-group",
    "kill-all",
    "kill-parent",
    "network",
    "fork",
    "fork-sessions",
    "litter",
];
/// The most memory of the runner, in KiB.
const MOST_MEMORY: u64 = 300_000;
/// Runs the hostile program many times.
pub(super) fn hostile(extent: Extent) -> Fallible {
    let tests = if extent == Extent::Short { 2 * MODES.len() } else { 10_000 };
    let gramercy = Gramercy::build(Profile::of(extent))?;
    let folder = scratch("hostile-programs")?;
    let program = folder.join("hostile");
    let source = root().join("crates/subject/tests/programs/hostile.c");
    if Call::new("cc").arg(source).arg("-o").arg(&program).finish().is_err() {
        say("skipped: there is no C compiler");
        return Ok(());
    }
    let mut corpus = String::new();
    for mode in MODES.iter().cycle().take(tests) {
        let _infallible = writeln!(corpus, "{{\"text\":\"{mode}\",\"expect\":\"accept\"}}");
    }
    let (tests_file, out) = (folder.join("tests.ndjson"), folder.join("out.json"));
    write(&tests_file, &corpus)?;
    let before = leftovers(&program);
    let call = Call::new("bash").args(["-c", tools::PEAK_MEMORY, "bash"]).arg(gramercy.path());
    let call = call.args(["run", "grammars/json.gram", "--json", "--reruns", "0", "--from"]);
    let call = call.arg(&tests_file).args(["--timeout", "250ms", "--memory", "64M", "--argument"]);
    let call = call.args(["--max-disk", "32M", "--max-file", "8M", "--max-processes", "20"]);
    let call = call.args(["--max-output", "1M", "--"]).arg(&program).arg("{}");
    let memory = call.env("OUT", &out.display().to_string()).finish()?.stdout;
    let memory: u64 = memory.trim().parse().map_err(|error| format!("{memory}: {error}"))?;
    let document = read_json(&out)?;
    let judged: u64 = document["verdicts"]
        .as_object()
        .into_iter()
        .flat_map(|verdicts| verdicts.values())
        .filter_map(Value::as_u64)
        .sum();
    say(&format!("{judged} verdicts, {memory} KiB at most: {}", document["verdicts"]));
    let after = leftovers(&program);
    if judged != tests as u64 {
        return Err(format!("{judged} verdicts for {tests} tests"));
    }
    // What others had there may be gone by now.
    let left: Vec<&String> = after.iter().filter(|one| !before.contains(one)).collect();
    if !left.is_empty() {
        return Err(format!("left behind: {left:?}"));
    }
    if memory > MOST_MEMORY {
        return Err(format!("the runner had {memory} KiB"));
    }
    Ok(())
}

/// Living processes of a program, temporary directories and control groups of launchers.
fn leftovers(program: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        if line.starts_with(program.as_os_str().as_encoded_bytes()) {
            found.push(entry.path().display().to_string());
        }
    }
    let temporary = std::env::temp_dir();
    for folder in [temporary.as_path(), Path::new("/sys/fs/cgroup/pids")] {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let ours =
            entries.filter(|entry| entry.file_name().to_string_lossy().starts_with("gramercy-"));
        found.extend(ours.map(|entry| entry.path().display().to_string()));
    }
    found.sort();
    found
}

/// Kills a campaign at many moments, and goes on each time.
pub(super) fn killed(extent: Extent) -> Fallible {
    let kills = if extent == Extent::Short { 5 } else { 50 };
    let random = if extent == Extent::Short { "200" } else { "3000" };
    let gramercy = Gramercy::build(Profile::of(extent))?;
    let folder = scratch("killed-campaigns")?;
    let db = folder.join("killed.db");
    // What an earlier proof left.
    if db.exists() {
        fs::remove_file(&db).map_err(|error| error.to_string())?;
    }
    let suite = ["run", "grammars/json.gram", "--json", "--random", random, "--tokens", "10"];
    let command = ["--", "sh", "-c", "cat $1; grep -q true $1 && exit 1; exit 0", "sh", "{}"];
    let whole = Call::new(gramercy.path()).args(suite).args(command).finish()?;
    let whole: Value = serde_json::from_str(&whole.stdout).map_err(|error| error.to_string())?;
    let mut ended = 0;
    for round in 0..=kills {
        let resume = db.metadata().is_ok_and(|metadata| metadata.len() > 0);
        let seconds = format!("0.{:03}", 40 + (round * 7919) % 460);
        let call = match round == kills {
            true => Call::new(gramercy.path()),
            false => Call::new("timeout").args(["-s", "KILL", &seconds]).arg(gramercy.path()),
        };
        let call = call.args(suite).arg("--db").arg(&db);
        let call = if resume { call.arg("--resume") } else { call };
        let output = call.args(command).finish()?;
        ended += usize::from(output.code.is_none_or(|code| code == 137));
        if round == kills {
            let last: Value = serde_json::from_str(&output.stdout)
                .map_err(|error| format!("{error}: {}", output.stderr))?;
            say(&format!("killed {ended} times; {} verdicts: {}", last["tests"], last["verdicts"]));
            if last != whole {
                return Err(format!("{} instead of {}", last["verdicts"], whole["verdicts"]));
            }
        }
    }
    let check = "PRAGMA integrity_check; SELECT count(*) - count(DISTINCT test) FROM verdicts;";
    match Call::new("sqlite3").arg(&db).arg(check).finish() {
        Ok(output) if output.stdout == "ok\n0\n" => Ok(()),
        Ok(output) => Err(format!("the database is damaged: {}{}", output.stdout, output.stderr)),
        Err(_) => {
            say("skipped: sqlite3 is not there to check the database");
            Ok(())
        }
    }
}

fn write(path: &Path, text: &str) -> Fallible {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

fn read_json(path: &Path) -> Fallible<Value> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
}

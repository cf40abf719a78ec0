//! Campaigns from outside: nothing is lost, parts join to the whole, and bad input is named.
#![expect(clippy::disallowed_methods, reason = "the program under test here is our own")]
#![expect(clippy::print_stdout, reason = "what is skipped is said")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;

/// A folder of its own for a test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("campaigns-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    std::fs::write(folder.join("sum.gram"), SUM).expect("the grammar can be written");
    folder
}

const SUM: &str = "Sum := Term (\"+\" Term)*;\nTerm := \"1\" | \"2\" | \"(\" Sum \")\";\n";

fn gramercy(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gramercy"));
    command.current_dir(folder).args(arguments).stdin(Stdio::null());
    command
}

fn run(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let Output { status, stdout, stderr } =
        gramercy(folder, arguments).output().expect("gramercy starts");
    let text = |bytes| String::from_utf8(bytes).expect("it is UTF-8");
    (status.code().unwrap_or(-1), text(stdout), text(stderr))
}

fn json(folder: &Path, arguments: &[&str]) -> (i32, Value) {
    let (code, stdout, stderr) = run(folder, arguments);
    let document = serde_json::from_str(&stdout).unwrap_or_else(|_| panic!("{stdout}{stderr}"));
    (code, document)
}

#[test]
fn the_json_document_has_its_names() {
    let folder = folder("names");
    let arguments = [
        "run", "sum.gram", "--kind", "positive", "--cover", "rule", "--db", "a.db", "--json", "--",
        "cat", "{}",
    ];
    let (code, document) = json(&folder, &arguments);
    assert_eq!(code, 0);
    assert_eq!(document["schema"], 1);
    let names: Vec<&String> = document["verdicts"].as_object().expect("an object").keys().collect();
    let mut expected = [
        "pass",
        "rejected-positive",
        "accepted-negative",
        "wrong-place",
        "crash",
        "hang",
        "limit",
        "flaky",
        "broken",
    ];
    expected.sort_unstable();
    assert_eq!(names, expected);
    assert_eq!(document["tests"], document["verdicts"]["pass"]);
    assert_eq!(document["groups"], Value::Array(Vec::new()));
}

/// Both kinds of tests are run by default, and a program that accepts everything is found out.
#[test]
fn positive_and_negative_tests_are_run_together() {
    let folder = folder("kinds");
    let with = |kind: &[&'static str]| -> Value {
        let start = ["run", "sum.gram", "--cover", "rule", "--json"];
        let command = ["--", "cat", "{}"];
        let arguments: Vec<&str> = start.iter().chain(kind).chain(&command).copied().collect();
        json(&folder, &arguments).1
    };
    let (both, positive, negative) =
        (with(&[]), with(&["--kind", "positive"]), with(&["--kind", "negative"]));
    let count = |document: &Value| document["tests"].as_u64().expect("a number");
    assert_eq!(count(&both), count(&positive) + count(&negative));
    assert_eq!(positive["verdicts"]["pass"], positive["tests"]);
    assert_eq!(negative["verdicts"]["accepted-negative"], negative["tests"]);
    assert!(count(&negative) > 5, "{negative:#}");
    let words = with(&["--kind", "negative", "--mutate", "word"]);
    assert_ne!(words["tests"], negative["tests"]);
    let reason = negative["groups"][0]["reason"].as_str().expect("text");
    assert_eq!(reason, "no test of this kind passes");
}

#[test]
fn findings_are_grouped_with_a_reason() {
    let folder = folder("groups");
    let script =
        "grep -q 2 \"$1\" && { echo \"error: bad token at byte $$\" >&2; exit 1; }; cat \"$1\"";
    let texts = ["1", "2", "1+1", "(2)", "(1)", "1+2"];
    let corpus: String = texts.iter().map(|text| format!("{{\"text\":\"{text}\"}}\n")).collect();
    std::fs::write(folder.join("c.ndjson"), corpus).expect("it can be written");
    let arguments =
        ["run", "sum.gram", "--from", "c.ndjson", "--json", "--", "sh", "-c", script, "sh", "{}"];
    let (code, document) = json(&folder, &arguments);
    assert_eq!(code, 1);
    let groups = document["groups"].as_array().expect("a list");
    assert_eq!(groups.len(), 1, "{document:#}");
    let group = &groups[0];
    assert_eq!(group["verdict"], "rejected-positive");
    assert_eq!(group["message"], "error: bad token at byte N");
    assert!(group["reason"].as_str().expect("text").contains("\"2\""), "{group:#}");
    assert_eq!(group["elements"][0]["line"], 2);
    assert_eq!(group["smallest"]["text"], "2");
}

/// One escape of a class is wrong, whatever else the tests have: that is one group, not one per rule.
#[test]
fn one_cause_with_one_message_is_one_group() {
    let folder = folder("one-cause");
    let grammar = "S := Item+;\nItem := List | Text;\nList := \"[\" S \"]\";\nText := \"\\\\\" [nrt/] | \"a\";\n";
    std::fs::write(folder.join("e.gram"), grammar).expect("it can be written");
    let texts =
        ["a", "[a]", "\\\\n", "\\\\/", "[\\\\/]", "a\\\\/", "[[a\\\\/]a]", "\\\\r\\\\t", "[a]a"];
    let corpus: String = texts.iter().map(|text| format!("{{\"text\":\"{text}\"}}\n")).collect();
    std::fs::write(folder.join("c.ndjson"), corpus).expect("it can be written");
    let script =
        "grep -q '[/]' \"$1\" && { echo 'error: unknown escape' >&2; exit 1; }; cat \"$1\"";
    let arguments =
        ["run", "e.gram", "--from", "c.ndjson", "--json", "--", "sh", "-c", script, "sh", "{}"];
    let (_, document) = json(&folder, &arguments);
    let groups = document["groups"].as_array().expect("a list");
    assert_eq!(groups.len(), 1, "{document:#}");
    assert_eq!(groups[0]["reason"], "all 4 tests have the text `/`, which no passing test has");
    assert_eq!(groups[0]["smallest"]["text"], "\\/");
}

#[test]
fn expectations_of_a_corpus_and_places() {
    let folder = folder("corpus");
    let corpus = concat!(
        "{\"text\":\"1\",\"expect\":\"accept\"}\n",
        "{\"text\":\"1+\",\"expect\":\"reject\",\"error\":{\"byte\":2,\"line\":1,\"column\":3}}\n",
        "{\"text\":\"+\"}\n",
    );
    std::fs::write(folder.join("c.ndjson"), corpus).expect("it can be written");
    let script = "read x < \"$1\" || :; case $x in *+) echo \"at 1:${#x}\"; exit 1;; esac";
    let arguments = [
        "run",
        "sum.gram",
        "--from",
        "c.ndjson",
        "--position",
        "at ([0-9]+):([0-9]+)",
        "--json",
        "--",
        "sh",
        "-c",
        script,
        "sh",
        "{}",
    ];
    let (code, document) = json(&folder, &arguments);
    assert_eq!(code, 1);
    assert_eq!(document["verdicts"]["pass"], 2, "{document:#}");
    assert_eq!(document["verdicts"]["wrong-place"], 1);
    let accepted = ["run", "sum.gram", "--from", "c.ndjson", "--json", "--", "cat", "{}"];
    let (_, document) = json(&folder, &accepted);
    assert_eq!(document["verdicts"]["accepted-negative"], 2, "{document:#}");
}

#[test]
fn every_verdict_has_its_cause() {
    let folder = folder("verdicts");
    let verdict = |more: &[&str], script: &str| -> String {
        let mut arguments = vec!["run", "sum.gram", "--kind", "positive", "-n", "1", "--json"];
        arguments.extend(more);
        arguments.extend(["--", "sh", "-c", script, "sh", "{}"]);
        let (_, document) = json(&folder, &arguments);
        let verdicts = document["verdicts"].as_object().expect("an object");
        let found =
            verdicts.iter().find(|(_, count)| **count == 1).expect("one test has a verdict");
        found.0.clone()
    };
    assert_eq!(verdict(&[], "cat $1"), "pass");
    assert_eq!(verdict(&[], "cat $1; exit 1"), "rejected-positive");
    assert_eq!(verdict(&["--accept-exit", "1"], "cat $1; exit 1"), "pass");
    assert_eq!(
        verdict(&["--accept-output", "no such"], "cat $1; echo no such table; exit 1"),
        "pass"
    );
    assert_eq!(verdict(&[], "cat $1; kill -SEGV $$"), "crash");
    assert_eq!(verdict(&[], "cat $1; echo 'x: runtime error: y'; exit 1"), "crash");
    assert_eq!(verdict(&["--reject-exit", "1"], "cat $1; exit 9"), "crash");
    assert_eq!(verdict(&["--timeout", "200ms"], "cat $1; sleep 9"), "hang");
    assert_eq!(verdict(&["--max-output", "1K"], "cat $1; yes"), "limit");
    assert_eq!(verdict(&[], "exit 1"), "broken");
    let counter = folder.join("counter");
    let flaky = format!("cat $1; [ -e {0} ] && exit 1; : > {0}; exit 0", counter.display());
    let allowed = ["--accept-exit", "1", "--reject-exit", "0", "--allow-writes", "."];
    assert_eq!(verdict(&allowed, &flaky), "flaky");
}

#[test]
fn bad_input_is_named() {
    let folder = folder("bad");
    let check = |arguments: &[&str], code: i32, message: &str| {
        let (seen, _, stderr) = run(&folder, arguments);
        assert_eq!(seen, code, "{arguments:?}: {stderr}");
        assert!(stderr.contains(message), "{arguments:?}: {stderr}");
    };
    check(&["run", "sum.gram", "--", "no-such-program", "{}"], 3, "there is no such program");
    check(&["run", "sum.gram", "--", "/etc/passwd", "{}"], 3, "it is not executable");
    check(&["run", "sum.gram"], 2, "name a program");
    check(&["run", "sum.gram", "--preset", "nothing"], 2, "there is no preset");
    check(
        &["run", "sum.gram", "--accept-output", "(", "--", "cat", "{}"],
        2,
        "is not a regular expression",
    );
    std::fs::write(folder.join("empty.ndjson"), "").expect("it can be written");
    check(
        &["run", "sum.gram", "--from", "empty.ndjson", "--", "cat", "{}"],
        2,
        "there are no tests",
    );
    check(&["run", "sum.gram", "--from", "nowhere", "--", "cat", "{}"], 2, "cannot read nowhere");
    std::fs::write(folder.join("other.gram"), "S := \"a\";").expect("it can be written");
    let mine = ["run", "sum.gram", "--kind", "positive", "--db", "a.db", "--", "cat", "{}"];
    assert_eq!(run(&folder, &mine).0, 0);
    check(&mine, 2, "is there already");
    check(
        &["run", "other.gram", "--db", "a.db", "--resume", "--", "cat", "{}"],
        2,
        "another campaign",
    );
    check(
        &[
            "run", "sum.gram", "--kind", "positive", "--db", "a.db", "--resume", "--", "cat", "-n",
            "{}",
        ],
        2,
        "its program is",
    );
    check(
        &["run", "sum.gram", "--db", "sum.gram", "--resume", "--", "cat", "{}"],
        2,
        "is not a database",
    );
    check(
        &["run", "sum.gram", "--db", "none.db", "--resume", "--", "cat", "{}"],
        2,
        "there is no database",
    );
    check(&["merge", "none.db", "-o", "all.db"], 2, "there is no database");
    check(&["diff", "sum.gram"], 2, "name programs");
    check(&["diff", "sum.gram", "--with", "cat"], 2, "name a second one");
    check(
        &["run", "sum.gram", "--report", "x.unknown", "--", "cat", "{}"],
        2,
        "does not tell a form",
    );
}

#[test]
fn two_campaigns_cannot_write_one_database() {
    let folder = folder("two");
    let slow = ["run", "sum.gram", "--db", "a.db", "--", "sh", "-c", "cat $1; sleep 2", "sh", "{}"];
    let mut first =
        gramercy(&folder, &slow).stdout(Stdio::null()).spawn().expect("gramercy starts");
    std::thread::sleep(Duration::from_millis(700));
    let mut again = slow.to_vec();
    again.insert(4, "--resume");
    let (code, _, stderr) = run(&folder, &again);
    assert_eq!(code, 2);
    assert!(stderr.contains("another campaign writes"), "{stderr}");
    let _ = first.kill();
    let _ = first.wait();
}

/// Kills a campaign at different moments, goes on each time, and compares with one that was never killed.
#[test]
fn a_killed_campaign_goes_on() {
    let folder = folder("killed");
    let script = "echo $1 >> /dev/null; cat $1; grep -q 2 $1 && exit 1; exit 0";
    let command = ["--", "sh", "-c", script, "sh", "{}"];
    let with =
        |start: &[&'static str]| -> Vec<&str> { start.iter().copied().chain(command).collect() };
    let (_, whole) = json(&folder, &with(&["run", "sum.gram", "--random", "150", "--json"]));
    let fresh = ["run", "sum.gram", "--random", "150", "--db", "k.db"];
    let resumed = ["run", "sum.gram", "--random", "150", "--db", "k.db", "--resume"];
    for round in 0..6u64 {
        let arguments = if folder.join("k.db").exists() { with(&resumed) } else { with(&fresh) };
        let mut child = gramercy(&folder, &arguments);
        let child = child.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let mut child = child.expect("gramercy starts");
        std::thread::sleep(Duration::from_millis(60 + 37 * round));
        let _ = child.kill();
        let _ = child.wait();
    }
    // On a busy machine, all kills may come before the file.
    let mut last = if folder.join("k.db").exists() { resumed.to_vec() } else { fresh.to_vec() };
    last.push("--json");
    let (code, document) = json(&folder, &with(&last));
    assert_eq!(code, 1);
    assert_eq!(document, whole);
}

#[test]
fn parts_join_to_the_whole() {
    let folder = folder("parts");
    let command = ["--", "sh", "-c", "cat $1; grep -q 2 $1 && exit 1; exit 0", "sh", "{}"];
    let with = |start: &[&str]| -> Vec<String> {
        start.iter().chain(&command).map(|word| (*word).to_owned()).collect()
    };
    let go = |arguments: &[String]| {
        let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
        run(&folder, &words)
    };
    let base = ["run", "sum.gram", "--random", "30", "--db"];
    go(&with(&[&base[..], &["whole.db"]].concat()));
    for part in 1..=3 {
        let (db, shard) = (format!("part-{part}.db"), format!("{part}/3"));
        go(&with(&[&base[..], &[&db, "--shard", &shard]].concat()));
    }
    let (code, whole) = json(&folder, &["merge", "whole.db", "--json"]);
    assert_eq!(code, 1);
    let (code, _, stderr) = run(&folder, &["merge", "part-1.db", "part-3.db", "-o", "all.db"]);
    assert_eq!(code, 1);
    assert!(stderr.contains("part 2/3 is missing"), "{stderr}");
    let again =
        ["merge", "part-2.db", "part-1.db", "part-1.db", "all.db", "-o", "all.db", "--json"];
    for _ in 0..2 {
        let (_, all) = json(&folder, &again);
        assert_eq!(all, whole);
    }
    go(&with(&["run", "sum.gram", "--random", "31", "--db", "other.db"]));
    let (code, _, stderr) = run(&folder, &["merge", "other.db", "-o", "all.db"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("another campaign"), "{stderr}");
}

/// Users copy the one file that they named: nothing may stay beside it.
#[test]
fn a_finished_database_is_one_file() {
    let folder = folder("one-file");
    let command = ["--", "sh", "-c", "cat $1; grep -q 2 $1 && exit 1; exit 0", "sh", "{}"];
    let start = ["run", "sum.gram", "--random", "30", "--db", "a.db", "--json"];
    let arguments: Vec<&str> = start.iter().chain(&command).copied().collect();
    let (_, whole) = json(&folder, &arguments);
    assert!(!folder.join("a.db-wal").exists() && !folder.join("a.db-shm").exists());
    std::fs::copy(folder.join("a.db"), folder.join("copy.db")).expect("it can be copied");
    assert_eq!(json(&folder, &["merge", "copy.db", "--json"]).1, whole);
    assert!(!folder.join("copy.db-wal").exists());
}

#[test]
fn programs_and_grammars_are_compared() {
    let folder = folder("diff");
    let no_two = "sh -c 'grep -v 2'";
    let arguments = [
        "diff", "sum.gram", "--kind", "positive", "--cover", "rule", "--with", "cat", "--with",
        no_two, "--json",
    ];
    let (code, document) = json(&folder, &arguments);
    assert_eq!(code, 1, "{document:#}");
    let group = &document["groups"][0];
    assert_eq!(group["smallest"]["text"], "2");
    assert_eq!(group["responses"]["cat"]["response"], "accept");
    assert_eq!(group["responses"][no_two]["response"], "reject");
    std::fs::write(folder.join("new.gram"), SUM.replace("\"2\"", "\"3\""))
        .expect("it can be written");
    let (code, document) = json(&folder, &["diff", "sum.gram", "new.gram", "--json"]);
    assert_eq!(code, 1);
    let kinds: Vec<&str> = document["changes"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|change| change["kind"].as_str())
        .collect();
    assert!(kinds.contains(&"accepted") && kinds.contains(&"rejected"), "{document:#}");
    let allowed = ["diff", "sum.gram", "new.gram", "--allow", "accepted", "--allow", "rejected"];
    assert_eq!(run(&folder, &allowed).0, 0);
}

#[test]
fn init_lets_run_work_alone() {
    let folder = folder("init");
    assert_eq!(run(&folder, &["init", "sum.gram", "--", "cat", "{}"]).0, 0);
    let (code, stdout, stderr) = run(&folder, &["run", "--kind", "positive"]);
    assert_eq!(code, 0, "{stderr}");
    // The program accepts everything, also what it must reject.
    assert_eq!(run(&folder, &["run"]).0, 1);
    assert!(stdout.contains("cat {}"), "{stdout}");
    assert_eq!(run(&folder, &["init", "sum.gram"]).0, 2);
}

#[test]
fn every_form_of_report_is_written() {
    let folder = folder("forms");
    let forms = ["r.html", "r.json", "r.xml", "r.md", "r.sarif", "r.tap", "r.txt"];
    let mut arguments = vec!["run", "sum.gram", "--kind", "positive", "--random", "20"];
    forms.iter().for_each(|form| arguments.extend(["--report", form]));
    arguments.extend(["--", "sh", "-c", "cat $1; grep -q 2 $1 && exit 1; exit 0", "sh", "{}"]);
    assert_eq!(run(&folder, &arguments).0, 1);
    let text = |name: &str| std::fs::read_to_string(folder.join(name)).expect("it was written");
    assert!(text("r.html").contains("<!DOCTYPE html>"));
    let sarif: Value = serde_json::from_str(&text("r.sarif")).expect("it is JSON");
    assert_eq!(sarif["runs"][0]["results"][0]["ruleId"], "rejected-positive");
    assert!(text("r.tap").starts_with("TAP version 13\n1..20\n"));
    assert_eq!(text("r.tap").lines().filter(|line| line.contains("ok ")).count(), 20);
    assert_eq!(text("r.xml").matches("<testcase ").count(), 20);
    assert!(text("r.md").contains("| rejected-positive |"));
}

/// Every command of the example workflows runs as it stands there, in four parts.
#[test]
fn the_workflows_of_the_guide_work() {
    let folder = folder("workflows");
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../guide/workflows");
    let grammar = "grammar G;\nsum : term ('+' term)* EOF;\nterm : '1' | '2';\n";
    std::fs::write(folder.join("grammar.g4"), grammar.replace(" G", " grammar")).expect("written");
    std::fs::write(folder.join("old.g4"), grammar.replace(" G", " old")).expect("written");
    let parser = folder.join("parser");
    std::fs::write(&parser, "#!/bin/sh\ngrep -qxE '[12]([+][12])*' \"$1\"\n").expect("written");
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&parser, executable).expect("it is ours");
    let bin = Path::new(env!("CARGO_BIN_EXE_gramercy")).parent().expect("it lies in a folder");
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
    let shell = |script: &str, part: u32| {
        let part = part.to_string();
        let mut command = Command::new("sh");
        command.current_dir(&folder).args(["-c", script]).stdin(Stdio::null()).env("PATH", &path);
        command.env("CI_NODE_INDEX", &part).env("CI_NODE_TOTAL", "4");
        command.env("SLURM_ARRAY_TASK_ID", &part).env("SLURM_ARRAY_TASK_COUNT", "4");
        let output = command.env("SLURM_ARRAY_TASK_MIN", "1").output().expect("sh starts");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    for name in ["github-actions.yml", "gitlab-ci.yml", "slurm.sh"] {
        let text = std::fs::read_to_string(guide.join(name)).expect("it is there");
        let lines = text.lines().map(|line| line.trim_start().trim_start_matches("- "));
        let lines: Vec<&str> = lines.filter(|line| line.starts_with("gramercy ")).collect();
        assert!(!lines.is_empty(), "{name}");
        let (runs, others): (Vec<&str>, Vec<&str>) =
            lines.iter().partition(|line| line.starts_with("gramercy run"));
        for part in 1..=4 {
            let run = match name {
                "slurm.sh" => text.clone(),
                _ => runs[0].replace("${{ matrix.part }}", &part.to_string()),
            };
            let (code, stderr) = shell(&run, part);
            assert_eq!(code, Some(0), "{name}: {run}\n{stderr}");
        }
        for line in others {
            let (code, stderr) = shell(line, 1);
            assert_eq!(code, Some(0), "{name}: {line}\n{stderr}");
        }
        let merged = shell("gramercy merge part-*.db -o merged.db", 1);
        assert_eq!(merged.0, Some(0), "{name}: {}", merged.1);
        for entry in std::fs::read_dir(&folder).expect("it is there").flatten() {
            if entry.path().extension().is_some_and(|extension| extension == "db") {
                std::fs::remove_file(entry.path()).expect("it is ours");
            }
        }
    }
}

/// Each preset against its program, where that is installed.
#[test]
fn presets_understand_their_programs() {
    use gramercy::campaign::presets::PRESETS;
    let folder = folder("presets");
    for preset in PRESETS {
        let line = |text: &str, expect: &str| {
            let text = Value::from(text);
            format!("{{\"text\":{text},\"expect\":\"{expect}\"}}\n")
        };
        let mut corpus = line(preset.accepted, "accept") + &line(preset.rejected, "reject");
        corpus.extend(preset.semantic.map(|text| line(text, "accept")));
        std::fs::write(folder.join("p.ndjson"), corpus).expect("it can be written");
        let arguments =
            ["run", "sum.gram", "--from", "p.ndjson", "--preset", preset.name, "--json"];
        let (code, stdout, stderr) = run(&folder, &arguments);
        if code == 3 && stderr.contains("there is no such program") {
            println!("skipped: {} is not installed", preset.command[0]);
            continue;
        }
        assert_eq!(code, 0, "{}: {stdout}{stderr}", preset.name);
    }
}

#[test]
fn a_campaign_is_localized_and_the_grammar_follows_the_program() {
    let folder = folder("localize");
    // The program refuses a 2, and everything else is right.
    let program = ["sh", "-c", "! grep -q 2 $1", "sh", "{}"];
    let campaign =
        ["run", "sum.gram", "--kind", "positive", "--cover", "rule", "--db", "a.db", "--"];
    let (code, ..) = run(&folder, &[&campaign[..], &program[..]].concat());
    assert_eq!(code, 1);
    let (code, document) = json(&folder, &["localize", "sum.gram", "--db", "a.db", "--json"]);
    assert_eq!((code, &document["ranking"][0]["rule"]), (0, &Value::from("Term")));
    let before = std::fs::read_to_string(folder.join("sum.gram")).expect("it is there");
    let repair = ["repair", "sum.gram", "--db", "a.db", "--json", "--apply"];
    let (code, document) = json(&folder, &repair);
    assert_eq!((code, &document["applied"]), (0, &Value::from(true)), "{document}");
    let after = std::fs::read_to_string(folder.join("sum.gram")).expect("it is there");
    assert_eq!(after, before.replace("\"2\" | ", ""));
    let (code, _, stderr) = run(&folder, &["localize", "sum.gram", "--db", "a.db", "--group", "9"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("has no group 9"), "{stderr}");
}

#[test]
fn a_patch_that_is_applied_keeps_comments_and_layout() {
    let folder = folder("applied");
    let grammar = "// A list.\ngrammar list;\n\nlist // the start\n    : '[' item (',' item)* ']' EOF // no trailing comma\n    ;\n\
        item: NUM ; /* one\n  line */\nNUM : [0-9]+ ;\n";
    std::fs::write(folder.join("list.g4"), grammar).expect("it can be written");
    std::fs::write(folder.join("empty.txt"), "[]").expect("it can be written");
    std::fs::write(folder.join("good.txt"), "[1,2]").expect("it can be written");
    let arguments =
        ["repair", "list.g4", "--failing", "empty.txt", "--passing", "good.txt", "--apply"];
    let (code, stdout, stderr) = run(&folder, &arguments);
    assert_eq!(code, 0, "{stdout}{stderr}");
    let after = std::fs::read_to_string(folder.join("list.g4")).expect("it is there");
    assert_eq!(after, grammar.replace("'[' item (", "'[' item? ("));
}

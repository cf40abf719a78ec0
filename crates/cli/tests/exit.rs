//! How the binary ends when its output goes nowhere, or when it is interrupted.

use std::process::{Command, Output, Stdio};

fn run_into(stdout: Stdio, arguments: &[&str]) -> Output {
    #[expect(clippy::disallowed_methods, reason = "the binary under test")]
    let mut command = Command::new(env!("CARGO_BIN_EXE_gramercy"));
    command.args(arguments).stdout(stdout).stderr(Stdio::piped());
    command.output().expect("the binary starts")
}

fn completions_into(stdout: Stdio) -> Output {
    run_into(stdout, &["completions", "bash"])
}

#[test]
fn a_closed_pipe_is_quiet_success() {
    let (reader, writer) = std::io::pipe().expect("there are pipes");
    drop(reader);
    let output = completions_into(writer.into());
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_limit_of_the_machine() {
    let full = std::fs::File::create("/dev/full").expect("Linux has such a file");
    let output = completions_into(full.into());
    assert_eq!(output.status.code(), Some(3));
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(message.starts_with("error[unwritable]: cannot write the output"), "{message}");
}

/// A suite in every form that is one stream, to standard output and to a file; and a table of coverage.
#[cfg(target_os = "linux")]
#[test]
fn a_suite_does_not_go_to_a_full_disk() {
    let grammar = gramercy_testkit::examples().join("json.gram").display().to_string();
    let check = |stdout: Stdio, arguments: &[&str]| {
        let output = run_into(stdout, &[&["generate", &grammar], arguments].concat());
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(3), "{arguments:?}: {message}");
        assert!(message.starts_with("error[unwritable]: cannot write"), "{arguments:?}: {message}");
    };
    for format in ["lines", "nul", "ndjson", "tree-sitter", "pytest", "rust"] {
        let full = std::fs::File::create("/dev/full").expect("Linux has such a file");
        check(full.into(), &["--format", format]);
        check(Stdio::null(), &["--format", format, "-o", "/dev/full"]);
    }
    check(Stdio::null(), &["--csv", "/dev/full"]);
    check(Stdio::null(), &["--manifest", "/dev/full"]);
}

/// Whether a process has a handler for a signal, as Linux tells it.
#[cfg(target_os = "linux")]
fn catches(process: u32, signal: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let mask = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_has_its_own_exit_code() {
    const INTERRUPT: u32 = 2;
    #[expect(clippy::disallowed_methods, reason = "the binary under test")]
    let mut command = Command::new(env!("CARGO_BIN_EXE_gramercy"));
    command.args(["stats", "/dev/stdin", "--notation", "native"]).stdin(Stdio::piped());
    let mut process = command.stdout(Stdio::piped()).spawn().expect("the binary starts");
    // It waits for its input, which does not end before this.
    let input = process.stdin.take();
    while !catches(process.id(), INTERRUPT) {
        assert!(process.try_wait().expect("a process").is_none(), "it waits");
        std::thread::yield_now();
    }
    #[expect(clippy::disallowed_methods, reason = "a signal for the binary under test")]
    let mut kill = Command::new("kill");
    let killed = kill.args(["-INT", &process.id().to_string()]).status().expect("a signal");
    assert!(killed.success());
    let status = process.wait().expect("it ends");
    drop(input);
    assert_eq!(status.code(), Some(130));
}

#[cfg(target_os = "linux")]
mod interrupted {
    use std::io::{BufRead, BufReader, Read};
    use std::path::Path;
    use std::process::{Child, Command, Stdio};

    use gramercy_testkit::Folder;

    fn start(arguments: &[&str]) -> Child {
        #[expect(clippy::disallowed_methods, reason = "the binary under test")]
        let mut command = Command::new(env!("CARGO_BIN_EXE_gramercy"));
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().expect("the binary starts")
    }

    fn interrupt(process: &Child) {
        #[expect(clippy::disallowed_methods, reason = "a signal for the binary under test")]
        let mut kill = Command::new("kill");
        let killed = kill.args(["-INT", &process.id().to_string()]).status().expect("a signal");
        assert!(killed.success());
    }

    fn example(name: &str) -> String {
        gramercy_testkit::examples().join(name).display().to_string()
    }

    /// What is printed until Ctrl-C comes are whole tests, the same as without it.
    #[test]
    fn a_suite_ends_behind_a_test() {
        let grammar = example("json.gram");
        let suite = ["generate", &grammar, "--fall-over", "100000000", "--format", "ndjson"];
        let mut process = start(&suite);
        let mut out = BufReader::new(process.stdout.take().expect("a pipe"));
        let mut text = String::new();
        out.read_line(&mut text).expect("a first test");
        interrupt(&process);
        out.read_to_string(&mut text).expect("the rest is text");
        let status = process.wait().expect("it ends");
        assert_eq!(status.code(), Some(130));
        assert!(text.ends_with("}\n"), "the last test is whole");
        let ids: Vec<u64> = text.lines().map(id).collect();
        assert_eq!(ids, (1..=ids.len() as u64).collect::<Vec<_>>());
    }

    fn id(line: &str) -> u64 {
        let (_, rest) = line.split_once("\"id\":").expect("a test");
        let digits = rest.find(|c: char| !c.is_ascii_digit()).expect("more members");
        assert!(line.ends_with('}'), "{line}");
        rest[..digits].parse().expect("a number")
    }

    fn tests_in(folder: &Path) -> usize {
        let entries =
            std::fs::read_dir(folder).map(|entries| entries.flatten().collect::<Vec<_>>());
        let is_test =
            |entry: &std::fs::DirEntry| entry.file_name().to_string_lossy().starts_with("accept-");
        entries.map_or(0, |entries| entries.iter().filter(|entry| is_test(entry)).count())
    }

    /// The manifest describes the tests that are there, and recreates them.
    #[test]
    fn a_folder_keeps_what_was_made() {
        let (folder, grammar) = (Folder::new("interrupted-suite"), example("json.gram"));
        let path = folder.path().display().to_string();
        let mut process = start(&["generate", &grammar, "--fall-over", "100000000", "-o", &path]);
        while tests_in(folder.path()) < 10 {
            assert!(process.try_wait().expect("a process").is_none(), "it goes on");
            std::thread::yield_now();
        }
        interrupt(&process);
        assert_eq!(process.wait().expect("it ends").code(), Some(130));
        let manifest = folder.path().join("suite.json").display().to_string();
        let again = start(&["generate", &grammar, "--from", &manifest, "--count"]);
        let output = again.wait_with_output().expect("it ends");
        let count = String::from_utf8_lossy(&output.stdout).replace([',', '\n'], "");
        assert_eq!(count, tests_in(folder.path()).to_string());
    }

    /// What was measured until then is told, and that it is not all.
    #[test]
    fn a_measurement_tells_how_far_it_came() {
        let folder = Folder::new("interrupted-corpus");
        let corpus = folder.file("inputs.ndjson", "{\"text\":\"[1]\"}\n".repeat(2_000_000));
        let (path, csv) = (corpus.display().to_string(), folder.path().join("rows.csv"));
        let table = csv.display().to_string();
        let grammar = example("json.gram");
        let process =
            start(&["measure", &grammar, &path, "--cover", "rule", "--jobs=1", "--csv", &table]);
        // Rows are written in blocks, so some inputs are measured when the file is not empty.
        while std::fs::metadata(&csv).map_or(0, |file| file.len()) == 0 {
            std::thread::yield_now();
        }
        interrupt(&process);
        let output = process.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(130));
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(told.contains("interrupted: only the first"), "{told}");
        assert!(String::from_utf8_lossy(&output.stdout).contains("rule"), "the figures are there");
    }
}

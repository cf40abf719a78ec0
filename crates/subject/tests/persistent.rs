//! Long-lived programs: the example harnesses of the guide, and programs that break the protocol.
#![expect(clippy::print_stdout, reason = "what is skipped is said")]

use std::path::{Path, PathBuf};
use std::time::Duration;

use gramercy_subject::{
    Delivery, End, Launched, LauncherCommand, Observation, Program, Subject, WasRead,
};

fn observe(command: &[&str], tests: &[&[u8]]) -> Vec<Observation> {
    // Interpreters take their time to start on a busy machine.
    observe_within(Duration::from_secs(60), command, tests)
}

fn observe_within(time: Duration, command: &[&str], tests: &[&[u8]]) -> Vec<Observation> {
    let launcher = LauncherCommand::new(env!("CARGO_BIN_EXE_gramercy-launcher"));
    let mut program = Program::new(command.iter().map(|word| (*word).to_owned()).collect());
    program.delivery = Delivery::Persistent;
    program.bounds.time = time;
    let mut subject = Launched::new(launcher, program).expect("the launcher starts");
    let mut seen = Vec::new();
    subject.observe(tests, &mut seen).expect("the program starts");
    seen
}

fn ends(command: &[&str], tests: &[&[u8]]) -> Vec<End> {
    observe(command, tests).into_iter().map(|seen| seen.end).collect()
}

fn harness(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../guide/harnesses").join(name)
}

#[expect(clippy::disallowed_methods, reason = "tests look for the programs that they run")]
fn is_there(program: &str) -> bool {
    let found = std::process::Command::new(program).arg("--version").output().is_ok();
    if !found {
        println!("skipped: there is no {program}");
    }
    found
}

#[expect(clippy::disallowed_methods, reason = "tests compile the programs that they run")]
fn compiled(compiler: &str, name: &str) -> Option<PathBuf> {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.bin"));
    let built =
        std::process::Command::new(compiler).arg(harness(name)).arg("-o").arg(&target).status();
    let built = built.is_ok_and(|status| status.success());
    if !built {
        println!("skipped: there is no {compiler}");
    }
    built.then_some(target)
}

const BOTH: [End; 4] = [End::Accepted, End::Rejected, End::Accepted, End::Rejected];

#[test]
fn the_example_harnesses_work() {
    for (interpreter, name) in [("python3", "harness.py"), ("node", "harness.js")] {
        if is_there(interpreter) {
            let path = harness(name);
            let command = [interpreter, path.to_str().expect("it is UTF-8")];
            assert_eq!(ends(&command, &[b"[1]", b"[1", b"{}", b""]), BOTH, "{name}");
        }
    }
    for (compiler, name) in [("cc", "harness.c"), ("rustc", "harness.rs")] {
        if let Some(program) = compiled(compiler, name) {
            let command = [program.to_str().expect("it is UTF-8")];
            assert_eq!(ends(&command, &[b"(", b")", b"1", b""]), BOTH, "{name}");
        }
    }
}

#[test]
fn the_example_harnesses_are_short() {
    for name in ["harness.py", "harness.c", "harness.rs", "harness.js"] {
        let text = std::fs::read_to_string(harness(name)).expect("it is there");
        assert!(text.lines().count() <= 25, "{name}");
    }
}

/// A harness in Python whose body decides what to do with `test`.
fn python(body: &str) -> Vec<Observation> {
    let code = format!(
        "import sys, os, time\ni, o = sys.stdin.buffer, sys.stdout.buffer\n\
         while h := i.read(4):\n    test = i.read(int.from_bytes(h, 'little'))\n{body}\n    o.write(b'accept\\n'); o.flush()\n"
    );
    observe(&["python3", "-c", &code], &[b"1", b"x", b"2", b"3"])
}

#[expect(clippy::needless_pass_by_value, reason = "cases read better with values")]
fn check(body: &str, expected: [End; 4]) {
    if is_there("python3") {
        let seen = python(body);
        let ends: Vec<End> = seen.iter().map(|seen| seen.end.clone()).collect();
        assert_eq!(ends, expected, "{body}");
    }
}

#[test]
fn the_test_without_an_answer_is_to_blame() {
    let with = |end: End| [End::Accepted, end, End::Accepted, End::Accepted];
    check("    if test == b'x': os.abort()", with(End::Signal(6)));
    check("    if test == b'x': os._exit(7)", with(End::Exit(7)));
    check("    if test == b'x': o.write(b'what?\\n'); o.flush(); continue", with(End::BadAnswer));
    check("    if test == b'x': os.close(1); time.sleep(100)", with(End::BadAnswer));
}

#[test]
fn a_program_that_never_reads_is_seen() {
    let seen = observe(&["false"], &[b"1", b"2"]);
    assert_eq!(seen.len(), 2);
    assert!(
        seen.iter().all(|seen| seen.end == End::Exit(1) && seen.read == WasRead::No),
        "{seen:?}"
    );
}

#[test]
fn a_program_may_end_between_tests() {
    let ends = |seen: Vec<Observation>| seen.into_iter().map(|seen| seen.end).collect::<Vec<_>>();
    if is_there("python3") {
        let code = "import sys\ni = sys.stdin.buffer.raw\nn = int.from_bytes(i.read(4), 'little')\ni.read(n)\nprint('accept')";
        let seen = ends(observe(&["python3", "-c", code], &[b"1"]));
        assert_eq!(seen, [End::Accepted]);
    }
}

#[test]
fn silence_is_a_hang() {
    let script = "head -c 5 > /dev/null; echo accept; exec sleep 100";
    let seen = observe_within(Duration::from_secs(2), &["sh", "-c", script], &[b"1", b"2"]);
    let ends: Vec<End> = seen.into_iter().map(|seen| seen.end).collect();
    assert_eq!(ends[0], End::Accepted);
    assert_eq!(ends[1], End::TimedOut);
}

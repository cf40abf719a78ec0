//! How the binary ends when its output goes nowhere, or when it is interrupted.

use std::process::{Command, Output, Stdio};

fn completions_into(stdout: Stdio) -> Output {
    #[expect(clippy::disallowed_methods, reason = "the binary under test")]
    let mut command = Command::new(env!("CARGO_BIN_EXE_gramercy"));
    command.args(["completions", "bash"]).stdout(stdout).stderr(Stdio::piped());
    command.output().expect("the binary starts")
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

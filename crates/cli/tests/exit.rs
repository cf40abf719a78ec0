//! How the binary ends when its output goes nowhere.

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

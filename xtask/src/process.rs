//! The one place where chores start programs. They run at the root of the checkout.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A chore fails with a sentence.
pub(crate) type Fallible<T = ()> = Result<T, String>;

/// The root of the checkout.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().expect("invariant: xtask lies at the root").to_path_buf()
}

#[expect(clippy::disallowed_methods, reason = "chores start programs here and nowhere else")]
fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root());
    command
}

/// Runs a program that talks to the developer itself.
pub(crate) fn run(program: &str, arguments: &[&str]) -> Fallible {
    let mut command = command(program);
    command.args(arguments);
    finish(command)
}

/// Runs a program for what it prints.
pub(crate) fn output(program: &str, arguments: &[&str]) -> Fallible<String> {
    let mut command = command(program);
    command.args(arguments).stderr(Stdio::inherit());
    let output = command.output().map_err(|error| format!("cannot start {program}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{command:?}: {}", output.status));
    }
    String::from_utf8(output.stdout).map_err(|error| format!("{program}: {error}"))
}

fn finish(mut command: Command) -> Fallible {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{command:?}: {status}")),
        Err(error) => Err(format!("{command:?}: {error}")),
    }
}

/// A call of the cargo that built this program.
pub(crate) struct Cargo(Command);

impl Cargo {
    /// The program's path.
    pub(crate) fn path() -> &'static str {
        env!("CARGO")
    }

    /// Whether a subcommand is installed.
    pub(crate) fn has(subcommand: &str) -> bool {
        let mut command = command(Self::path());
        command.args([subcommand, "--version"]).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    }

    /// A call with these arguments.
    pub(crate) fn new<const N: usize>(arguments: [&str; N]) -> Self {
        let mut command = command(Self::path());
        command.args(arguments);
        Self(command)
    }

    /// More arguments.
    pub(crate) fn with(mut self, arguments: &[String]) -> Self {
        self.0.args(arguments);
        self
    }

    /// A variable of the environment.
    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.0.env(name, value);
        self
    }

    /// Runs it.
    pub(crate) fn run(self) -> Fallible {
        finish(self.0)
    }
}

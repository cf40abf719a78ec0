//! The one place where chores start programs. They run at the root of the checkout.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::form::Form;

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

/// The folder for everything that is built.
pub(crate) fn target() -> Fallible<PathBuf> {
    let arguments = ["metadata", "--format-version", "1", "--no-deps", "--locked"];
    let metadata = output(Cargo::path(), &arguments)?;
    let metadata: Value = serde_json::from_str(&metadata).map_err(|error| error.to_string())?;
    let folder = metadata["target_directory"].as_str();
    folder.map(PathBuf::from).ok_or_else(|| "cargo names no target directory".into())
}

/// How our programs are built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    /// As for tests.
    Dev,
    /// As for users.
    Release,
}

impl Profile {
    /// That for a form of a proof: short ones use what the tests have built.
    pub(crate) fn of(form: Form) -> Self {
        match form {
            Form::Short => Profile::Dev,
            Form::Full => Profile::Release,
        }
    }

    /// What cargo is told.
    pub(crate) fn flags(self) -> &'static [&'static str] {
        match self {
            Profile::Dev => &[],
            Profile::Release => &["--release"],
        }
    }

    /// Where programs are put.
    pub(crate) fn folder(self) -> &'static str {
        match self {
            Profile::Dev => "debug",
            Profile::Release => "release",
        }
    }
}

/// A call of a program for what it prints, however it ends.
pub(crate) struct Call(Command);

/// What a program printed, and how it ended.
pub(crate) struct Output {
    /// The exit code; `None` if a signal ended it.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// From start to end.
    pub(crate) time: Duration,
}

impl Call {
    /// A call without arguments.
    pub(crate) fn new(program: impl AsRef<OsStr>) -> Self {
        Self(command(program))
    }

    /// One more argument.
    pub(crate) fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.0.arg(argument);
        self
    }

    /// More arguments.
    pub(crate) fn args(mut self, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Self {
        self.0.args(arguments);
        self
    }

    /// Another call, as arguments: this program runs that one.
    pub(crate) fn call(mut self, other: &Call) -> Self {
        self.0.arg(other.0.get_program()).args(other.0.get_args());
        self
    }

    /// A variable of the environment.
    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.0.env(name, value);
        self
    }

    /// Runs it.
    pub(crate) fn finish(mut self) -> Fallible<Output> {
        let begin = Instant::now();
        let output = self.0.output();
        let time = begin.elapsed();
        let output = output.map_err(|error| format!("{:?}: {error}", self.0))?;
        Ok(Output {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            time,
        })
    }
}

impl Output {
    /// What was printed, if the program says that all went well; else the first lines of complaint.
    pub(crate) fn success(self) -> Fallible<String> {
        const SHOWN: usize = 12;
        if self.code == Some(0) {
            return Ok(self.stdout);
        }
        Err(self.stderr.lines().take(SHOWN).collect::<Vec<_>>().join("\n"))
    }
}

/// Runs a program for what it prints.
pub(crate) fn output(program: &str, arguments: &[&str]) -> Fallible<String> {
    let mut command = command(program);
    command.args(arguments);
    printed(command)
}

fn printed(mut command: Command) -> Fallible<String> {
    command.stderr(Stdio::inherit());
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{command:?}: {}", output.status));
    }
    String::from_utf8(output.stdout).map_err(|error| format!("{command:?}: {error}"))
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
    pub(crate) fn with(mut self, arguments: &[impl AsRef<OsStr>]) -> Self {
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

    /// Runs it for what it prints.
    pub(crate) fn output(self) -> Fallible<String> {
        printed(self.0)
    }
}

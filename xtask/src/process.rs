//! The only module that starts programs. They run at the root of the checkout.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::extent::Extent;

/// The result of a chore, which fails with a message.
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

/// Runs a program with the terminal's input and output.
pub(crate) fn run(program: &str, arguments: &[&str]) -> Fallible {
    let mut command = command(program);
    command.args(arguments);
    finish(command)
}

/// The target folder.
pub(crate) fn target() -> Fallible<PathBuf> {
    let arguments = ["metadata", "--format-version", "1", "--no-deps", "--locked"];
    let metadata = output(Cargo::path(), &arguments)?;
    let metadata: Value = serde_json::from_str(&metadata).map_err(|error| error.to_string())?;
    let folder = metadata["target_directory"].as_str();
    folder.map(PathBuf::from).ok_or_else(|| "cargo names no target directory".into())
}

/// The build profile of our programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    /// As for tests.
    Dev,
    /// As for users.
    Release,
}

impl Profile {
    /// The profile for an extent: short ones use the build of the tests.
    pub(crate) fn of(extent: Extent) -> Self {
        match extent {
            Extent::Short => Profile::Dev,
            Extent::Full => Profile::Release,
        }
    }

    /// The arguments for cargo.
    pub(crate) fn flags(self) -> &'static [&'static str] {
        match self {
            Profile::Dev => &[],
            Profile::Release => &["--release"],
        }
    }

    /// The folder of the programs.
    pub(crate) fn folder(self) -> &'static str {
        match self {
            Profile::Dev => "debug",
            Profile::Release => "release",
        }
    }
}

/// A call of a program whose output is captured, whatever its exit code.
pub(crate) struct Call(Command);

/// The output and exit code of a program.
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

    /// Adds an argument.
    pub(crate) fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.0.arg(argument);
        self
    }

    /// Adds arguments.
    pub(crate) fn args(mut self, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Self {
        self.0.args(arguments);
        self
    }

    /// Adds another call as arguments: this program runs that one.
    pub(crate) fn call(mut self, other: &Call) -> Self {
        self.0.arg(other.0.get_program()).args(other.0.get_args());
        self
    }

    /// Sets a variable of the environment.
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
    /// The output if the program succeeded; otherwise the first lines of its errors.
    pub(crate) fn success(self) -> Fallible<String> {
        const SHOWN: usize = 12;
        if self.code == Some(0) {
            return Ok(self.stdout);
        }
        Err(self.stderr.lines().take(SHOWN).collect::<Vec<_>>().join("\n"))
    }
}

/// Runs a program and returns its output.
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

    /// Adds arguments.
    pub(crate) fn with(mut self, arguments: &[impl AsRef<OsStr>]) -> Self {
        self.0.args(arguments);
        self
    }

    /// Sets a variable of the environment.
    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.0.env(name, value);
        self
    }

    /// Runs it.
    pub(crate) fn run(self) -> Fallible {
        finish(self.0)
    }

    /// Runs it and returns its output.
    pub(crate) fn output(self) -> Fallible<String> {
        printed(self.0)
    }
}

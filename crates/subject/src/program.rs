//! What is run: a command, how a test reaches it, and the bounds within which it runs.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Stands for the test in a command.
pub const PLACEHOLDER: &str = "{}";

/// A program under test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// The program and its arguments. Depending on the delivery, `{}` stands for a file or for the test itself.
    pub command: Vec<String>,
    /// How a test reaches the program.
    pub delivery: Delivery,
    /// Where the program runs.
    pub directory: WorkDirectory,
    /// Environment variables that are set beside the runner's own.
    pub environment: Vec<(String, String)>,
    /// What the program may use.
    pub bounds: Bounds,
    /// What the program may reach.
    pub isolation: Isolation,
}

impl Program {
    /// A program with the usual bounds. A command with `{}` gets a file, any other one gets the test on standard
    /// input.
    #[must_use]
    pub fn new(command: Vec<String>) -> Self {
        let is_file = command.iter().any(|word| word.contains(PLACEHOLDER));
        let delivery = match is_file {
            true => Delivery::File { extension: "txt".to_owned() },
            false => Delivery::Stdin,
        };
        Self {
            command,
            delivery,
            directory: WorkDirectory::Current,
            environment: Vec::new(),
            bounds: Bounds::default(),
            isolation: Isolation::default(),
        }
    }
}

/// How a test reaches a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Delivery {
    /// As a file with this extension, whose path stands for `{}`.
    File {
        /// Without a period; may be empty.
        extension: String,
    },
    /// On standard input.
    Stdin,
    /// As an argument that stands for `{}`.
    Argument,
    /// One after the other to one long-lived process; see [`harness`](crate::harness).
    Persistent,
}

/// Where a program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WorkDirectory {
    /// In the directory in which the runner was started.
    Current,
    /// In the temporary directory of the test.
    Temporary,
}

/// What a program may use for one test. A value of `None` means that there is no bound.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds {
    /// Time by the clock on the wall.
    pub time: Duration,
    /// Processor time of one process, rounded up to seconds.
    pub cpu: Option<Duration>,
    /// Resident memory of all its processes, in bytes.
    pub memory: Option<u64>,
    /// Bytes written to standard output and standard error together.
    pub output: u64,
    /// Bytes of one file.
    pub file: Option<u64>,
    /// Bytes in the temporary directory.
    pub disk: Option<u64>,
    /// Processes at the same time.
    pub processes: Option<u64>,
    /// Bytes of each output stream that are kept; the rest is counted only.
    pub kept_output: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            time: Duration::from_secs(10),
            cpu: None,
            memory: Some(2 << 30),
            output: 16 << 20,
            file: Some(256 << 20),
            disk: Some(512 << 20),
            processes: Some(64),
            kept_output: 16 << 10,
        }
    }
}

/// What a program may reach.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Isolation {
    /// Whether there is a sandbox at all.
    pub is_sandboxed: bool,
    /// Directories, beside the temporary one, that it may write to.
    pub allow_writes: Vec<PathBuf>,
    /// Whether it may use the network.
    pub allow_network: bool,
}

impl Default for Isolation {
    fn default() -> Self {
        Self { is_sandboxed: true, allow_writes: Vec::new(), allow_network: false }
    }
}

/// What the sandbox really does on this machine. A part that does nothing has a reason.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SandboxReport {
    /// Why writes outside of the temporary directory are not refused, if they are not.
    pub writes_open: Option<String>,
    /// Why the network is not refused, if it is not.
    pub network_open: Option<String>,
    /// Why signals to other processes are not refused, if they are not.
    pub signals_open: Option<String>,
    /// Why the number of processes is only watched, and not bounded by the kernel, if it is not.
    #[serde(default)]
    pub processes_watched: Option<String>,
}

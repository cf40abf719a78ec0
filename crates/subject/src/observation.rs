//! What was seen of one run of a program: how it ended, what it wrote and how long it took.

use std::time::Duration;

/// What was seen of a program that was given one test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// How it ended.
    pub end: End,
    /// The beginning of its standard output; of a long-lived program, the message of its answer.
    pub stdout: Vec<u8>,
    /// The beginning of its standard error.
    pub stderr: Vec<u8>,
    /// Whether it wrote more than was kept.
    pub is_cut: bool,
    /// Whether it looked at the test.
    pub read: WasRead,
    /// How long it took.
    pub time: Duration,
}

impl Observation {
    /// An observation without any output.
    #[must_use]
    pub fn of(end: End) -> Self {
        Self {
            end,
            stdout: Vec::new(),
            stderr: Vec::new(),
            is_cut: false,
            read: WasRead::Unknown,
            time: Duration::ZERO,
        }
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// With this exit code.
    Exit(i32),
    /// By this signal, which the runner did not send.
    Signal(i32),
    /// A long-lived program accepted the test.
    Accepted,
    /// A long-lived program rejected the test.
    Rejected,
    /// A long-lived program answered something else, or closed its output without an answer.
    BadAnswer,
    /// It did not end, or did not answer, in time.
    TimedOut,
    /// It used more of a resource than it may, and was ended.
    Exceeded(Resource),
    /// The test cannot be handed over in this way; why.
    Undeliverable(String),
    /// It ended the launcher that watched it.
    Escaped,
}

/// What a program can use too much of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    /// Processor time.
    Cpu,
    /// Memory.
    Memory,
    /// Output.
    Output,
    /// The size of one file.
    File,
    /// Space in the temporary directory.
    Disk,
    /// Processes.
    Processes,
}

impl Resource {
    /// All resources.
    pub const ALL: [Self; 6] =
        [Self::Cpu, Self::Memory, Self::Output, Self::File, Self::Disk, Self::Processes];

    /// Its name in messages.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Cpu => "processor time",
            Self::Memory => "memory",
            Self::Output => "output",
            Self::File => "file size",
            Self::Disk => "disk space",
            Self::Processes => "processes",
        }
    }
}

/// Whether a program looked at its test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WasRead {
    /// It did.
    Yes,
    /// It did not.
    No,
    /// That cannot be seen: the test is empty or an argument, or the file system does not keep times of access.
    Unknown,
}

/// The name of a signal on Linux.
#[must_use]
pub fn signal_name(signal: i32) -> String {
    const NAMES: [&str; 32] = [
        "",
        "SIGHUP",
        "SIGINT",
        "SIGQUIT",
        "SIGILL",
        "SIGTRAP",
        "SIGABRT",
        "SIGBUS",
        "SIGFPE",
        "SIGKILL",
        "SIGUSR1",
        "SIGSEGV",
        "SIGUSR2",
        "SIGPIPE",
        "SIGALRM",
        "SIGTERM",
        "SIGSTKFLT",
        "SIGCHLD",
        "SIGCONT",
        "SIGSTOP",
        "SIGTSTP",
        "SIGTTIN",
        "SIGTTOU",
        "SIGURG",
        "SIGXCPU",
        "SIGXFSZ",
        "SIGVTALRM",
        "SIGPROF",
        "SIGWINCH",
        "SIGIO",
        "SIGPWR",
        "SIGSYS",
    ];
    let name = usize::try_from(signal).ok().and_then(|number| NAMES.get(number));
    name.filter(|name| !name.is_empty()).map_or(format!("signal {signal}"), ToString::to_string)
}

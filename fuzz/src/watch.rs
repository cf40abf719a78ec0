//! Watches a worker: its output, its silence, and its memory.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use crate::Fallible;

/// The interval between measurements of time and memory.
const TICK: Duration = Duration::from_millis(20);
/// Linux counts the time of processes in hundredths of a second.
const CLOCK: Duration = Duration::from_millis(10);

/// The limits of a worker.
#[derive(Clone, Copy)]
pub(crate) struct Bounds {
    /// The maximal CPU time between two lines; if it is unknown, the maximal silence.
    pub(crate) time: Duration,
    /// The maximal memory in kilobytes; only watched if it is known.
    pub(crate) memory: u64,
    /// The end of the worker's time.
    pub(crate) until: Option<Instant>,
}

/// The end of a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// It finished, or its time is over.
    Fine,
    /// It failed, with a message that is the same for the same failure.
    Failed(String),
}

/// The observations of a worker.
pub(crate) struct Seen {
    /// How it ended.
    pub(crate) end: End,
    /// Its last line.
    pub(crate) last: Option<String>,
    /// Its peak memory in kilobytes.
    pub(crate) memory: u64,
}

/// Starts a worker with these arguments and watches it to its end.
pub(crate) fn watch(arguments: &[&str], bounds: Bounds) -> Fallible<Seen> {
    let mut child = start(arguments).map_err(|error| format!("cannot start a worker: {error}"))?;
    let lines = lines_of(&mut child);
    let errors = errors_of(&mut child);
    let mut seen = Seen { end: End::Fine, last: None, memory: 0 };
    let mut last_change = Usage::of(&child);
    let mut looked = Instant::now();
    let stopped = loop {
        let silent = match lines.recv_timeout(TICK) {
            Ok(line) => {
                seen.last = Some(line);
                false
            }
            Err(RecvTimeoutError::Timeout) => true,
            Err(RecvTimeoutError::Disconnected) => break None,
        };
        if !silent && looked.elapsed() < TICK {
            continue;
        }
        looked = Instant::now();
        let usage = Usage::of(&child);
        seen.memory = seen.memory.max(usage.memory);
        if !silent {
            last_change = usage;
        }
        if bounds.until.is_some_and(|until| Instant::now() >= until) {
            break Some(End::Fine);
        }
        if usage.memory > bounds.memory {
            break Some(End::Failed(format!("it takes more than {} MB", bounds.memory >> 10)));
        }
        if usage.time.saturating_sub(last_change.time) > bounds.time {
            break Some(End::Failed(format!("it takes more than {:?}", bounds.time)));
        }
    };
    if stopped.is_some() {
        // It may have ended in the meantime.
        let _ = child.kill();
    }
    let status = child.wait().map_err(|error| format!("cannot wait for a worker: {error}"))?;
    let errors = errors.join().unwrap_or_default();
    seen.end = match stopped {
        Some(end) => end,
        None if status.success() => End::Fine,
        None => End::Failed(reason(&errors, seen.last.as_deref(), &status.to_string())),
    };
    Ok(seen)
}

#[expect(clippy::disallowed_methods, reason = "the fuzzer starts itself, here and nowhere else")]
fn start(arguments: &[&str]) -> std::io::Result<Child> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("worker").args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()
}

fn lines_of(child: &mut Child) -> mpsc::Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    let output = child.stdout.take().expect("invariant: it is piped");
    std::thread::spawn(move || {
        let lines = BufReader::new(output).lines().map_while(Result::ok);
        lines.for_each(|line| drop(sender.send(line)));
    });
    receiver
}

fn errors_of(child: &mut Child) -> std::thread::JoinHandle<String> {
    let mut output = child.stderr.take().expect("invariant: it is piped");
    std::thread::spawn(move || {
        let mut text = Vec::new();
        // A line that cannot be read any more is not needed.
        let _ = output.read_to_end(&mut text);
        String::from_utf8_lossy(&text).into_owned()
    })
}

/// The position of a panic and its message, or how the process ended.
fn reason(errors: &str, last: Option<&str>, status: &str) -> String {
    let mut lines = errors.lines().skip_while(|line| !line.contains("panicked at"));
    if let Some(place) = lines.next() {
        let place = place.split_once("panicked at ").map_or(place, |split| split.1);
        let message: String = lines.next().unwrap_or_default().chars().take(300).collect();
        return format!("panic at {place} {message}");
    }
    if errors.contains("overflowed its stack") {
        return "it overflowed its stack".into();
    }
    let last = last.filter(|line| line.contains(' ')).unwrap_or_default();
    format!("{status} {last}")
}

/// The resources that a process has used.
#[derive(Clone, Copy)]
struct Usage {
    /// CPU time, or else wall-clock time.
    time: Duration,
    /// The peak memory in kilobytes; 0 if it is unknown.
    memory: u64,
}

impl Usage {
    fn of(child: &Child) -> Self {
        static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
        let time = processor_time(child.id()).unwrap_or_else(|| BEGIN.elapsed());
        Self { time, memory: peak_memory(child.id()).unwrap_or(0) }
    }
}

fn processor_time(process: u32) -> Option<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name in parentheses may contain spaces; user and system time are the 12th and 13th field
    // after it.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let user: u32 = fields.next()?.parse().ok()?;
    let system: u32 = fields.next()?.parse().ok()?;
    Some(CLOCK * (user + system))
}

fn peak_memory(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches("kB").trim().parse().ok()
}

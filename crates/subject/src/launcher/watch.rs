//! A running program: its streams, its clock and its bounds.
//!
//! Memory, processes and disk space are looked at from time to time: limits of the kernel hold for single processes,
//! count reserved memory that is never used, or do not bind the superuser. Short tests end before the first look.

use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{self, Pid, PidfdFlags, Rlimit, WaitOptions, WaitStatus};

use super::scratch::Scratch;
use super::spawner::Spawner;
use crate::observation::{End, Resource};
use crate::processes;
use crate::program::{Bounds, Delivery, Program, WorkDirectory};
use crate::subject::SubjectError;

/// Time between looks at how many processes the machine has, which is cheap.
const GLANCE: Duration = Duration::from_millis(5);
/// Time between looks at everything, if they are cheap.
const LOOK: Duration = Duration::from_millis(20);
/// A look may take this part of the time.
const LOOK_SHARE: u32 = 10;
/// A wait that takes this much longer than it should shows that the machine stood still.
const STALL: Duration = Duration::from_millis(500);

/// A program that was started.
pub(super) struct Running {
    pub(super) pid: Pid,
    ended: OwnedFd,
    pub(super) child: Child,
    pub(super) stdout: Stream,
    pub(super) stderr: Stream,
    /// Time in which the machine did not even let the launcher run. It is not the program's fault.
    pub(super) stalled: Duration,
    next_glance: Instant,
    next_look: Instant,
    /// Threads of the whole machine when it began.
    threads_before: u64,
    /// Forks that the kernel had refused when it began.
    refused_before: u64,
}

/// What an output stream brought.
pub(super) struct Stream {
    from: Option<OwnedFd>,
    /// The beginning that is kept.
    pub(super) kept: Vec<u8>,
    /// How many bytes there were.
    pub(super) total: u64,
    keep: usize,
}

impl Stream {
    fn new(from: Option<impl Into<OwnedFd>>, keep: usize) -> io::Result<Self> {
        let from = from.map(Into::into);
        if let Some(fd) = &from {
            rustix::io::ioctl_fionbio(fd, true)?;
        }
        Ok(Self { from, kept: Vec::new(), total: 0, keep })
    }

    /// Reads what is there, but not for ever.
    pub(super) fn read(&mut self) {
        let mut buffer = [0; 1 << 16];
        for _ in 0..16 {
            let Some(fd) = &self.from else { return };
            match rustix::io::read(fd, &mut buffer) {
                Ok(0) => self.from = None,
                Ok(count) => {
                    self.total += count as u64;
                    let room = self.keep.saturating_sub(self.kept.len());
                    self.kept.extend_from_slice(&buffer[..count.min(room)]);
                }
                Err(rustix::io::Errno::INTR) => {}
                Err(rustix::io::Errno::AGAIN) => return,
                Err(_) => self.from = None,
            }
        }
    }

    pub(super) fn is_cut(&self) -> bool {
        self.total > self.kept.len() as u64
    }

    pub(super) fn is_closed(&self) -> bool {
        self.from.is_none()
    }

    /// Forgets what came so far.
    pub(super) fn clear(&mut self) {
        self.kept.clear();
        self.total = 0;
    }
}

/// What happened while we waited.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Happened {
    /// The program ended.
    pub(super) ended: bool,
    /// The runner is gone.
    pub(super) runner_gone: bool,
}

impl Running {
    /// Starts a program; its streams are read from now on.
    pub(super) fn start(
        program: &Program,
        words: &[String],
        stdin: Stdio,
        spawner: &Spawner,
        scratch: &Scratch,
    ) -> Result<Self, SubjectError> {
        let threads_before = processes::threads_of_machine();
        let refused_before = scratch.refused_forks();
        let mut command = command(program, words, scratch);
        command.stdin(stdin);
        let mut child = spawner.spawn(command).map_err(|error| cannot_start(&words[0], &error))?;
        let started = |child: &mut Child| -> io::Result<(Pid, OwnedFd, Stream, Stream)> {
            let pid = Pid::from_child(child);
            let ended = process::pidfd_open(pid, PidfdFlags::empty())?;
            let keep = program.bounds.kept_output;
            // Answers are taken from the output as they come.
            let keep_answers = match program.delivery {
                Delivery::Persistent => usize::MAX,
                _ => keep,
            };
            let stdout = Stream::new(child.stdout.take(), keep_answers)?;
            let stderr = Stream::new(child.stderr.take(), keep)?;
            Ok((pid, ended, stdout, stderr))
        };
        match started(&mut child) {
            Ok((pid, ended, stdout, stderr)) => {
                bound_cpu(pid, &program.bounds);
                let now = Instant::now();
                let (next_glance, next_look) = (now + GLANCE, now + LOOK);
                Ok(Self {
                    pid,
                    ended,
                    child,
                    stdout,
                    stderr,
                    stalled: Duration::ZERO,
                    next_glance,
                    next_look,
                    threads_before,
                    refused_before,
                })
            }
            Err(error) => {
                processes::end_all(None);
                Err(SubjectError::Machine(format!("cannot watch a process: {error}")))
            }
        }
    }

    /// Waits until something happens, at most until a time, and reads the streams. `write` is waited for too.
    pub(super) fn wait(
        &mut self,
        control: &UnixStream,
        write: Option<BorrowedFd<'_>>,
        until: Instant,
    ) -> io::Result<Happened> {
        let began = Instant::now();
        let left = until.min(self.next_glance).saturating_duration_since(began);
        let timeout = Timespec {
            tv_sec: i64::try_from(left.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: i64::from(left.subsec_nanos()),
        };
        let mut fds =
            vec![PollFd::new(&self.ended, PollFlags::IN), PollFd::new(control, PollFlags::IN)];
        let streams = [&self.stdout, &self.stderr].into_iter().filter_map(|it| it.from.as_ref());
        fds.extend(streams.map(|fd| PollFd::new(fd, PollFlags::IN)));
        fds.extend(write.map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::OUT)));
        match poll(&mut fds, Some(&timeout)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let excess = began.elapsed().saturating_sub(left);
        if excess >= STALL {
            self.stalled += excess;
        }
        let happened = Happened {
            ended: !fds[0].revents().is_empty(),
            // The runner says nothing while a test runs.
            runner_gone: !fds[1].revents().is_empty(),
        };
        drop(fds);
        self.stdout.read();
        self.stderr.read();
        Ok(happened)
    }

    /// Whether the kernel refused it a process.
    pub(super) fn was_refused_forks(&self, scratch: &Scratch) -> bool {
        scratch.refused_forks() > self.refused_before
    }

    /// What was used too much, if anything.
    pub(super) fn exceeded(&mut self, bounds: &Bounds, scratch: &Scratch) -> Option<Resource> {
        if self.stdout.total + self.stderr.total > bounds.output {
            return Some(Resource::Output);
        }
        let now = Instant::now();
        if now < self.next_glance {
            return None;
        }
        self.next_glance = now + GLANCE;
        if self.was_refused_forks(scratch) {
            return Some(Resource::Processes);
        }
        let started = processes::threads_of_machine().saturating_sub(self.threads_before);
        let is_crowded = bounds.processes.is_some_and(|most| started > most);
        if now < self.next_look && !is_crowded {
            return None;
        }
        let is_above = |used: u64, most: Option<u64>| most.is_some_and(|most| used > most);
        let usage = processes::usage();
        let disk = bounds.disk.map_or(0, |_| scratch.size());
        self.next_look = Instant::now() + LOOK.max(now.elapsed() * LOOK_SHARE);
        self.next_glance = self.next_glance.max(self.next_look.min(Instant::now() + GLANCE));
        if is_above(usage.processes, bounds.processes) {
            Some(Resource::Processes)
        } else if is_above(usage.resident_bytes, bounds.memory) {
            Some(Resource::Memory)
        } else if is_above(disk, bounds.disk) {
            Some(Resource::Disk)
        } else {
            None
        }
    }

    /// How it ended. To be called once, after it ended.
    pub(super) fn status(&self) -> io::Result<WaitStatus> {
        loop {
            match process::waitpid(Some(self.pid), WaitOptions::empty()) {
                Ok(Some((_, status))) => return Ok(status),
                Ok(None) | Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Ends everything that is left of it. Whether that succeeded.
    pub(super) fn end_all(&self) -> bool {
        processes::end_all(Some(self.pid))
    }
}

/// What a wait status says, for a program that ran for a time.
pub(super) fn end_of(status: WaitStatus, time: Duration, bounds: &Bounds) -> End {
    let used_cpu = bounds.cpu.is_some_and(|cpu| time >= cpu);
    match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => End::Exit(code),
        (_, Some(signal)) if signal == libc::SIGXCPU => End::Exceeded(Resource::Cpu),
        (_, Some(signal)) if signal == libc::SIGKILL && used_cpu => End::Exceeded(Resource::Cpu),
        (_, Some(signal)) if signal == libc::SIGXFSZ => End::Exceeded(Resource::File),
        (_, Some(signal)) => End::Signal(signal),
        (None, None) => End::Signal(0),
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the room that starts processes")]
fn command(program: &Program, words: &[String], scratch: &Scratch) -> Command {
    use std::os::unix::process::CommandExt;

    let mut command = Command::new(&words[0]);
    command.args(&words[1..]);
    command.envs(program.environment.iter().map(|(name, value)| (name, value)));
    command.env("TMPDIR", scratch.test());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.process_group(0);
    if program.directory == WorkDirectory::Temporary {
        command.current_dir(scratch.test());
    }
    command
}

/// Bounds the processor time of a process that just began: first by a signal that can be told, a second later by one
/// that cannot be ignored.
fn bound_cpu(pid: Pid, bounds: &Bounds) {
    let Some(cpu) = bounds.cpu else { return };
    let seconds = cpu.as_secs() + u64::from(cpu.subsec_nanos() > 0);
    let limit = Rlimit { current: Some(seconds), maximum: Some(seconds + 1) };
    // It may be gone already.
    let _ = process::prlimit(Some(pid), process::Resource::Cpu, limit);
}

fn cannot_start(program: &str, error: &io::Error) -> SubjectError {
    match error.raw_os_error() {
        Some(libc::EAGAIN | libc::ENOMEM | libc::EMFILE | libc::ENFILE) => {
            SubjectError::Machine(format!("cannot start another process: {error}"))
        }
        Some(libc::E2BIG) => SubjectError::Machine(TOO_LONG.to_owned()),
        _ => {
            let reason = match error.kind() {
                io::ErrorKind::NotFound => "there is no such program".to_owned(),
                io::ErrorKind::PermissionDenied => "it is not executable".to_owned(),
                _ => error.to_string(),
            };
            SubjectError::CannotStart { program: program.to_owned(), reason }
        }
    }
}

/// What is said of a test that no argument can hold.
pub(super) const TOO_LONG: &str = "the test is longer than an argument may be";

/// Reads the rest of a stream that nobody writes to any more.
pub(super) fn drain(stream: &mut Stream) {
    while !stream.is_closed() {
        let before = stream.total;
        stream.read();
        if stream.total == before {
            return;
        }
    }
}

/// A file as standard input.
pub(super) fn open(path: &std::path::Path) -> io::Result<Stdio> {
    std::fs::File::open(path).map(Stdio::from)
}

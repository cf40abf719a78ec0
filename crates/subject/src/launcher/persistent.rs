//! One long-lived process for many tests; see [`harness`] for what is said between both.
//!
//! Tests are sent ahead and answers are read as they come. Where the process ends, hangs or says nonsense, the first
//! test without an answer is to blame; a new process gets those that follow.

use std::io::Write;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::process::{ChildStdin, Stdio};
use std::time::{Duration, Instant};

use super::Stop;
use super::scratch::Scratch;
use super::spawner::Spawner;
use super::watch::{Running, drain, end_of};
use crate::harness;
use crate::observation::{End, Observation, Resource, WasRead};
use crate::program::{Bounds, Program};
use crate::wire::Reply;

/// How long a process that closed its output may take to end.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// Sends tests to a long-lived process.
pub(super) struct Persistent<'c> {
    program: Program,
    control: &'c UnixStream,
    scratch: Scratch,
    spawner: Spawner,
    session: Option<Session>,
}

/// A process at work.
struct Session {
    running: Running,
    stdin: ChildStdin,
    /// What is still to be sent.
    unsent: Vec<u8>,
    sent: usize,
    /// How many tests this process has answered.
    answered: u64,
}

type Replier<'r> = dyn FnMut(Reply) -> Result<(), Stop> + 'r;

impl<'c> Persistent<'c> {
    pub(super) fn new(
        program: Program,
        control: &'c UnixStream,
        scratch: Scratch,
        spawner: Spawner,
    ) -> Self {
        Self { program, control, scratch, spawner, session: None }
    }

    pub(super) fn scratch(&self) -> &Scratch {
        &self.scratch
    }

    /// Runs all tests of a batch.
    pub(super) fn run(&mut self, tests: &[Vec<u8>], reply: &mut Replier<'_>) -> Result<(), Stop> {
        let mut next = 0;
        while next < tests.len() {
            let mut session = match self.session.take() {
                Some(session) => session,
                None => match self.start() {
                    Ok(session) => session,
                    Err(error) => return reply(Err(error)),
                },
            };
            session.send(&tests[next..]);
            next += self.converse(session, &tests[next..], reply)?;
        }
        Ok(())
    }

    fn start(&self) -> Result<Session, crate::SubjectError> {
        let machine = |error: &dyn std::fmt::Display| {
            crate::SubjectError::Machine(format!("cannot talk to a process: {error}"))
        };
        self.scratch.begin().map_err(|error| machine(&error))?;
        let words = &self.program.command;
        let mut running =
            Running::start(&self.program, words, Stdio::piped(), &self.spawner, &self.scratch)?;
        let stdin = running.child.stdin.take().expect("invariant: standard input is a pipe");
        rustix::io::ioctl_fionbio(&stdin, true).map_err(|error| machine(&error))?;
        Ok(Session { running, stdin, unsent: Vec::new(), sent: 0, answered: 0 })
    }

    /// Takes answers until all tests have one, or the process is of no more use. How many tests are done.
    fn converse(
        &mut self,
        mut session: Session,
        tests: &[Vec<u8>],
        reply: &mut Replier<'_>,
    ) -> Result<usize, Stop> {
        let bounds = &self.program.bounds;
        let (mut done, mut since, mut closed) = (0, Instant::now(), None::<Instant>);
        let end = loop {
            let deadline = session.deadline(since, closed, bounds);
            let write = session.is_unsent().then(|| session.stdin.as_fd());
            let happened = session.running.wait(self.control, write, deadline)?;
            if happened.runner_gone {
                session.running.end_all();
                return Err(Stop::RunnerGone);
            }
            session.write();
            if happened.ended {
                drain(&mut session.running.stdout);
                drain(&mut session.running.stderr);
            }
            let before = done;
            let is_usable = session.take_answers(tests.len(), &mut done, since, reply)?;
            if done == tests.len() && is_usable && !happened.ended {
                self.session = Some(session);
                return Ok(done);
            }
            if done == tests.len() || !is_usable {
                session.running.end_all();
                return Ok(done);
            }
            let now = Instant::now();
            if done > before {
                since = now;
                session.running.stalled = Duration::ZERO;
            }
            if happened.ended {
                let status = session.running.status()?;
                if done == 0 && session.ended_before() {
                    session.running.end_all();
                    return Ok(0);
                }
                break end_of(status, since.elapsed(), bounds);
            } else if let Some(resource) = session.exceeded(bounds, &self.scratch) {
                break End::Exceeded(resource);
            } else if now >= session.deadline(since, closed, bounds) {
                break if closed.is_some() { End::BadAnswer } else { End::TimedOut };
            } else if closed.is_none() && session.running.stdout.is_closed() {
                closed = Some(now);
            }
        };
        let read = session.was_read();
        session.running.end_all();
        drain(&mut session.running.stderr);
        let mut observation = Observation::of(end);
        observation.read = read;
        observation.stdout = session.unfinished_line(bounds.kept_output);
        observation.stderr = std::mem::take(&mut session.running.stderr.kept);
        observation.is_cut = session.running.stderr.is_cut();
        observation.time = since.elapsed();
        reply(Ok(observation))?;
        Ok(done + 1)
    }
}

impl Session {
    fn send(&mut self, tests: &[Vec<u8>]) {
        self.unsent.clear();
        self.sent = 0;
        tests.iter().for_each(|test| harness::frame(test, &mut self.unsent));
        self.write();
    }

    /// When the next answer, or the end of a process that closed its output, must have come.
    fn deadline(&self, since: Instant, closed: Option<Instant>, bounds: &Bounds) -> Instant {
        let end = closed.map_or(since + bounds.time, |closed| closed + LAST_WORDS);
        end + self.running.stalled
    }

    fn is_unsent(&self) -> bool {
        self.sent < self.unsent.len()
    }

    /// Sends what the pipe takes. A process that reads no more shows by ending, or by silence.
    fn write(&mut self) {
        while self.is_unsent() {
            match self.stdin.write(&self.unsent[self.sent..]) {
                Ok(0) => return,
                Ok(count) => self.sent += count,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(_) => return,
            }
        }
    }

    /// Replies with the answers that came, up to the number of tests. Whether all of them are answers.
    fn take_answers(
        &mut self,
        tests: usize,
        done: &mut usize,
        since: Instant,
        reply: &mut Replier<'_>,
    ) -> Result<bool, Stop> {
        let output = std::mem::take(&mut self.running.stdout.kept);
        let (mut taken, mut is_usable, mut time) = (0, true, since.elapsed());
        while *done < tests && is_usable {
            let Some(length) = output[taken..].iter().position(|&byte| byte == b'\n') else {
                break;
            };
            let (end, message) = harness::answer(&output[taken..taken + length]);
            taken += length + 1;
            is_usable = end != End::BadAnswer;
            let mut observation = Observation::of(end);
            observation.stdout = message.to_vec();
            observation.read = WasRead::Yes;
            observation.time = std::mem::take(&mut time);
            reply(Ok(observation))?;
            *done += 1;
            self.answered += 1;
        }
        if taken > 0 {
            self.running.stderr.clear();
        }
        self.running.stdout.kept = output;
        self.running.stdout.kept.drain(..taken);
        Ok(is_usable)
    }

    /// What was written after the last whole line.
    fn unfinished_line(&mut self, keep: usize) -> Vec<u8> {
        let mut line = std::mem::take(&mut self.running.stdout.kept);
        line.truncate(keep);
        line
    }

    /// What was used too much. Answers are taken from the output, so only a line without end is too long.
    fn exceeded(&mut self, bounds: &Bounds, scratch: &Scratch) -> Option<Resource> {
        self.running.stdout.total = self.running.stdout.kept.len() as u64;
        self.running.exceeded(bounds, scratch)
    }

    /// Whether nothing of what was sent last was taken out of the pipe.
    fn is_untouched(&self) -> bool {
        let left = rustix::io::ioctl_fionread(&self.stdin).unwrap_or(0);
        left >= self.sent as u64
    }

    /// Whether it ended after earlier tests and before it looked at the ones at hand.
    fn ended_before(&self) -> bool {
        self.answered > 0 && self.is_untouched()
    }

    fn was_read(&self) -> WasRead {
        match self.answered == 0 && self.is_untouched() {
            true => WasRead::No,
            false => WasRead::Yes,
        }
    }
}

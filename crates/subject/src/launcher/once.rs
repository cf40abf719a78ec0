//! One process per test.

use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Instant;

use super::Stop;
use super::scratch::Scratch;
use super::spawner::Spawner;
use super::watch::{Running, TOO_LONG, drain, end_of, open};
use crate::observation::{End, Observation, Resource, WasRead};
use crate::processes;
use crate::program::{Delivery, PLACEHOLDER, Program};
use crate::subject::SubjectError;
use crate::wire::Reply;

/// Runs a program anew for every test.
pub(super) struct Once<'c> {
    program: Program,
    control: &'c UnixStream,
    scratch: Scratch,
    spawner: Spawner,
    input: PathBuf,
}

impl<'c> Once<'c> {
    pub(super) fn new(
        program: Program,
        control: &'c UnixStream,
        scratch: Scratch,
        spawner: Spawner,
    ) -> Self {
        let name = match &program.delivery {
            Delivery::File { extension } if !extension.is_empty() => format!("input.{extension}"),
            _ => "input".to_owned(),
        };
        let input = scratch.test().join(name);
        Self { program, control, scratch, spawner, input }
    }

    pub(super) fn scratch(&self) -> &Scratch {
        &self.scratch
    }

    /// Runs the program on a test.
    pub(super) fn run(&self, test: &[u8]) -> Result<Reply, Stop> {
        let words = match self.words(test) {
            Ok(words) => words,
            Err(reason) => return Ok(Ok(Observation::of(End::Undeliverable(reason)))),
        };
        let machine = |error: &dyn std::fmt::Display| {
            SubjectError::Machine(format!("cannot use the temporary directory: {error}"))
        };
        let reads_file = self.program.delivery != Delivery::Argument;
        let prepared = self.scratch.begin().and_then(|()| match reads_file {
            true => self.scratch.write(&self.input, test),
            false => Ok(()),
        });
        if let Err(error) = prepared {
            return Ok(Err(machine(&error)));
        }
        let stdin = match self.program.delivery {
            Delivery::Stdin => open(&self.input),
            _ => Ok(Stdio::null()),
        };
        let stdin = match stdin {
            Ok(stdin) => stdin,
            Err(error) => return Ok(Err(machine(&error))),
        };
        let reply = self.run_words(&words, stdin, test);
        self.scratch.end();
        reply
    }

    fn run_words(&self, words: &[String], stdin: Stdio, test: &[u8]) -> Result<Reply, Stop> {
        let began = Instant::now();
        let started = Running::start(&self.program, words, stdin, &self.spawner, &self.scratch);
        let mut running = match started {
            Ok(running) => running,
            Err(SubjectError::Machine(reason)) if reason == TOO_LONG => {
                return Ok(Ok(Observation::of(End::Undeliverable(reason))));
            }
            Err(error) => return Ok(Err(error)),
        };
        let end = self.watch(&mut running, began)?;
        let time = began.elapsed();
        // Nothing that the test started may stay, nor write on.
        let is_clean = processes::reap() || running.end_all();
        drain(&mut running.stdout);
        drain(&mut running.stderr);
        if !is_clean {
            let what = "a process of a test cannot be ended".to_owned();
            return Ok(Err(SubjectError::Machine(what)));
        }
        let read = match self.program.delivery {
            Delivery::Argument => WasRead::Unknown,
            _ => self.scratch.was_read(&self.input, test),
        };
        let is_cut = running.stdout.is_cut() || running.stderr.is_cut();
        let (stdout, stderr) = (running.stdout.kept, running.stderr.kept);
        Ok(Ok(Observation { end, stdout, stderr, is_cut, read, time }))
    }

    /// Waits until the program ends, or ends it.
    fn watch(&self, running: &mut Running, began: Instant) -> Result<End, Stop> {
        let bounds = &self.program.bounds;
        loop {
            let deadline = began + bounds.time + running.stalled;
            let happened = running.wait(self.control, None, deadline)?;
            if happened.runner_gone {
                running.end_all();
                return Err(Stop::RunnerGone);
            }
            if happened.ended {
                let status = running.status()?;
                return Ok(match running.was_refused_forks(&self.scratch) {
                    true => End::Exceeded(Resource::Processes),
                    false => end_of(status, began.elapsed(), bounds),
                });
            }
            let end = match running.exceeded(bounds, &self.scratch) {
                Some(resource) => End::Exceeded(resource),
                None if Instant::now() >= began + bounds.time + running.stalled => End::TimedOut,
                None => continue,
            };
            running.end_all();
            return Ok(end);
        }
    }

    /// The command for a test.
    fn words(&self, test: &[u8]) -> Result<Vec<String>, String> {
        let stands = match &self.program.delivery {
            Delivery::File { .. } => self.input.display().to_string(),
            Delivery::Argument => argument(test)?,
            Delivery::Stdin | Delivery::Persistent => return Ok(self.program.command.clone()),
        };
        let words = self.program.command.iter().map(|word| word.replace(PLACEHOLDER, &stands));
        Ok(words.collect())
    }
}

/// A test as an argument.
fn argument(test: &[u8]) -> Result<String, String> {
    match std::str::from_utf8(test) {
        Ok(text) if !text.contains('\0') => Ok(text.to_owned()),
        Ok(_) => Err("an argument cannot hold a zero byte".to_owned()),
        Err(_) => Err("the test is not UTF-8, which arguments are".to_owned()),
    }
}

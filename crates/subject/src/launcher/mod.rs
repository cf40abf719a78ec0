//! The launcher: the process between the runner and the program under test.
//!
//! It leads a session of its own, so that no test has a terminal; it adopts what tests abandon; it holds the clock
//! and the bounds; and it cleans up. It reads batches of tests from its standard input, which is a socket, and
//! answers there. When the socket is closed, everything below it is ended and its directory is removed.
//!
//! In reading order: [`sandbox`] (what the program may reach), `spawner` (the thread that starts programs),
//! `scratch` (the temporary directory), `watch` (streams, clock and bounds of a running program), `once` (a process
//! per test), `persistent` (one process for many tests).

mod once;
mod persistent;
mod process_bound;
pub mod sandbox;
mod scratch;
mod spawner;
mod watch;

use std::io::{self, BufReader, BufWriter, Write};
use std::os::unix::net::UnixStream;

use rustix::process::{self, Resource, Rlimit};

use self::once::Once;
use self::persistent::Persistent;
use self::process_bound::ProcessBound;
use self::scratch::Scratch;
pub(crate) use self::scratch::remove_tree;
use self::spawner::Spawner;
use crate::processes;
use crate::program::{Delivery, Program, SandboxReport};
use crate::wire::{self, Greeting, Reply};

/// The argument that makes a program of ours a launcher.
pub const ARGUMENT: &str = "--gramercy-launcher";

/// Serves a runner until it is gone. To be called by the main function of a program that was started as a launcher,
/// before anything else.
///
/// # Errors
/// If standard input is not the runner's socket, or the runner says nonsense.
pub fn serve() -> io::Result<()> {
    let control = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdin(), 3)?;
    let control = UnixStream::from(control);
    let mut from = BufReader::new(control.try_clone()?);
    let mut to = BufWriter::new(control.try_clone()?);
    let program: Program = wire::read_json(&mut from)?;
    let (scratch, spawner, report) = match prepare(&program) {
        Ok(prepared) => prepared,
        Err(error) => return wire::write_json(&mut to, &Greeting::Unable(error.to_string())),
    };
    let ready = Greeting::Ready { scratch: scratch.root().to_owned(), sandbox: report };
    wire::write_json(&mut to, &ready)?;
    let mut runs = Runs::new(program, &control, scratch, spawner);
    let served = runs.serve(&mut from, &mut to);
    processes::end_all(None);
    runs.scratch().remove();
    match served {
        // The runner is gone; nobody is left to be told.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        served => served,
    }
}

fn prepare(program: &Program) -> io::Result<(Scratch, Spawner, SandboxReport)> {
    // A process that leads a group already cannot begin a session; it has no terminal to lose then.
    let _ = process::setsid();
    process::set_child_subreaper(Some(process::getpid()))?;
    // Where memory runs out, the kernel ends tests before it ends the runner.
    let _ = std::fs::write("/proc/self/oom_score_adj", "500");
    process::setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?;
    let mut scratch = Scratch::new()?;
    if let Some(bytes) = program.bounds.file {
        // The hard limit may be lower already.
        let hard =
            process::getrlimit(Resource::Fsize).maximum.map_or(bytes, |hard| hard.min(bytes));
        process::setrlimit(Resource::Fsize, Rlimit { current: Some(hard), maximum: Some(hard) })?;
    }
    let bound = program.bounds.processes.map(ProcessBound::enter);
    let (spawner, mut report) = Spawner::new(program.isolation.clone(), scratch.root().to_owned())?;
    match bound {
        Some(Ok(bound)) => scratch.bound = Some(bound),
        // Other users have limits of the machine beside the watch.
        Some(Err(error)) if process::geteuid().is_root() => {
            report.processes_watched = Some(error.to_string());
        }
        Some(Err(_)) | None => {}
    }
    put_first();
    Ok((scratch, spawner, report))
}

/// Lets this thread run before the programs under test, so that no number of them can keep it from ending them. The
/// thread that starts programs keeps its priority, or takes a lower one where nobody may have a higher one.
fn put_first() {
    let _ = process::setpriority_process(None, AHEAD);
}

/// The priority of the thread that watches programs.
const AHEAD: i32 = -15;
/// The priority of programs under test, beside the usual one of a thread that watches them.
const BEHIND: i32 = 5;

/// One of the ways to run tests.
enum Runs<'c> {
    Once(Box<Once<'c>>),
    Persistent(Box<Persistent<'c>>),
}

impl<'c> Runs<'c> {
    fn new(program: Program, control: &'c UnixStream, scratch: Scratch, spawner: Spawner) -> Self {
        match program.delivery {
            Delivery::Persistent => {
                Self::Persistent(Box::new(Persistent::new(program, control, scratch, spawner)))
            }
            _ => Self::Once(Box::new(Once::new(program, control, scratch, spawner))),
        }
    }

    fn scratch(&self) -> &Scratch {
        match self {
            Self::Once(once) => once.scratch(),
            Self::Persistent(persistent) => persistent.scratch(),
        }
    }

    fn serve(
        &mut self,
        from: &mut BufReader<UnixStream>,
        to: &mut BufWriter<UnixStream>,
    ) -> io::Result<()> {
        while let Some(tests) = wire::read_tests(from)? {
            let mut reply = |reply: Reply| {
                let is_failure = reply.is_err();
                wire::write_reply(to, &reply)?;
                match is_failure {
                    true => Err(Stop::Failed),
                    false => Ok(()),
                }
            };
            let ran = match self {
                Self::Once(once) => tests.iter().try_for_each(|test| reply(once.run(test)?)),
                Self::Persistent(persistent) => persistent.run(&tests, &mut reply),
            };
            match ran {
                // After a failure the rest of the batch has no answers.
                Ok(()) | Err(Stop::Failed) => to.flush()?,
                Err(Stop::RunnerGone) => return Ok(()),
                Err(Stop::Io(error)) => return Err(error),
            }
        }
        Ok(())
    }
}

/// Why a batch ends early.
#[derive(Debug)]
enum Stop {
    /// A failure was replied.
    Failed,
    /// Nobody is left to reply to.
    RunnerGone,
    /// The socket broke.
    Io(io::Error),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<rustix::io::Errno> for Stop {
    fn from(error: rustix::io::Errno) -> Self {
        Self::Io(error.into())
    }
}

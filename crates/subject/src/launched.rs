//! The runner's end: a launcher that is started, talked to, and started again where a program ended it.

use std::io::{self, BufReader, BufWriter};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use rustix::process::Pid;

use crate::launcher::{self, remove_tree};
use crate::observation::{End, Observation};
use crate::processes;
use crate::program::{Delivery, Program, SandboxReport, WorkDirectory};
use crate::subject::{Subject, SubjectError};
use crate::wire::{self, Greeting};

/// Tests that are sent at once to a long-lived program.
const BATCH: usize = 512;

/// How a launcher is started: a program that calls [`launcher::serve`] when it gets [`launcher::ARGUMENT`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LauncherCommand(PathBuf);

impl LauncherCommand {
    /// A program by its path.
    #[must_use]
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self(program.into())
    }

    /// The program that runs now.
    ///
    /// # Errors
    /// If the machine does not say which one that is.
    pub fn this_program() -> Result<Self, SubjectError> {
        // The link stays right when the file is replaced in the meantime.
        let link = PathBuf::from("/proc/self/exe");
        let program = if link.exists() { Ok(link) } else { std::env::current_exe() };
        program.map(Self).map_err(|error| {
            SubjectError::Machine(format!("cannot find the program that runs now: {error}"))
        })
    }
}

/// A program under test behind a launcher.
#[derive(Debug)]
pub struct Launched {
    command: LauncherCommand,
    program: Program,
    connection: Connection,
}

#[derive(Debug)]
struct Connection {
    process: Child,
    from: BufReader<UnixStream>,
    to: BufWriter<UnixStream>,
    scratch: PathBuf,
    sandbox: SandboxReport,
}

impl Launched {
    /// Starts a launcher for a program. The program itself is started for the first test.
    ///
    /// # Errors
    /// If the launcher cannot be started.
    pub fn new(command: LauncherCommand, program: Program) -> Result<Self, SubjectError> {
        let program = with_absolute_paths(program)?;
        let connection = connect(&command, &program)?;
        Ok(Self { command, program, connection })
    }

    /// What the sandbox does on this machine.
    #[must_use]
    pub fn sandbox(&self) -> &SandboxReport {
        &self.connection.sandbox
    }

    /// Sends tests and takes observations, until all are there or the launcher is gone.
    fn exchange(
        &mut self,
        tests: &[&[u8]],
        observations: &mut Vec<Observation>,
    ) -> io::Result<Result<(), SubjectError>> {
        let Connection { from, to, .. } = &mut self.connection;
        wire::write_tests(to, tests)?;
        for _ in tests {
            match wire::read_reply(from)? {
                Ok(observation) => observations.push(observation),
                Err(error) => return Ok(Err(error)),
            }
        }
        Ok(Ok(()))
    }
}

impl Subject for Launched {
    fn observe(
        &mut self,
        tests: &[&[u8]],
        observations: &mut Vec<Observation>,
    ) -> Result<(), SubjectError> {
        let before = observations.len();
        loop {
            let done = observations.len() - before;
            if done == tests.len() {
                return Ok(());
            }
            match self.exchange(&tests[done..], observations) {
                Ok(done) => return done,
                Err(_) => {
                    // The first test without an observation ended the launcher.
                    self.connection.clean_up();
                    self.connection = connect(&self.command, &self.program)?;
                    observations.push(Observation::of(End::Escaped));
                }
            }
        }
    }

    fn batch(&self) -> usize {
        match self.program.delivery {
            Delivery::Persistent => BATCH,
            _ => 1,
        }
    }
}

impl Connection {
    /// Removes what a launcher that died left.
    fn clean_up(&mut self) {
        // It may live on, without any sense.
        let _ = self.process.kill();
        let _ = self.process.wait();
        let session = i32::try_from(self.process.id()).ok().and_then(Pid::from_raw);
        session.into_iter().for_each(processes::end_session);
        let _ = remove_tree(&self.scratch);
    }
}

impl Drop for Connection {
    /// The launcher sees its socket close, cleans up and ends.
    fn drop(&mut self) {
        let _ = self.to.get_ref().shutdown(std::net::Shutdown::Both);
        let _ = self.process.wait();
    }
}

fn connect(command: &LauncherCommand, program: &Program) -> Result<Connection, SubjectError> {
    let failed = |error: &dyn std::fmt::Display| {
        SubjectError::Machine(format!("cannot start a launcher: {error}"))
    };
    let (mut connection, greeting) = start(command, program).map_err(|error| failed(&error))?;
    match greeting {
        Greeting::Ready { scratch, sandbox } => {
            connection.scratch = scratch;
            connection.sandbox = sandbox;
            Ok(connection)
        }
        Greeting::Unable(reason) => Err(failed(&reason)),
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the room that starts processes")]
fn start(command: &LauncherCommand, program: &Program) -> io::Result<(Connection, Greeting)> {
    let (ours, theirs) = UnixStream::pair()?;
    let process = Command::new(&command.0)
        .arg(launcher::ARGUMENT)
        .stdin(Stdio::from(OwnedFd::from(theirs)))
        .stdout(Stdio::null())
        .spawn()?;
    let mut connection = Connection {
        process,
        from: BufReader::new(ours.try_clone()?),
        to: BufWriter::new(ours),
        scratch: PathBuf::new(),
        sandbox: SandboxReport::default(),
    };
    wire::write_json(&mut connection.to, program)?;
    let greeting = wire::read_json(&mut connection.from)?;
    Ok((connection, greeting))
}

/// In a temporary directory, a relative path would lead nowhere.
fn with_absolute_paths(mut program: Program) -> Result<Program, SubjectError> {
    let absolute = |path: &str| {
        std::path::absolute(path).map_err(|error| SubjectError::Machine(error.to_string()))
    };
    let Some(first) = program.command.first_mut() else {
        let (program, reason) = (String::new(), "the command is empty".to_owned());
        return Err(SubjectError::CannotStart { program, reason });
    };
    if program.directory == WorkDirectory::Temporary && first.contains('/') {
        *first = absolute(first)?.display().to_string();
    }
    Ok(program)
}

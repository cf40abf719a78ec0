//! The thread that starts programs. It is bound by the sandbox, and so is everything it starts; the rest of the
//! launcher is not.

use std::io;
use std::path::PathBuf;
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use super::sandbox;
use crate::program::{Isolation, SandboxReport};

/// Starts programs in the sandbox.
pub(super) struct Spawner {
    commands: SyncSender<Command>,
    children: Receiver<io::Result<Child>>,
}

impl Spawner {
    /// Starts the thread and says what binds it.
    pub(super) fn new(isolation: Isolation, scratch: PathBuf) -> io::Result<(Self, SandboxReport)> {
        let (commands, received) = sync_channel::<Command>(0);
        let (sender, children) = sync_channel(0);
        let (reporter, report) = sync_channel(1);
        std::thread::Builder::new().name("spawner".to_owned()).spawn(move || {
            if !rustix::process::geteuid().is_root() {
                let _ = rustix::process::setpriority_process(None, super::BEHIND);
            }
            // The launcher waits for the report.
            let _ = reporter.send(sandbox::enter(&isolation, &scratch));
            for mut command in received {
                if sender.send(command.spawn()).is_err() {
                    return;
                }
            }
        })?;
        let report = report.recv().map_err(|_| ended())?;
        Ok((Self { commands, children }, report))
    }

    /// Starts a program.
    pub(super) fn spawn(&self, command: Command) -> io::Result<Child> {
        self.commands.send(command).map_err(|_| ended())?;
        self.children.recv().map_err(|_| ended())?
    }
}

fn ended() -> io::Error {
    io::Error::other("the thread that starts programs ended")
}

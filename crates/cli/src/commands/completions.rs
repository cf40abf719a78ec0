//! `gramercy completions`: what a shell needs to complete our command lines.

use std::io::Write;

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::console::Console;
use crate::flags::Cli;
use crate::outcome::{Failure, Outcome};

/// Print a script that completes gramercy's command lines in a shell
#[derive(Args)]
#[command(after_help = "\
Examples:
  gramercy completions bash > ~/.local/share/bash-completion/completions/gramercy
  gramercy completions zsh > ~/.zfunc/_gramercy
  gramercy completions fish > ~/.config/fish/completions/gramercy.fish")]
pub(crate) struct Completions {
    /// Shell to write for
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(&self, console: &mut Console) -> Result<Outcome, Failure> {
        // The generator panics where it cannot write, so it writes to memory.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "gramercy", &mut script);
        console.out().write_all(&script)?;
        Ok(Outcome::Clean)
    }
}

//! `gramercy man`: the manual.

use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Args, CommandFactory, ValueHint};

use crate::console::Console;
use crate::flags::Cli;
use crate::outcome::{Failure, Outcome};

/// Print a page of the manual, or write all of them
#[derive(Args)]
#[command(after_help = "\
Examples:
  gramercy man stats | man -l -
  gramercy man -o ~/.local/share/man/man1")]
pub(crate) struct Man {
    /// Command to print the page of [default: the page of gramercy itself]
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
    /// Write all pages into this folder, which is made if need be
    #[arg(
        long, short, value_name = "DIR", value_hint = ValueHint::DirPath,
        conflicts_with = "command", help_heading = "Output options"
    )]
    output: Option<PathBuf>,
}

impl Man {
    pub(crate) fn run(&self, console: &mut Console) -> Result<Outcome, Failure> {
        let mut program = Cli::command().disable_help_subcommand(true);
        if let Some(folder) = &self.output {
            std::fs::create_dir_all(folder)
                .and_then(|()| clap_mangen::generate_to(program, folder))
                .map_err(|error| Failure::unwritable(folder, &error))?;
            return Ok(Outcome::Clean);
        }
        // Gives the commands their full names.
        program.build();
        let command = match &self.command {
            Some(name) => program.find_subcommand(name).cloned().ok_or_else(|| unknown(name))?,
            None => program,
        };
        clap_mangen::Man::new(command).render(console.out())?;
        Ok(Outcome::Clean)
    }
}

fn unknown(name: &str) -> Failure {
    let message = format!("there is no command `{name}`");
    Failure::Usage(Cli::command().error(ErrorKind::InvalidValue, message))
}

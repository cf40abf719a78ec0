//! `gramercy`, the command line: flags, a file per command, and everything that is printed.
//!
//! A run goes one way: the arguments, completed by the defaults of `gramercy.toml`, become the
//! fields of one command; the command reads the grammar, asks the library, and hands the answer to
//! a renderer; how that ended becomes the exit code.
//!
//! In reading order: [`flags`], [`defaults`], [`commands`], [`render`], [`console`], [`progress`],
//! [`interrupt`], [`memory`], [`outcome`], [`output_file`].

mod codes;
mod commands;
mod console;
mod defaults;
mod flags;
mod interrupt;
mod memory;
mod outcome;
mod output_file;
mod progress;
mod render;

#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

use crate::console::Console;
use crate::flags::Cli;
use crate::outcome::Failure;

fn main() -> ExitCode {
    interrupt::install();
    let arguments: Vec<OsString> = std::env::args_os().collect();
    match parse(&arguments) {
        Ok(cli) => {
            let mut console = Console::new(cli.global.color, cli.global.quiet);
            let result = cli.command.run(&mut console);
            console.close(result)
        }
        Err(failure) => Console::from_raw(&arguments).close(Err(failure)),
    }
}

fn parse(arguments: &[OsString]) -> Result<Cli, Failure> {
    let (command, arguments) = defaults::apply(Cli::command(), arguments)?;
    let matches = command.try_get_matches_from(arguments)?;
    Ok(Cli::from_arg_matches(&matches)?)
}

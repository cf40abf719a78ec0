//! In which form results are wanted, and where.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueHint};

use crate::console::Console;
use crate::outcome::Failure;

const HEADING: &str = "Output options";

/// For commands whose result is a table.
#[derive(Args)]
pub(crate) struct JsonArgs {
    /// Print one JSON document instead of a table
    #[arg(long, help_heading = HEADING)]
    pub(crate) json: bool,
}

/// For commands whose result is a file.
#[derive(Args)]
pub(crate) struct OutputArgs {
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE", help_heading = HEADING, value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
}

impl OutputArgs {
    /// Writes the result where the user wants it.
    pub(crate) fn write(&self, text: &str, console: &mut Console) -> Result<(), Failure> {
        match &self.output {
            Some(path) => {
                std::fs::write(path, text).map_err(|error| Failure::unwritable(path, &error))
            }
            None => Ok(console.out().write_all(text.as_bytes())?),
        }
    }
}

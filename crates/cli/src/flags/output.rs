//! In which form results are wanted, and where.

use std::io::Write;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

use clap::{Args, ValueHint};
use gramercy::base::Diagnostic;
use gramercy::formats::WrittenFile;

use crate::codes;
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
    /// Write to this file or into this folder instead of standard output
    #[arg(long, short, value_name = "PATH", help_heading = HEADING, value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
}

impl OutputArgs {
    /// Writes files under their own names if the user named a folder; else there must be one only.
    pub(crate) fn write(
        &self,
        files: &[WrittenFile],
        console: &mut Console,
    ) -> Result<(), Failure> {
        match (&self.output, files) {
            (Some(path), _) if names_folder(path) => write_into(path, files),
            (Some(path), [only]) => write_file(path, &only.text),
            (None, [only]) => Ok(console.out().write_all(only.text.as_bytes())?),
            (_, several) => Err(several_files(several)),
        }
    }
}

/// A path stands for a folder if there is one, or if it says so at its end.
fn names_folder(path: &Path) -> bool {
    path.is_dir() || path.to_string_lossy().ends_with(['/', MAIN_SEPARATOR])
}

fn write_into(folder: &Path, files: &[WrittenFile]) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|error| Failure::unwritable(folder, &error))?;
    for file in files {
        write_file(&folder.join(&file.name), &file.text)?;
    }
    Ok(())
}

fn write_file(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|error| Failure::unwritable(path, &error))
}

fn several_files(files: &[WrittenFile]) -> Failure {
    let names: Vec<_> = files.iter().map(|file| format!("`{}`", file.name)).collect();
    let message = format!("the result is more than one file: {}", names.join(", "));
    let help = "name a folder for them, for example -o grammars/";
    Failure::refused(Diagnostic::new(codes::SEVERAL_FILES, message).help(help))
}

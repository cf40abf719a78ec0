//! In which form results are wanted, and where.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use gramercy::base::Diagnostic;
use gramercy::formats::WrittenFile;

use crate::codes;
use crate::console::Console;
use crate::outcome::Failure;
use crate::output_file::{self, names_folder};

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
    /// Write to this file, whose extension says in which form, or into this folder; - is standard output
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
            (Some(path), _) if names_folder(path) => write_into(path, files, console),
            (Some(path), [only]) => output_file::write(path, &only.text, console),
            (None, [only]) => Ok(console.out().write_all(only.text.as_bytes())?),
            (_, several) => Err(several_files(several)),
        }
    }

    /// The form to write: what the option says, or the extension of the file. A name that says neither, or
    /// something else than the option, is refused.
    pub(crate) fn form<F: Copy + PartialEq>(
        &self,
        chosen: Option<F>,
        of_extension: fn(&str) -> Option<F>,
        option: &str,
    ) -> Result<Option<F>, Failure> {
        let is_file = |path: &&PathBuf| !names_folder(path) && !output_file::is_standard(path);
        let Some(path) = self.output.as_ref().filter(is_file) else { return Ok(chosen) };
        let named = output_file::extension(path).and_then(|extension| of_extension(&extension));
        let name = path.display();
        match (chosen, named) {
            (Some(chosen), Some(named)) if chosen != named => {
                Err(Failure::usage(&format!("`{name}` does not name what {option} asks for")))
            }
            (None, None) => {
                let message = format!("`{name}` does not say what to write: use {option}");
                Err(Failure::usage(&message))
            }
            (chosen, named) => Ok(chosen.or(named)),
        }
    }
}

fn write_into(folder: &Path, files: &[WrittenFile], console: &mut Console) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|error| Failure::unwritable(folder, &error))?;
    for file in files {
        output_file::write(&folder.join(&file.name), &file.text, console)?;
    }
    Ok(())
}

fn several_files(files: &[WrittenFile]) -> Failure {
    let names: Vec<_> = files.iter().map(|file| format!("`{}`", file.name)).collect();
    let message = format!("the result is more than one file: {}", names.join(", "));
    let help = "name a folder for them, for example -o grammars/";
    Failure::refused(Diagnostic::new(codes::SEVERAL_FILES, message).help(help))
}

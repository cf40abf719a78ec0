//! lark's Earley parser with all derivations, on a document that it can read in seconds.

use std::process::{Command, Stdio};
use std::time::Duration;

use gramercy_proof::Fallible;

use crate::{line, workspace};

const SCRIPT: &str = include_str!("lark_forest.py");

/// Its time, scaled to another number of bytes.
pub(crate) fn forest(text: &str, bytes: usize) -> Fallible<()> {
    let folder = workspace().join("target/peers");
    let environment = folder.join("lark");
    let python = environment.join("bin/python");
    if !python.exists() {
        run(Command::new("python3").args(["-m", "venv"]).arg(&environment))?;
        run(Command::new(&python).args(["-m", "pip", "install", "--quiet", "lark"]))?;
    }
    let document = folder.join("small.json");
    std::fs::write(&document, text).map_err(|error| error.to_string())?;
    let printed = run(Command::new(&python).args(["-c", SCRIPT]).arg(&document))?;
    let seconds: f64 = printed.trim().parse().map_err(|error| format!("{printed}: {error}"))?;
    let scaled = seconds * bytes as f64 / text.len() as f64;
    let note = format!("{:.0} ms for {} bytes, scaled", seconds * 1000.0, text.len());
    line("lark", Duration::from_secs_f64(scaled), &note);
    Ok(())
}

fn run(command: &mut Command) -> Fallible<String> {
    let output = command.stdin(Stdio::null()).output().map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(said.lines().last().unwrap_or("it failed without a word").to_owned())
}

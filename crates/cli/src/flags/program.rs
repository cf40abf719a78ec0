//! How a program under test is run, and within which bounds.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueHint};
use gramercy::subject::program::{Bounds, Isolation};
use gramercy::subject::{Delivery, Program, WorkDirectory};

const RUNNING: &str = "Running options";
const BOUNDS: &str = "Bounds of one test";

/// The options of every command that runs programs.
#[derive(Args)]
pub(crate) struct ProgramArgs {
    /// Give tests on standard input, also if the command has a {}
    #[arg(long, help_heading = RUNNING, conflicts_with_all = ["argument", "persistent"])]
    stdin: bool,
    /// Give each test as the argument {} instead of a file
    #[arg(long, help_heading = RUNNING, conflicts_with = "persistent")]
    argument: bool,
    /// Keep one process for many tests, which answers each with a line
    #[arg(long, help_heading = RUNNING)]
    persistent: bool,
    /// Extension of the files that tests are given as [default: txt, or the preset's]
    #[arg(long, value_name = "EXT", help_heading = RUNNING)]
    ext: Option<String>,
    /// Run programs in the temporary directory of the test instead of the current one
    #[arg(long, help_heading = RUNNING)]
    in_temp: bool,
    /// Let programs write below this directory; may be given more than once
    #[arg(long, value_name = "DIR", help_heading = RUNNING, value_hint = ValueHint::DirPath)]
    allow_writes: Vec<PathBuf>,
    /// Let programs use the network
    #[arg(long, help_heading = RUNNING)]
    allow_network: bool,
    /// Let programs write everywhere and use the network
    #[arg(long, help_heading = RUNNING)]
    no_sandbox: bool,
    /// Time of a test, such as 500ms, 10s or 2m
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = duration, help_heading = BOUNDS)]
    timeout: Duration,
    /// Processor time of one process, in whole seconds
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = BOUNDS)]
    cpu_time: Option<Duration>,
    /// Memory of all processes of a test, such as 512M or 2G
    #[arg(long, value_name = "SIZE", default_value = "2G", value_parser = size, help_heading = BOUNDS)]
    memory: u64,
    /// Output of a test
    #[arg(long, value_name = "SIZE", default_value = "16M", value_parser = size, help_heading = BOUNDS)]
    max_output: u64,
    /// Size of one file that a test writes
    #[arg(long, value_name = "SIZE", default_value = "256M", value_parser = size, help_heading = BOUNDS)]
    max_file: u64,
    /// Space in the temporary directory of a test
    #[arg(long, value_name = "SIZE", default_value = "512M", value_parser = size, help_heading = BOUNDS)]
    max_disk: u64,
    /// Processes of a test at the same time
    #[arg(long, value_name = "N", default_value_t = 64, help_heading = BOUNDS)]
    max_processes: u64,
}

impl ProgramArgs {
    /// The program of a command, or of a preset that was changed by options.
    pub(crate) fn apply(&self, mut program: Program) -> Program {
        program.delivery = match (self.stdin, self.argument, self.persistent, program.delivery) {
            (true, ..) => Delivery::Stdin,
            (_, true, ..) => Delivery::Argument,
            (_, _, true, _) => Delivery::Persistent,
            (.., Delivery::File { extension }) => {
                Delivery::File { extension: self.ext.clone().unwrap_or(extension) }
            }
            (.., usual) => usual,
        };
        if self.in_temp {
            program.directory = WorkDirectory::Temporary;
        }
        program.bounds = Bounds {
            time: self.timeout,
            cpu: self.cpu_time,
            memory: Some(self.memory),
            output: self.max_output,
            file: Some(self.max_file),
            disk: Some(self.max_disk),
            processes: Some(self.max_processes),
            ..Bounds::default()
        };
        program.isolation = Isolation {
            is_sandboxed: !self.no_sandbox,
            allow_writes: self.allow_writes.clone(),
            allow_network: self.allow_network,
        };
        program
    }
}

/// A time such as 500ms, 10s, 2m.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let wrong = || "a time such as 500ms, 10s or 2m".to_owned();
    let number: u64 = digits.parse().ok().filter(|&number| number > 0).ok_or_else(wrong)?;
    let milliseconds = match &text[digits.len()..] {
        "ms" => 1,
        "s" | "" => 1000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => return Err(wrong()),
    };
    Ok(Duration::from_millis(number.saturating_mul(milliseconds)))
}

/// A size such as 64K, 512M, 2G.
fn size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let wrong = || "a size such as 64K, 512M or 2G".to_owned();
    let number: u64 = digits.parse().ok().filter(|&number| number > 0).ok_or_else(wrong)?;
    let shift = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "" | "B" => 0,
        "K" | "KB" | "KIB" => 10,
        "M" | "MB" | "MIB" => 20,
        "G" | "GB" | "GIB" => 30,
        "T" | "TB" | "TIB" => 40,
        _ => return Err(wrong()),
    };
    number.checked_mul(1 << shift).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{duration, size};

    #[test]
    fn times_and_sizes() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("2m"), Ok(Duration::from_secs(120)));
        assert_eq!(size("2G"), Ok(2 << 30));
        assert_eq!(size("64k"), Ok(64 << 10));
        for wrong in ["", "0s", "x", "1d", "-1s", "1.5s"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
        for wrong in ["", "0", "1X", "99999999999T"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }
}

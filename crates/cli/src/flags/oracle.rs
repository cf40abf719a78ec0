//! How the responses of a program are recognized.

use clap::Args;
use gramercy::base::Diagnostic;
use gramercy::campaign::oracle::{BadPattern, Oracle, OracleSpec};

use crate::codes;
use crate::outcome::Failure;

const HEADING: &str = "Oracle options";

/// The options of every command that judges programs.
#[derive(Args)]
pub(crate) struct OracleArgs {
    /// Exit codes that mean acceptance [default: 0]
    #[arg(long, value_name = "N,…", value_delimiter = ',', help_heading = HEADING)]
    accept_exit: Vec<i32>,
    /// Exit codes that mean rejection; others mean a crash [default: all that do not mean acceptance]
    #[arg(long, value_name = "N,…", value_delimiter = ',', help_heading = HEADING)]
    reject_exit: Vec<i32>,
    /// Output that means acceptance, whatever the exit code is, such as errors beyond syntax: a regular expression
    #[arg(long, value_name = "PATTERN", help_heading = HEADING)]
    accept_output: Vec<String>,
    /// Output that means rejection, whatever the exit code is; goes before --accept-output
    #[arg(long, value_name = "PATTERN", help_heading = HEADING)]
    reject_output: Vec<String>,
    /// Output that means a crash, beside reports of sanitizers and panics
    #[arg(long, value_name = "PATTERN", help_heading = HEADING)]
    crash_output: Vec<String>,
    /// Compare the place of errors: a pattern with groups for the line and the column, or `preset`
    #[arg(long, value_name = "PATTERN", help_heading = HEADING)]
    position: Option<String>,
    /// The number of the first column in the program's messages
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = HEADING)]
    column_base: i64,
}

impl OracleArgs {
    /// The oracle of a preset, or of none, changed by the options.
    pub(crate) fn apply(
        &self,
        preset: OracleSpec,
        position: Option<&str>,
    ) -> Result<(OracleSpec, Oracle), Failure> {
        let or = |own: &[i32], usual: Vec<i32>| if own.is_empty() { usual } else { own.to_vec() };
        let and = |own: &[String], usual: Vec<String>| own.iter().cloned().chain(usual).collect();
        let position = match self.position.as_deref() {
            Some("preset") => position.map(str::to_owned),
            own => own.map(str::to_owned),
        };
        let spec = OracleSpec {
            accept_exit: or(&self.accept_exit, preset.accept_exit),
            reject_exit: or(&self.reject_exit, preset.reject_exit),
            accept_output: and(&self.accept_output, preset.accept_output),
            reject_output: and(&self.reject_output, preset.reject_output),
            crash_output: and(&self.crash_output, preset.crash_output),
            position,
            column_offset: preset.column_offset + 1 - self.column_base,
        };
        let oracle = spec.build().map_err(|error| bad_pattern(&error))?;
        Ok((spec, oracle))
    }
}

fn bad_pattern(error: &BadPattern) -> Failure {
    Failure::refused(Diagnostic::new(codes::BAD_PATTERN, error.to_string()))
}

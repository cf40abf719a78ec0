//! Targets that a team has decided to leave uncovered.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use gramercy::base::{Diagnostic, files};
use gramercy::coverage::{Exemptions, SpecError};

use super::{MeasuredCriterion, SMALL_FILE};
use crate::codes;
use crate::outcome::Failure;

/// For commands that cover or measure criteria.
#[derive(Args)]
pub(crate) struct ExemptArgs {
    /// Leave out the targets that this file lists, one per line: the criterion and the pattern, as
    /// --write-exempt of `measure` writes them
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    exempt: Option<PathBuf>,
}

impl ExemptArgs {
    /// The lines of the list; none without one.
    pub(crate) fn lines(&self) -> Result<Vec<String>, Failure> {
        let Some(path) = &self.exempt else { return Ok(Vec::new()) };
        let refuse = |reason: String| {
            let message = format!("cannot use `{}`: {reason}", path.display());
            Failure::refused(Diagnostic::new(codes::BAD_EXEMPTIONS, message))
        };
        let text = files::read_text(path, SMALL_FILE).map_err(|error| refuse(error.to_string()))?;
        match Exemptions::read(&text, &canonical) {
            Ok(_) => Ok(text.lines().map(str::to_owned).collect()),
            Err((line, error)) => Err(refuse(format!("line {line}: {error}"))),
        }
    }

    /// The list, ready for use.
    pub(crate) fn list(&self) -> Result<Exemptions, Failure> {
        let lines = self.lines()?.join("\n");
        Ok(Exemptions::read(&lines, &canonical).expect("invariant: it was read before"))
    }
}

/// The usual name of a criterion.
fn canonical(name: &str) -> Result<String, SpecError> {
    name.parse::<MeasuredCriterion>().map(|criterion| criterion.to_string())
}

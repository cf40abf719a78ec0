//! What the user wants of a text: a command, a verdict, or a group of a campaign.

use std::path::Path;

use gramercy::base::{Diagnostic, Named};
use gramercy::campaign::journal::read;
use gramercy::campaign::oracle::OracleSpec;
use gramercy::campaign::reduce::Interest;
use gramercy::campaign::{JournalError, Report};
use gramercy::subject::Program;

use super::Reduce;
use crate::codes;
use crate::commands::campaigns::{bad_database, preset, subject};
use crate::flags::LoadedGrammar;
use crate::outcome::Failure;

/// What is run, and when it is interesting.
pub(super) struct Case {
    pub(super) program: Program,
    pub(super) interest: Interest,
    /// The interest in words, to tell reductions apart.
    pub(super) about: String,
    /// The smallest test of a group.
    pub(super) input: Option<Vec<u8>>,
}

impl Reduce {
    /// The case that the options describe.
    pub(super) fn case(&self, loaded: &LoadedGrammar) -> Result<Case, Failure> {
        match (self.group, &self.db) {
            (Some(number), Some(path)) => self.of_group(loaded, path, number),
            _ => self.of_command(),
        }
    }

    fn of_command(&self) -> Result<Case, Failure> {
        let preset = self.preset.as_deref().map(preset).transpose()?;
        if self.command.is_empty() && preset.is_none() {
            return Err(Failure::usage(
                "name a program, such as `-- ./still-fails.sh {}`, a --preset, or a --group of a --db",
            ));
        }
        let subject = subject(None, &self.command, preset, &self.program, &self.oracle)?;
        let (interest, about) = match self.verdict {
            None => (Interest::Success, "success".to_owned()),
            Some(verdict) => {
                (Interest::Verdict(verdict, subject.oracle), verdict.name().to_owned())
            }
        };
        Ok(Case { program: subject.program, interest, about, input: None })
    }

    fn of_group(
        &self,
        loaded: &LoadedGrammar,
        path: &Path,
        number: usize,
    ) -> Result<Case, Failure> {
        let report = Report::read(path, Some(&loaded.language)).map_err(|e| bad_database(&e))?;
        let Some(group) = number.checked_sub(1).and_then(|index| report.groups.get(index)) else {
            let message = format!("there is no group {number} in `{}`", path.display());
            let help = format!("it has {} groups", report.groups.len());
            return Err(Failure::refused(
                Diagnostic::new(codes::NO_SUCH_GROUP, message).help(help),
            ));
        };
        let failed = |error| bad_database(&JournalError::Database(path.to_owned(), error));
        let row = &read::subjects(&report.database).map_err(failed)?[group.subject];
        let stored = |_| {
            let message = format!("`{}` does not say how its program is run", path.display());
            Failure::refused(Diagnostic::new(codes::BAD_DATABASE, message))
        };
        let mut program: Program = serde_json::from_str(&row.program).map_err(stored)?;
        if !self.command.is_empty() {
            program = self.program.apply(Program::new(self.command.clone()));
        }
        let spec: OracleSpec = serde_json::from_str(&row.oracle).map_err(stored)?;
        let oracle = spec.build().map_err(|error| {
            Failure::refused(Diagnostic::new(codes::BAD_PATTERN, error.to_string()))
        })?;
        let (verdict, ending, signature) =
            (group.verdict, group.ending.clone(), group.signature.clone());
        let about = format!("{} {ending} {signature}", verdict.name());
        let input = Some(group.smallest.case.content.clone());
        let interest = Interest::Group { verdict, ending, signature, oracle };
        Ok(Case { program, interest, about, input })
    }
}

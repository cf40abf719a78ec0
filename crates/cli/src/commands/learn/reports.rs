//! Behaviour from files: NDJSON, or coverage reports beside inputs.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use gramercy::base::{Diagnostic, IndexMap, Sources, files};
use gramercy::learn::Observed;
use gramercy::learn::behaviour::Report;
use gramercy::learn::readers::{Format, Granularity, ndjson};
use gramercy::suite::Corpus;

use super::bad_behaviour;
use crate::codes;
use crate::commands::learning::MAX_BYTES;
use crate::commands::reading::unreadable;
use crate::console::Console;
use crate::outcome::Failure;

/// What reports look like, and what is taken from them.
#[derive(Clone, Copy)]
pub(in crate::commands) struct ReportKind {
    /// The name of their format; `None` to recognize it.
    pub(in crate::commands) format: Option<&'static str>,
    pub(in crate::commands) granularity: Granularity,
}

impl ReportKind {
    fn read(self, path: &Path) -> Result<Report, String> {
        let here = path.display();
        let text = files::read_text(path, MAX_BYTES);
        let text = text.map_err(|error| format!("cannot read `{here}`: {error}"))?;
        let format = match self.format {
            Some(name) => Format::named(name),
            None => Format::of(&text),
        };
        let format =
            format.ok_or_else(|| format!("`{here}` is no coverage report that is known"))?;
        let report = format.read(&text, self.granularity);
        report.map_err(|error| format!("cannot use `{here}`: {error}"))
    }
}

/// Reads a file of behaviour. Paths in it are relative to its folder.
pub(in crate::commands) fn read_behaviour(
    file: &Path,
    kind: ReportKind,
) -> Result<Vec<Observed>, Failure> {
    let here = file.display();
    let text = match file.to_str() {
        Some("-") => files::read_all(std::io::stdin(), MAX_BYTES).and_then(files::text),
        _ => files::read_text(file, MAX_BYTES),
    };
    let text = text.map_err(|error| bad_behaviour(format!("cannot read `{here}`: {error}")))?;
    let folder = file.parent().unwrap_or(Path::new("."));
    let load = |path: &str| {
        let path = folder.join(path);
        files::read_text(&path, MAX_BYTES)
            .map_err(|error| format!("cannot read `{}`: {error}", path.display()))
    };
    let report = |path: &str| kind.read(&folder.join(path));
    let read = ndjson::read(&text, &load, &report);
    read.map_err(|(line, error)| bad_behaviour(format!("line {line} of `{here}`: {error}")))
}

/// Reads the inputs of a corpus, each with its report in a folder.
pub(super) fn read_folder(
    corpus: &Corpus,
    folder: &Path,
    kind: ReportKind,
    console: &Console,
) -> Result<Vec<Observed>, Failure> {
    let mut reports = reports_in(folder)?;
    let (mut observed, mut failure, mut warnings) = (Vec::new(), None, Vec::new());
    corpus.for_each(|input| {
        let input = match input {
            Ok(input) => input,
            Err(error) => {
                warnings.push(unreadable(&error));
                return ControlFlow::Continue(());
            }
        };
        let Some(path) = report_of(&input.name, &mut reports) else {
            let message = format!("there is no coverage report for `{}`", input.name);
            warnings.push(Diagnostic::new(codes::LEFT_OUT, message));
            return ControlFlow::Continue(());
        };
        match kind.read(&path) {
            Ok(report) => {
                // What is not text is no sentence, and is told as such.
                let text = input.text().map(Cow::into_owned);
                let text =
                    text.unwrap_or_else(|_| String::from_utf8_lossy(&input.content).into_owned());
                observed.push(Observed { name: input.name, text, report });
                ControlFlow::Continue(())
            }
            Err(error) => {
                failure = Some(bad_behaviour(error));
                ControlFlow::Break(())
            }
        }
    });
    if let Some(failure) = failure {
        return Err(failure);
    }
    for (name, _) in &reports {
        let message = format!("the coverage report `{name}` belongs to no input");
        warnings.push(Diagnostic::new(codes::LEFT_OUT, message));
    }
    console.report(&warnings, &Sources::new());
    Ok(observed)
}

/// The files in a folder by their names, in order.
fn reports_in(folder: &Path) -> Result<IndexMap<String, PathBuf>, Failure> {
    let here = folder.display();
    let unreadable = |error| bad_behaviour(format!("cannot read the folder `{here}`: {error}"));
    let mut found: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        found.push(entry.map_err(unreadable)?.path());
    }
    found.sort();
    let named = |path: PathBuf| Some((path.file_name()?.to_str()?.to_owned(), path.clone()));
    Ok(found.into_iter().filter(|path| path.is_file()).filter_map(named).collect())
}

/// Takes the report of an input: one whose name without its extension is that of the input, with or without the
/// extension of the input.
fn report_of(input: &str, reports: &mut IndexMap<String, PathBuf>) -> Option<PathBuf> {
    let name = Path::new(input).file_name()?.to_str()?;
    let stem = Path::new(name).file_stem()?.to_str()?;
    let without = |report: &str| report.rsplit_once('.').map(|(stem, _)| stem.to_owned());
    let found = [name, stem].iter().find_map(|wanted| {
        reports.keys().position(|report| without(report).as_deref() == Some(*wanted))
    });
    reports.shift_remove_index(found?).map(|(_, path)| path)
}

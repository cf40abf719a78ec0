//! Grammars of all notations: those of the project, and a collection next to the checkout that
//! users do not have.

use std::path::PathBuf;

use crate::Fallible;
use crate::antlr;

/// A grammar whose suites are checked.
#[derive(Clone, Debug)]
pub struct Subject {
    /// Its name in the table.
    pub name: String,
    /// The file that we read.
    pub main: PathBuf,
    /// The start rule, if the file does not determine it.
    pub start: Option<String>,
    /// The input of ANTLR, if it is a grammar of ANTLR.
    pub antlr: Option<antlr::subject::Subject>,
}

impl Subject {
    fn of_file(main: PathBuf) -> Self {
        let name = main.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Self { name, main, start: None, antlr: None }
    }

    fn of_antlr(subject: antlr::subject::Subject) -> Self {
        Self {
            name: subject.name.clone(),
            main: subject.main.clone(),
            start: subject.start.clone(),
            antlr: Some(subject),
        }
    }
}

/// The project's own examples.
#[must_use]
pub fn own() -> Vec<Subject> {
    let tokens_only = gramercy_testkit::files_in(&gramercy_testkit::examples(), &["y"]);
    let with_texts = antlr::subject::own().into_iter().map(Subject::of_antlr);
    with_texts.chain(tokens_only.into_iter().map(Subject::of_file)).collect()
}

/// Grammars of rare features.
#[must_use]
pub fn features() -> Vec<Subject> {
    antlr::subject::features().into_iter().map(Subject::of_antlr).collect()
}

/// The collection; empty, with a printed reason, if it does not exist.
///
/// # Errors
/// If its index is malformed.
pub fn collection() -> Fallible<Vec<Subject>> {
    let folders = ["pytomata", "tribble"].map(gramercy_testkit::shared);
    let files = folders.iter().flatten();
    let files =
        files.flat_map(|folder| gramercy_testkit::files_in(folder, &["y", "tribble", "scala"]));
    let of_antlr = antlr::subject::collection()?.into_iter().map(Subject::of_antlr);
    Ok(files.map(Subject::of_file).chain(of_antlr).collect())
}

//! One file per test in a folder, with names that are the same every time.
//!
//! A folder that holds anything but an older suite is not touched, unless that is said; an older suite
//! is replaced as a whole, so that no test of it is left among the new ones.

use std::path::{Path, PathBuf};

use super::names::{Naming, file_name, is_file_name};
use crate::manifest;
use crate::sink::{Sink, SinkError, Wants};
use crate::test::Test;

/// A folder with one file per test.
#[derive(Debug)]
pub struct Directory {
    folder: PathBuf,
    naming: Naming,
}

/// What is done about files that are in the folder already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// Only an older suite gives way.
    Respect,
    /// Files of a suite give way, others stay among the new ones.
    Force,
}

impl Directory {
    /// A folder, which is made if it is not there.
    ///
    /// # Errors
    /// If it holds other files, or cannot be written.
    pub fn new(
        folder: &Path,
        naming: impl Into<Naming>,
        existing: Existing,
    ) -> Result<Self, SinkError> {
        clear(folder, existing)?;
        Ok(Self { folder: folder.to_owned(), naming: naming.into() })
    }
}

/// Makes a folder, or removes an older suite from it.
fn clear(folder: &Path, existing: Existing) -> Result<(), SinkError> {
    let failed = |error| SinkError::of_file(folder, error);
    std::fs::create_dir_all(folder).map_err(failed)?;
    let mut old = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if is_file_name(&name) || name == manifest::FILE_NAME || name == super::fuzzing::DICTIONARY
        {
            old.push(entry.path());
        } else if existing == Existing::Respect {
            let what = format!("holds other files, such as `{name}`");
            return Err(SinkError::InTheWay { path: folder.to_owned(), what });
        }
    }
    for path in old {
        std::fs::remove_file(&path).map_err(|error| SinkError::of_file(&path, error))?;
    }
    Ok(())
}

impl Sink for Directory {
    fn wants(&self) -> Wants {
        self.naming.wants()
    }

    fn put(&mut self, test: &Test<'_>) -> Result<(), SinkError> {
        let path = self.folder.join(file_name(test, &self.naming));
        std::fs::write(&path, test.content.as_bytes())
            .map_err(|error| SinkError::of_file(path, error))
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        Ok(())
    }
}

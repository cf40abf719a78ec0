//! A corpus for AFL++ and libFuzzer: a folder with one file per test, and beside it a dictionary of the
//! grammar's literals (`-x` of afl-fuzz, `-dict` of libFuzzer).

use std::fmt::Write;
use std::path::Path;

use super::directory::{Directory, Existing};
use super::names::Naming;
use crate::manifest;
use crate::sink::{Sink, SinkError, Wants};
use crate::test::Test;

/// The dictionary's name.
pub(crate) const DICTIONARY: &str = "literals.dict";
/// The folder of the tests: fuzzers read every file of it.
const CORPUS: &str = "corpus";

/// A corpus with a dictionary.
#[derive(Debug)]
pub struct FuzzCorpus(Directory);

impl FuzzCorpus {
    /// A folder, which is made if it is not there, with the dictionary of these literals.
    ///
    /// # Errors
    /// If it holds other files, or cannot be written.
    pub fn new(
        folder: &Path,
        naming: impl Into<Naming>,
        existing: Existing,
        literals: &[&str],
    ) -> Result<Self, SinkError> {
        check(folder, existing)?;
        let tests = Directory::new(&folder.join(CORPUS), naming, existing)?;
        let path = folder.join(DICTIONARY);
        let written = std::fs::write(&path, dictionary(literals));
        written.map_err(|error| SinkError::of_file(path, error))?;
        Ok(Self(tests))
    }
}

/// Whether nothing but an older corpus is in the folder, or that does not matter.
fn check(folder: &Path, existing: Existing) -> Result<(), SinkError> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Ok(()) };
    let own = [CORPUS, DICTIONARY, manifest::FILE_NAME];
    for entry in entries {
        let name = entry.map_err(|error| SinkError::of_file(folder, error))?.file_name();
        let name = name.to_string_lossy();
        if existing == Existing::Respect && !own.contains(&&*name) {
            let what = format!("holds other files, such as `{name}`");
            return Err(SinkError::InTheWay { path: folder.to_owned(), what });
        }
    }
    Ok(())
}

/// What AFL++ takes at most as an entry; with a longer one it does not start.
const LONGEST: usize = 128;

/// The entries of a dictionary: quoted, with what is not plain ASCII as `\xNN`.
fn dictionary(literals: &[&str]) -> String {
    let mut text = String::new();
    for literal in literals.iter().filter(|literal| (1..=LONGEST).contains(&literal.len())) {
        text.push('"');
        for byte in literal.bytes() {
            match byte {
                b'"' | b'\\' => {
                    text.push('\\');
                    text.push(byte.into());
                }
                b' '..=b'~' => text.push(byte.into()),
                _ => {
                    let _ = write!(text, "\\x{byte:02X}");
                }
            }
        }
        text.push_str("\"\n");
    }
    text
}

impl Sink for FuzzCorpus {
    fn wants(&self) -> Wants {
        self.0.wants()
    }

    fn put(&mut self, test: &Test<'_>) -> Result<(), SinkError> {
        self.0.put(test)
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        self.0.finish()
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn long_literals_are_left_out() {
        let literals = ["a".repeat(128), "b".repeat(129)];
        let text = super::dictionary(&[&literals[0], &literals[1]]);
        assert_eq!(text, format!("\"{}\"\n", literals[0]));
    }

    #[test]
    fn dictionaries_are_quoted() {
        let text = super::dictionary(&["if", "", "\"", "\\", "\n", "é"]);
        assert_eq!(text, "\"if\"\n\"\\\"\"\n\"\\\\\"\n\"\\x0A\"\n\"\\xC3\\xA9\"\n");
    }
}

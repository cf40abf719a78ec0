//! Grammars for tests: the examples of the project, a collection next to the checkout that users do
//! not have, and random ones; clocks for benchmarks.

pub mod clock;
mod folder;
pub mod random;
pub mod random_lexer;
pub mod random_syntax;

use std::path::{Path, PathBuf};

pub use folder::Folder;

/// The root of the checkout.
#[must_use]
pub fn workspace() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).expect("invariant: crates/testkit is two levels deep").to_path_buf()
}

/// The grammars of the project itself.
#[must_use]
pub fn examples() -> PathBuf {
    workspace().join("grammars")
}

/// The files of the project's grammars, with their names. The lexer `MiniLexer.g4` is excluded: it
/// is a part of `MiniParser.g4`.
///
/// # Panics
/// If the folder cannot be read.
#[must_use]
pub fn example_files() -> Vec<(String, PathBuf)> {
    let named = |file: PathBuf| {
        let name = file.file_name().expect("invariant: a file has a name").to_string_lossy();
        (name.into_owned(), file)
    };
    let files = files_in(&examples(), &["gram", "g4", "y"]).into_iter().map(named);
    files.filter(|(name, _)| name != "MiniLexer.g4").collect()
}

/// A folder of the collection next to the checkout, or `None` with a printed reason.
#[must_use]
pub fn shared(folder: &str) -> Option<PathBuf> {
    let path = workspace().join("../shared/grammars").join(folder);
    if path.is_dir() {
        return Some(path);
    }
    say(&format!("skipped: {} is not there", path.display()));
    None
}

#[expect(clippy::print_stderr, reason = "a skipped test says why")]
fn say(text: &str) {
    eprintln!("{text}");
}

/// The files below a folder with one of these extensions, sorted by path.
///
/// # Panics
/// If the folder cannot be read.
#[must_use]
pub fn files_in(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).expect("invariant: the folder is readable");
        for path in entries.map(|entry| entry.expect("a readable entry").path()) {
            if path.is_dir() {
                folders.push(path);
            } else if extensions.iter().any(|&wanted| path.extension() == Some(wanted.as_ref())) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

//! Copies the selected inputs into a folder.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use gramercy::base::{Diagnostic, Set};
use gramercy::suite::{Corpus, Input};

use crate::codes;
use crate::outcome::Failure;

/// Writes the inputs of these names into a new or empty folder, each under the last part of its name.
pub(super) fn copy(folder: &Path, corpus: &Corpus, selected: &[&str]) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::unwritable(folder, &error);
    std::fs::create_dir_all(folder).map_err(failed)?;
    if std::fs::read_dir(folder).map_err(failed)?.next().is_some() {
        let message = format!("`{}` holds other files", folder.display());
        let help = "name a folder that is empty, or that is not there yet";
        return Err(Failure::refused(Diagnostic::new(codes::IN_THE_WAY, message).help(help)));
    }
    let mut wanted: Set<&str> = selected.iter().copied().collect();
    let (mut names, mut result) = (Set::default(), Ok(()));
    corpus.for_each(|input| {
        // What cannot be read was told when it was measured.
        if let Ok(input) = input
            && wanted.remove(input.name.as_str())
        {
            let path = folder.join(free_name(&input, &mut names));
            let written = std::fs::write(&path, &input.content);
            result = written.map_err(|error| Failure::unwritable(&path, &error));
        }
        match result.is_ok() && !wanted.is_empty() {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    });
    result?;
    match wanted.iter().min() {
        None => Ok(()),
        Some(name) => {
            let message = format!("cannot copy {name}: it cannot be read a second time");
            Err(Failure::refused(Diagnostic::new(codes::UNREADABLE_INPUT, message)))
        }
    }
}

/// The last part of an input's name, with a number where it is taken.
fn free_name(input: &Input, taken: &mut Set<PathBuf>) -> PathBuf {
    let last = input.name.rsplit(['/', '\\']).next().unwrap_or("input").replace(':', "-");
    let last = PathBuf::from(if last.is_empty() { "input".to_owned() } else { last });
    let numbered = |number: u32| {
        let stem = last.file_stem().unwrap_or_default().to_string_lossy();
        let name = PathBuf::from(format!("{stem}-{number}"));
        last.extension().map_or(name.clone(), |extension| name.with_extension(extension))
    };
    let names = std::iter::once(last.clone()).chain((2..).map(numbered));
    let mut free = names.filter(|name| taken.insert(name.clone()));
    free.next().expect("invariant: numbers do not end")
}

#[cfg(test)]
mod tests {
    use gramercy::base::Set;
    use gramercy::suite::Input;

    use super::free_name;

    #[test]
    fn names_are_told_apart() {
        let mut taken = Set::default();
        let mut name = |of: &str| {
            free_name(&Input::new(of.to_owned(), Vec::new()), &mut taken).display().to_string()
        };
        assert_eq!(name("a/x.json"), "x.json");
        assert_eq!(name("b/x.json"), "x-2.json");
        assert_eq!(name("c.ndjson:7"), "c.ndjson-7");
        assert_eq!(name("c.zip/x.json"), "x-3.json");
    }
}

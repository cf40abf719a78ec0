//! The program, run as users run it, and the grammars for it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::process::{Call, Cargo, Fallible, Profile, root, target};

/// The program, built.
pub(crate) struct Gramercy {
    path: PathBuf,
}

impl Gramercy {
    /// Builds it.
    pub(crate) fn build(profile: Profile) -> Fallible<Self> {
        let call = Cargo::new(["build", "--quiet", "--locked", "--package", "gramercy-cli"]);
        call.with(profile.flags()).run()?;
        Ok(Self { path: target()?.join(profile.folder()).join("gramercy") })
    }

    /// Where it lies.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// A command on a grammar.
    pub(crate) fn on(&self, command: &str, entry: &Entry, arguments: &[&str]) -> Call {
        let call = Call::new(&self.path).arg(command).arg(&entry.path).args(arguments);
        match &entry.start {
            Some(start) => call.args(["--start", start]),
            None => call,
        }
    }
}

/// A grammar for a chore.
pub(crate) struct Entry {
    /// The file to read.
    pub(crate) path: PathBuf,
    /// Its start rule, if the file does not determine it.
    pub(crate) start: Option<String>,
}

impl Entry {
    /// A grammar whose file determines the start rule.
    pub(crate) fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), start: None }
    }

    /// The name of its file without extension.
    pub(crate) fn name(&self) -> String {
        self.path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }
}

/// The folder with the project's own grammars.
pub(crate) fn examples_folder() -> PathBuf {
    root().join("grammars")
}

/// The project's own grammars.
pub(crate) fn examples() -> Fallible<Vec<Entry>> {
    let is_grammar = |path: &Path| {
        let has_rules = !path.ends_with("MiniLexer.g4");
        has_rules && ["gram", "g4", "y"].iter().any(|&it| path.extension() == Some(OsStr::new(it)))
    };
    let paths = files(&examples_folder())?.into_iter().filter(|path| is_grammar(path));
    Ok(paths.map(Entry::new).collect())
}

/// The grammars of a collection next to the checkout; empty if it does not exist.
pub(crate) fn collection() -> Fallible<Vec<Entry>> {
    let folder = root().join("../shared/grammars");
    if !folder.is_dir() {
        crate::say(&format!("left out: {} is not there", folder.display()));
        return Ok(Vec::new());
    }
    let mut entries = Vec::new();
    for notation in ["pytomata", "tribble"] {
        let paths = files(&folder.join(notation))?;
        entries.extend(paths.into_iter().map(Entry::new));
    }
    entries.extend(antlr_collection()?);
    Ok(entries)
}

/// The ANTLR grammars of the collection, with the start rules of its index.
pub(crate) fn antlr_collection() -> Fallible<Vec<Entry>> {
    let folder = root().join("../shared/grammars/antlr");
    let Ok(index) = std::fs::read_to_string(folder.join("index.tsv")) else {
        return Ok(Vec::new());
    };
    let entry = |line: &str| {
        let [name, files, start, ..] = line.split('\t').collect::<Vec<_>>()[..] else {
            return Err(format!("index.tsv: {line}"));
        };
        let parser = files.split('+').find(|file| file.ends_with("Parser.g4")).unwrap_or(files);
        Ok(Entry { path: folder.join(name).join(parser), start: Some(start.to_owned()) })
    };
    index.lines().skip(1).map(entry).collect()
}

/// The files in a folder, sorted.
fn files(folder: &Path) -> Fallible<Vec<PathBuf>> {
    let broken = |error: std::io::Error| format!("{}: {error}", folder.display());
    let entries = std::fs::read_dir(folder).map_err(broken)?;
    let paths: Result<Vec<_>, _> = entries.map(|entry| entry.map(|it| it.path())).collect();
    let mut paths = paths.map_err(broken)?;
    paths.sort();
    Ok(paths)
}

/// A folder below the target directory for files of one chore.
pub(crate) fn scratch(chore: &str) -> Fallible<PathBuf> {
    let folder = target()?.join("xtask").join(chore);
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(folder)
}

//! Grammars in ANTLR's notation with examples: those of the project, and a collection next to the
//! checkout that users do not have.

use std::path::{Path, PathBuf};

use super::random_grammar::RandomGrammar;
use crate::Fallible;

/// A grammar to be judged.
#[derive(Clone, Debug)]
pub struct Subject {
    /// Its name in the table.
    pub name: String,
    /// The file that we read.
    pub main: PathBuf,
    /// The start rule, if the file does not determine it.
    pub start: Option<String>,
    /// The input of ANTLR.
    pub input_kind: AntlrInput,
    /// The file of examples.
    pub examples: PathBuf,
}

/// The input of ANTLR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AntlrInput {
    /// The original files.
    Original,
    /// The grammar as this project writes it for ANTLR: from another notation, or without host code
    /// whose classes are missing.
    Converted,
}

/// A text to be judged.
#[derive(Clone, Debug)]
pub struct Example {
    /// Its name.
    pub name: String,
    /// The text.
    pub text: String,
}

impl Subject {
    /// The examples; empty if there is no file of them.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn examples(&self) -> Fallible<Vec<Example>> {
        if !self.examples.exists() {
            return Ok(Vec::new());
        }
        let lines = std::fs::read_to_string(&self.examples)
            .map_err(|error| format!("{}: {error}", self.examples.display()))?;
        lines.lines().map(example).collect()
    }
}

fn example(line: &str) -> Fallible<Example> {
    let value: serde_json::Value =
        serde_json::from_str(line).map_err(|error| format!("{error}: {line}"))?;
    let string = |key: &str| value[key].as_str().map(str::to_owned);
    match (string("name"), string("text")) {
        (Some(name), Some(text)) => Ok(Example { name, text }),
        _ => Err(format!("an example needs a name and a text: {line}")),
    }
}

/// The project's examples with texts. A grammar without a lexer has names instead.
#[must_use]
pub fn own() -> Vec<Subject> {
    let mut files = gramercy_testkit::files_in(&gramercy_testkit::examples(), &["g4", "gram"]);
    files.retain(|path| !path.to_string_lossy().ends_with("Lexer.g4"));
    files.into_iter().map(of_example).collect()
}

fn of_example(main: PathBuf) -> Subject {
    let name = main.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let stem = main.file_stem().unwrap_or_default().to_string_lossy();
    let language = stem.trim_end_matches("Parser").to_lowercase();
    let input_kind =
        if name.ends_with(".g4") { AntlrInput::Original } else { AntlrInput::Converted };
    let examples = main.with_file_name(format!("{language}.corpus.ndjson"));
    Subject { name, main, start: None, input_kind, examples }
}

/// Small grammars for rare features, one folder each.
#[must_use]
pub fn features() -> Vec<Subject> {
    let folder = gramercy_testkit::workspace().join("proof/features");
    let entries = std::fs::read_dir(&folder).into_iter().flatten();
    let mut folders: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    folders.sort();
    folders.iter().filter_map(|folder| of_feature(folder)).collect()
}

/// The file with the parser has the name of the folder.
fn of_feature(folder: &Path) -> Option<Subject> {
    let name = folder.file_name()?.to_string_lossy().into_owned();
    let wanted = name.replace('_', "");
    let is_main = |path: &PathBuf| {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
        stem.trim_end_matches("parser") == wanted
    };
    let main = gramercy_testkit::files_in(folder, &["g4"]).into_iter().find(is_main)?;
    let examples = folder.join("examples.ndjson");
    Some(Subject { name, main, start: None, input_kind: AntlrInput::Original, examples })
}

/// Random grammars of these seeds, one folder each.
///
/// # Errors
/// If they cannot be written.
pub fn random(seeds: std::ops::Range<u64>) -> Fallible<Vec<Subject>> {
    let folder = gramercy_testkit::workspace().join("target/proof-antlr/random");
    seeds.map(|seed| of_seed(&folder, seed)).collect()
}

fn of_seed(folder: &Path, seed: u64) -> Fallible<Subject> {
    let name = format!("random-{seed}");
    let folder = folder.join(&name);
    let RandomGrammar { lexer, parser } = RandomGrammar::new(seed);
    let write = |name: &str, text: &str| -> Fallible<PathBuf> {
        let path = folder.join(name);
        std::fs::create_dir_all(&folder)
            .and_then(|()| std::fs::write(&path, text))
            .map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(path)
    };
    write("RandomLexer.g4", &lexer)?;
    let main = write("RandomParser.g4", &parser)?;
    let examples = folder.join("examples.ndjson");
    Ok(Subject { name, main, start: Some("r0".into()), input_kind: AntlrInput::Original, examples })
}

/// The collection; empty, with a printed reason, if it does not exist.
///
/// # Errors
/// If its index is malformed.
pub fn collection() -> Fallible<Vec<Subject>> {
    let Some(folder) = gramercy_testkit::shared("antlr") else { return Ok(Vec::new()) };
    let index = std::fs::read_to_string(folder.join("index.tsv"))
        .map_err(|error| format!("the index of the collection: {error}"))?;
    index.lines().skip(1).map(|line| of_line(&folder, line)).collect()
}

fn of_line(collection: &Path, line: &str) -> Fallible<Subject> {
    let fields: Vec<_> = line.split('\t').collect();
    let [name, files, start, _predicates, superclass, ..] = fields[..] else {
        return Err(format!("a line of the index is short: {line}"));
    };
    let folder = collection.join(name);
    let files: Vec<_> = files.split('+').collect();
    let main = files.iter().find(|file| file.contains("Parser")).or(files.first());
    Ok(Subject {
        name: name.into(),
        main: folder.join(main.ok_or_else(|| format!("{name} has no files"))?),
        start: Some(start.into()),
        input_kind: if superclass == "yes" { AntlrInput::Converted } else { AntlrInput::Original },
        examples: folder.join("examples.ndjson"),
    })
}

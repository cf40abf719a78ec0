//! Grammars in ANTLR's notation with examples: the project's own, and a collection beside the checkout
//! that users do not have.

use std::path::{Path, PathBuf};

use crate::Fallible;

/// A grammar to be judged.
#[derive(Clone, Debug)]
pub struct Subject {
    /// Its name in the table.
    pub name: String,
    /// Where its files are.
    pub folder: PathBuf,
    /// The file that we read.
    pub main: PathBuf,
    /// The files that ANTLR is given, lexers first.
    pub files: Vec<String>,
    /// The start rule.
    pub start: String,
    /// Whether ANTLR needs classes that are not there.
    pub needs_classes: bool,
    /// The file of examples.
    pub examples: PathBuf,
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
    /// The examples; none where there is no file of them.
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

    /// The name of the grammar that ANTLR makes the parser from.
    #[must_use]
    pub fn grammar_name(&self) -> &str {
        self.main.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default()
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

/// The project's own example in this notation.
#[must_use]
pub fn own() -> Vec<Subject> {
    let folder = gramercy_testkit::examples();
    vec![Subject {
        name: "mini".into(),
        main: folder.join("MiniParser.g4"),
        files: vec!["MiniLexer.g4".into(), "MiniParser.g4".into()],
        start: "program".into(),
        needs_classes: false,
        examples: folder.join("mini.corpus.ndjson"),
        folder,
    }]
}

/// The collection; empty, with a printed reason, where it is not there.
///
/// # Errors
/// If its index is not what it should be.
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
    let mut files: Vec<_> = files.split('+').map(str::to_owned).collect();
    if files.len() > 1 {
        // The others are imported by these.
        files.retain(|file| file.contains("Lexer") || file.contains("Parser"));
        files.sort();
    }
    let main = files.last().ok_or_else(|| format!("{name} has no files"))?;
    Ok(Subject {
        name: name.into(),
        main: folder.join(main),
        start: start.into(),
        needs_classes: superclass == "yes",
        examples: folder.join("examples.ndjson"),
        files,
        folder,
    })
}

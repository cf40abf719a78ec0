//! The public collection of grammars, if it is next to the checkout.

use std::path::PathBuf;

use gramercy_formats::{Disk, LoadOptions, Loaded, load};

/// A grammar of the collection: its parser file and its start rule.
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) file: PathBuf,
    pub(crate) start: String,
}

/// All grammars of the collection; none if it does not exist.
pub(crate) fn entries() -> Vec<Entry> {
    let Some(folder) = gramercy_testkit::shared("antlr") else {
        return Vec::new();
    };
    let index = std::fs::read_to_string(folder.join("index.tsv")).expect("a readable index");
    let entries = index.lines().skip(1).map(|line| {
        let columns: Vec<_> = line.split('\t').collect();
        let files: Vec<_> = columns[1].split('+').collect();
        let parser = files.iter().find(|file| file.ends_with("Parser.g4")).unwrap_or(&files[0]);
        let file = folder.join(columns[0]).join(parser);
        Entry { name: columns[0].to_owned(), file, start: columns[2].to_owned() }
    });
    entries.collect()
}

pub(crate) fn load_entry(entry: &Entry) -> Loaded {
    let options = LoadOptions { start: Some(entry.start.clone()), ..LoadOptions::default() };
    load(&entry.file, &Disk, &options)
}

#[test]
fn every_grammar_loads() {
    for entry in entries() {
        let loaded = load_entry(&entry);
        let errors: Vec<_> = loaded.diagnostics.iter().filter(|d| d.is_error()).collect();
        assert!(errors.is_empty(), "{}: {errors:#?}", entry.name);
        let grammar = loaded.grammar.expect("a grammar without errors");
        assert_eq!(*grammar.rules()[grammar.start()].name, *entry.start, "{}", entry.name);
        assert!(grammar.lexicon().is_some(), "{}", entry.name);
    }
}

#[test]
fn every_start_is_found_or_reported() {
    for entry in entries() {
        let loaded = load(&entry.file, &Disk, &LoadOptions::default());
        let found = match &loaded.grammar {
            Some(grammar) => grammar.rules()[grammar.start()].name.to_string(),
            None => loaded.diagnostics.last().expect("a question").message.clone(),
        };
        // Lua's `start_` is `chunk EOF`, and no other rule refers to it.
        let expected = if entry.name == "lua" { "start_" } else { &entry.start };
        let asked = found.contains(&format!("`{expected}`"));
        assert!(asked || found == expected, "{}: {found}", entry.name);
    }
}

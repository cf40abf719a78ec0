//! The lints on small grammars, with and without findings, and on the grammar collections.

mod alternatives;
mod collections;
mod conflicts;
mod ignored;
mod laws;
mod limits;
mod modes;
mod rules;
mod suspects;
mod tokens;

use std::path::Path;

use gramercy_base::{Diagnostic, Limits};
use gramercy_check::{Conflicts, Options, Subject, check};
use gramercy_formats::{LoadOptions, Loaded, Memory, load};
use gramercy_grammar::{Bnf, Grammar};

/// A grammar with its BNF core and the diagnostics of its reader.
struct Read {
    grammar: Grammar,
    bnf: Bnf,
    said: Vec<Diagnostic>,
}

impl Read {
    /// Reads a text in the notation of a file name.
    fn new(name: &str, text: &str) -> Self {
        let files = Memory::with(name, text);
        Self::of(&load(Path::new(name), &files, &LoadOptions::default()))
    }

    /// Takes the result of a reader.
    fn of(loaded: &Loaded) -> Self {
        let said = loaded.diagnostics.clone();
        let grammar = loaded.grammar.clone().unwrap_or_else(|| panic!("{said:?}"));
        let bnf = grammar.bnf(&grammar.graph(), &Limits::default()).expect("a small grammar");
        Self { grammar, bnf, said }
    }

    /// The findings, without conflicts.
    fn lints(&self) -> Vec<Diagnostic> {
        self.check(&Options { conflicts: Conflicts::Ignored, ..Options::default() })
    }

    fn check(&self, options: &Options) -> Vec<Diagnostic> {
        let Self { grammar, bnf, said } = self;
        check(&Subject { grammar, bnf, said }, options, &Limits::default())
    }
}

/// A diagnostic as `code: message`.
fn shown(diagnostic: &Diagnostic) -> String {
    format!("{}: {}", diagnostic.code.name, diagnostic.message)
}

/// The findings about a grammar, without conflicts.
fn lints(name: &str, text: &str) -> Vec<Diagnostic> {
    Read::new(name, text).lints()
}

/// Compares the findings about a grammar, without conflicts.
fn check_lints(name: &str, text: &str, expected: &[&str]) {
    let found: Vec<_> = lints(name, text).iter().map(shown).collect();
    assert_eq!(found, expected, "{text}");
}

/// Compares the notes and the help of the only finding about a grammar.
fn check_notes(name: &str, text: &str, expected: &[&str]) {
    let found = lints(name, text);
    let [only] = &found[..] else { panic!("{found:?}") };
    let notes: Vec<_> = only.notes.iter().chain(&only.help).collect();
    assert_eq!(notes, expected, "{text}");
}

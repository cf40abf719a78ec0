//! The lints on small grammars, each where it speaks and where it is silent, and on the collections.

mod alternatives;
mod collections;
mod conflicts;
mod laws;
mod limits;
mod modes;
mod rules;
mod set_aside;
mod tokens;

use std::path::Path;

use gramercy_base::{Diagnostic, Limits};
use gramercy_check::{Conflicts, Options, Subject, check};
use gramercy_formats::{LoadOptions, Loaded, Memory, load};
use gramercy_grammar::{Bnf, Grammar};

/// A grammar with its BNF core and what its reader said.
struct Read {
    grammar: Grammar,
    bnf: Bnf,
    said: Vec<Diagnostic>,
}

impl Read {
    /// Reads a text in the notation of a file's name.
    fn new(name: &str, text: &str) -> Self {
        let files = Memory::with(name, text);
        Self::of(&load(Path::new(name), &files, &LoadOptions::default()))
    }

    /// Takes what was read.
    fn of(loaded: &Loaded) -> Self {
        let said = loaded.diagnostics.clone();
        let grammar = loaded.grammar.clone().unwrap_or_else(|| panic!("{said:?}"));
        let bnf = grammar.bnf(&grammar.graph(), &Limits::default()).expect("a small grammar");
        Self { grammar, bnf, said }
    }

    /// What is said, conflicts aside.
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

/// What is said about a grammar, conflicts aside.
fn lints(name: &str, text: &str) -> Vec<Diagnostic> {
    Read::new(name, text).lints()
}

/// Compares what is said about a grammar, conflicts aside.
fn check_lints(name: &str, text: &str, expected: &[&str]) {
    let found: Vec<_> = lints(name, text).iter().map(shown).collect();
    assert_eq!(found, expected, "{text}");
}

/// Compares the notes and the help of the only thing that is said about a grammar.
fn check_notes(name: &str, text: &str, expected: &[&str]) {
    let found = lints(name, text);
    let [only] = &found[..] else { panic!("{found:?}") };
    let notes: Vec<_> = only.notes.iter().chain(&only.help).collect();
    assert_eq!(notes, expected, "{text}");
}

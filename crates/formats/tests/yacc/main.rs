//! Reading and writing yacc files.

mod constructs;
mod corpus;
mod mistakes;
mod writing;

use std::path::Path;

use gramercy_base::Limits;
use gramercy_formats::{Disk, LoadOptions, Loaded, Memory, bnf_listing, load};
use gramercy_grammar::{Bnf, Grammar};

/// What becomes of a text as a file.
fn read(text: &str) -> Loaded {
    let files = Memory::with("test.y", text);
    load(Path::new("test.y"), &files, &LoadOptions::default())
}

/// The grammar of a text that has no mistakes.
fn grammar(text: &str) -> Grammar {
    let loaded = read(text);
    let mistakes = rendered(&loaded);
    loaded.grammar.unwrap_or_else(|| panic!("{mistakes:?} in:\n{text}"))
}

fn grammar_at(path: &Path) -> Option<Grammar> {
    load(path, &Disk, &LoadOptions::default()).grammar
}

fn core(grammar: &Grammar) -> Bnf {
    grammar.bnf(&grammar.graph(), &Limits::default()).expect("small")
}

/// The productions of a text, one a line, without their numbers.
fn productions(text: &str) -> Vec<String> {
    let grammar = grammar(text);
    let listing = bnf_listing(&grammar, &core(&grammar));
    listing
        .lines()
        .map(|line| line.trim_start().split_once("  ").expect("a number").1.into())
        .collect()
}

/// The diagnostics of a file as `code line:column message`.
fn rendered(loaded: &Loaded) -> Vec<String> {
    let place = |span| {
        let position = loaded.sources.position(span);
        format!("{}:{}", position.line, position.column)
    };
    let diagnostics = loaded.diagnostics.iter().map(|diagnostic| {
        let at = diagnostic.span().map_or("-".into(), place);
        format!("{} {at} {}", diagnostic.code.name, diagnostic.message)
    });
    diagnostics.collect()
}

//! Reading and writing yacc files.

mod constructs;
mod corpus;
mod mistakes;
mod writing;

use std::path::Path;

use gramercy_base::{IndexSet, Limits};
use gramercy_formats::{Disk, LoadOptions, Loaded, Memory, bnf_listing, load};
use gramercy_grammar::{Bnf, Grammar, Symbol, TerminalKind};

/// The result of reading a text as a file.
fn read(text: &str) -> Loaded {
    let files = Memory::with("test.y", text);
    load(Path::new("test.y"), &files, &LoadOptions::default())
}

/// The grammar of a text without errors.
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

/// The productions of a text, one per line, without their numbers.
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

/// The productions with symbols numbered by their first occurrence, and the symbols in that order.
fn shape(bnf: &Bnf) -> (Vec<Vec<usize>>, Vec<Symbol>) {
    let mut order: IndexSet<Symbol> = IndexSet::default();
    let mut shape = Vec::new();
    for production in bnf.productions() {
        let lhs = Symbol::Nonterminal(bnf.lhs(production));
        let symbols = std::iter::once(lhs).chain(bnf.rhs(production).iter().copied());
        shape.push(symbols.map(|symbol| order.insert_full(symbol).0).collect());
    }
    (shape, order.into_iter().collect())
}

/// The text of a symbol, if it is fixed and can be an alias.
fn text_of(grammar: &Grammar, symbol: Symbol) -> Option<&str> {
    let Symbol::Terminal(terminal) = symbol else {
        return None;
    };
    let text = match &grammar.terminals()[terminal].kind {
        TerminalKind::Token { text, .. } => text.as_deref(),
        TerminalKind::Literal(text) => Some(&**text),
        _ => None,
    };
    text.filter(|text| !text.is_empty() && !text.contains('\0'))
}

/// Asserts that a written grammar is read back as the same productions over the same terminals,
/// possibly with other names and ids; returns the file and the result.
fn round_trip(before: &Grammar) -> (String, Grammar) {
    let core_before = core(before);
    let written = gramercy_formats::yacc::write(before, &core_before);
    let after = grammar(&written);
    let (shape_before, order_before) = shape(&core_before);
    let (shape_after, order_after) = shape(&core(&after));
    assert!(shape_before == shape_after, "{}:\n{written}", before.name());
    for (&old, &new) in order_before.iter().zip(&order_after) {
        assert_eq!(text_of(before, old), text_of(&after, new), "{}:\n{written}", before.name());
    }
    (written, after)
}

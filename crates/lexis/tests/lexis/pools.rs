//! Lexemes that users give.

use std::path::Path;

use gramercy_formats::{LoadOptions, Memory, load};
use gramercy_grammar::Grammar;
use gramercy_lexis::{Choice, Pool, WriteOptions, Writer};

use crate::support::{grammar_with, terminal};

fn yacc(text: &str) -> Grammar {
    let files = Memory::with("t.y", text);
    let loaded = load(Path::new("t.y"), &files, &LoadOptions::default());
    loaded.grammar.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics))
}

const TOKENS: &str = "%token ID NUM PLUS \"+\"\n%%\ns : ID PLUS NUM '=' ',' ;\n";

/// A pool of a token's lexemes.
fn pool(token: &str, lexemes: &[&str]) -> Pool {
    let mut pool = Pool::new();
    lexemes.iter().for_each(|lexeme| pool.add(token, lexeme));
    pool
}

/// Compares the lexemes of a token with those that are given.
fn check(token: &str, lexemes: &[&str]) {
    let (grammar, pool) = (yacc(TOKENS), pool(token, lexemes));
    assert_eq!(pool.unknown_names(&grammar), [""; 0]);
    let options = WriteOptions { pool, ..WriteOptions::default() };
    let mut writer = Writer::new(&grammar, &options).expect("a writer");
    assert_eq!(writer.lexemes_of(terminal(&grammar, token)), lexemes, "{token}");
}

#[test]
fn lexemes_are_given_by_the_names_of_tokens() {
    check("ID", &["x", "y", "z"]);
    check("ID", &["a b", "c"]);
    check("NUM", &["1,5", " ", "\\", "\n\t\r", "é"]);
    check("PLUS", &["plus"]);
    check("'='", &["==", "="]);
    check("','", &[";"]);
    check("ID", &[]);
}

#[test]
fn names_that_are_no_token_are_told() {
    let mut pool = pool("ID", &["x"]);
    pool.add("NUM", "1");
    pool.add("s", "x");
    assert_eq!(pool.unknown_names(&yacc("%token ID\n%%\ns : ID ;\n")), ["NUM", "s"]);
}

#[test]
fn lexemes_that_are_given_take_the_place_of_names() {
    let grammar = yacc(TOKENS);
    let tokens = ["ID", "PLUS", "NUM"].map(|name| terminal(&grammar, name));
    let write = |pool| {
        let options = WriteOptions { pool, ..WriteOptions::default() };
        let mut writer = Writer::new(&grammar, &options).expect("a writer");
        let written = writer.write(&tokens, &Choice::default()).expect("a text");
        (written.text, written.placeholders)
    };
    assert_eq!(write(Pool::new()), ("ID + NUM".to_owned(), true));
    let mut pool = pool("ID", &["x"]);
    assert_eq!(write(pool.clone()), ("x + NUM".to_owned(), true));
    pool.add("NUM", "1");
    assert_eq!(write(pool), ("x + 1".to_owned(), false));
}

#[test]
fn lexemes_that_are_known_can_be_given_again() {
    let rules = "A: 'a' | ' ' | ',' | '\\\\' | '\\n' | '\\u0007'; B: 'b'+;";
    let grammar = grammar_with("s : A B C EOF ;", &format!("tokens {{ C }} {rules}"));
    let mut writer = Writer::new(&grammar, &WriteOptions::default()).expect("a writer");
    let mut pool = Pool::new();
    for name in ["A", "B"] {
        let known = writer.lexemes_of(terminal(&grammar, name));
        assert!(!known.is_empty());
        known.iter().for_each(|lexeme| pool.add(name, lexeme));
    }
    assert_eq!(writer.lexemes_of(terminal(&grammar, "C")), [""; 0]);
    let options = WriteOptions { pool, ..WriteOptions::default() };
    let mut pooled = Writer::new(&grammar, &options).expect("a writer");
    assert_eq!(pooled.wrong_pool_lexemes(), []);
    for name in ["A", "B"] {
        let token = terminal(&grammar, name);
        let (mut known, mut read) = (writer.lexemes_of(token), pooled.lexemes_of(token));
        known.sort();
        read.sort();
        assert_eq!(known, read);
    }
}

#[test]
fn lexemes_that_are_read_as_other_tokens_are_told() {
    let grammar = grammar_with("s : A B EOF ;", "A: 'a'; B: [a-z]+;");
    let mut pool = pool("B", &["b", "a"]);
    pool.add("A", "x");
    let options = WriteOptions { pool, ..WriteOptions::default() };
    let mut writer = Writer::new(&grammar, &options).expect("a writer");
    let wrong = |name: &str, text: &str| (terminal(&grammar, name), text.to_owned());
    assert_eq!(writer.wrong_pool_lexemes(), [wrong("B", "a"), wrong("A", "x")]);
}

//! Lexemes that users give: entries, files and templates.

use std::path::Path;

use gramercy_formats::{LoadOptions, Memory, load};
use gramercy_grammar::Grammar;
use gramercy_lexis::{Choice, Pool, PoolError, WriteOptions, Writer};

use crate::support::{grammar_with, terminal};

fn yacc(text: &str) -> Grammar {
    let files = Memory::with("t.y", text);
    let loaded = load(Path::new("t.y"), &files, &LoadOptions::default());
    loaded.grammar.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics))
}

const TOKENS: &str = "%token ID NUM PLUS \"+\"\n%%\ns : ID PLUS NUM '=' ',' ;\n";

/// Compares the lexemes of a token, taken from an entry.
fn check(entry: &str, token: &str, expected: &[&str]) {
    let grammar = yacc(TOKENS);
    let mut pool = Pool::new();
    pool.add_entry(entry).expect("an entry");
    assert_eq!(pool.unknown_names(&grammar), [""; 0]);
    let options = WriteOptions { pool, ..WriteOptions::default() };
    let mut writer = Writer::new(&grammar, &options).expect("a writer");
    assert_eq!(writer.lexemes_of(terminal(&grammar, token)), expected, "{entry}");
}

#[test]
fn entries_are_names_and_lexemes() {
    check("ID=x,y,z", "ID", &["x", "y", "z"]);
    check(" ID = a b , c ", "ID", &["a b", "c"]);
    check(r"NUM=1\,5,\s,\\,\n\t\r,\u{e9}", "NUM", &["1,5", " ", "\\", "\n\t\r", "é"]);
    check("'='===,=", "'='", &["==", "="]);
    check("','=;", "','", &[";"]);
    check("ID=", "ID", &[]);
}

#[test]
fn mistakes_are_told_with_their_lines() {
    let mut pool = Pool::new();
    let text = "# a comment\n\nID=x\nNUM\n=x\nNUM=\\q\nNUM=\\u{110000}\n'='\n NUM = 1\n";
    let expected = [
        (4, PoolError::NoName),
        (5, PoolError::NoName),
        (6, PoolError::BadEscape),
        (7, PoolError::BadEscape),
        (8, PoolError::NoName),
    ];
    assert_eq!(pool.add_file(text), expected);
    assert_eq!(pool.unknown_names(&yacc("%token ID\n%%\ns : ID ;\n")), ["NUM"]);
}

#[test]
fn a_template_has_all_tokens_and_says_what_is_missing() {
    let grammar = yacc(TOKENS);
    let mut writer = Writer::new(&grammar, &WriteOptions::default()).expect("a writer");
    let template = writer.lexeme_template();
    assert_eq!(
        template,
        "# Lexemes of the tokens of t: NAME=x,y,z\n\n\
         # Missing: without lexemes, names are written instead, or nothing at all.\nID=\nNUM=\n\n\
         # Known. A line without its mark takes the place of what is known.\n\
         # PLUS=+\n# '='==\n# ','=\\,\n"
    );
    // As it is, it changes nothing; filled in, it does.
    let mut pool = Pool::new();
    assert_eq!(pool.add_file(&template), []);
    assert_eq!(pool.add_file(&template.replace("ID=", "ID=x").replace("NUM=", "NUM=1")), []);
    let options = WriteOptions { pool, ..WriteOptions::default() };
    let mut writer = Writer::new(&grammar, &options).expect("a writer");
    let tokens = ["ID", "PLUS", "NUM"].map(|name| terminal(&grammar, name));
    let written = writer.write(&tokens, &Choice::default()).expect("a text");
    assert_eq!((written.text.as_str(), written.placeholders), ("x + 1", false));
}

#[test]
fn the_lexemes_of_a_template_are_read_back() {
    let rules = "A: 'a' | ' ' | ',' | '\\\\' | '\\n' | '\\u0007'; B: 'b'+;";
    let grammar = grammar_with("s : A B C EOF ;", &format!("tokens {{ C }} {rules}"));
    let mut writer = Writer::new(&grammar, &WriteOptions::default()).expect("a writer");
    let uncommented = writer.lexeme_template().replace("\n# A=", "\nA=").replace("\n# B=", "\nB=");
    assert!(uncommented.contains("\nC=\n"), "{uncommented}");
    let mut pool = Pool::new();
    assert_eq!(pool.add_file(&uncommented), []);
    let options = WriteOptions { pool, ..WriteOptions::default() };
    let mut pooled = Writer::new(&grammar, &options).expect("a writer");
    for name in ["A", "B"] {
        let token = terminal(&grammar, name);
        let (mut known, mut read) = (writer.lexemes_of(token), pooled.lexemes_of(token));
        known.sort();
        read.sort();
        assert_eq!(known, read);
    }
}

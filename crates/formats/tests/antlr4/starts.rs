//! The start rule.

use std::path::Path;

use gramercy_formats::{LoadOptions, Memory, load};
use gramercy_grammar::NoteKind;

use crate::show::load_text;

/// The start rule, or the error message.
#[track_caller]
fn check(rules: &str, expected: &str) {
    let loaded = load_text(&format!("grammar T;\n{rules}\nA : 'a' ;"));
    let found = match &loaded.grammar {
        Some(grammar) => grammar.rules()[grammar.start()].name.to_string(),
        None => loaded.diagnostics.last().expect("a question").message.clone(),
    };
    assert_eq!(found, expected, "{rules}");
}

#[test]
fn the_rule_that_no_other_refers_to() {
    check("s : t ; t : A ;", "s");
    check("t : A ; s : t ;", "s");
    check("s : A s | t ; t : A ;", "s");
}

#[test]
fn otherwise_the_one_that_requires_the_end() {
    check("s : t ; t : A ; u : t EOF ;", "u");
    check("s : t ; t : A s | u ; u : A ;", "several rules could be the start: `s`, `t`, `u`");
    check("s : t EOF ; t : A s | u ; u : A ;", "s");
    check("s : t ; t : A EOF ; u : A ;", "s");
    check("s : A EOF ; t : A EOF ;", "several rules could be the start: `s`, `t`");
    check("u : A ; s : A EOF ; t : A EOF | A ;", "several rules could be the start: `s`, `t`, `u`");
}

#[test]
fn the_one_that_the_user_requests() {
    let files = Memory::with("T.g4", "grammar T; s : t EOF ; t : 'a' ;");
    let options = LoadOptions { start: Some("t".to_owned()), ..LoadOptions::default() };
    let grammar = load(Path::new("T.g4"), &files, &options).grammar.expect("a grammar");
    assert_eq!(&*grammar.rules()[grammar.start()].name, "t");
    let options = LoadOptions { start: Some("T".to_owned()), ..LoadOptions::default() };
    let loaded = load(Path::new("T.g4"), &files, &options);
    let asked = loaded.diagnostics.last().expect("a complaint");
    assert_eq!(
        (asked.code.name, asked.help.as_deref()),
        ("unknown-start", Some("did you mean `t`?"))
    );
}

#[test]
fn a_start_that_may_end_early_is_noted() {
    #[track_caller]
    fn check(rules: &str, expected: bool) {
        let grammar = load_text(&format!("grammar T;\n{rules}")).grammar.expect("a grammar");
        let noted = grammar.notes().iter().any(|note| note.kind == NoteKind::StartWithoutEof);
        assert_eq!(noted, expected, "{rules}");
    }
    check("s : 'a' ;", true);
    check("s : 'a' EOF ;", false);
    check("s : 'a' EOF? ;", true);
    check("s : t ; t : 'a' EOF ;", false);
    check("s : 'a' EOF | 'b' ;", true);
    check("s : 'a' s | EOF ;", false);
    check("s : ('a' EOF | t) ; t : 'b' (EOF | 'c' EOF) ;", false);
    check("s : (EOF)* ;", true);
    check("s : t+ ; t : EOF ;", false);
}

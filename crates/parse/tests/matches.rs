//! What a lexer did with a text, beside what its scan says.

use std::path::Path;

use gramercy_base::Limits;
use gramercy_formats::{LoadOptions, Memory, load};
use gramercy_lexis::{Dfa, Lexer, Scan};
use gramercy_parse::Matches;

/// A newline after a name ends a statement; a match that reads nothing leaves that mode otherwise,
/// as in ANTLR's lexer of Go.
const ENDS: &str = "lexer grammar EndsLexer;
NAME : [a-z]+ -> mode(BEHIND);
PLUS : '+';
SPACE : [ \\n]+ -> skip;
mode BEHIND;
BLANK : ' ' -> skip;
END : ('\\n' | ';' | EOF) -> mode(DEFAULT_MODE);
OTHER : -> mode(DEFAULT_MODE), channel(HIDDEN);
";
const STATEMENTS: &str = "parser grammar EndsParser;
options { tokenVocab = EndsLexer; }
file : (NAME (PLUS NAME)* END)* EOF;
";

fn check(text: &str, expected: &[(&str, &str)]) {
    let files = Memory::with("EndsLexer.g4", ENDS).and("EndsParser.g4", STATEMENTS);
    let loaded = load(Path::new("EndsParser.g4"), &files, &LoadOptions::default());
    let grammar = loaded.grammar.expect("a grammar");
    let limits = Limits::default();
    let lexer = Lexer::new(&grammar, &limits).expect("a lexer");
    let mut dfa = Dfa::new(&lexer, limits.states);
    let mut scanned = Vec::new();
    let mut scan = Scan::new(&lexer, &mut dfa, text);
    while let Ok(Some(made)) = scan.next_match() {
        scanned.push((made.start, made.end));
    }
    let mut matches = Matches::new(&lexer, &mut dfa, text).expect("within the limits");
    let (mut found, mut places) = (Vec::new(), Vec::new());
    while let Some(made) = matches.next_match().expect("within the limits") {
        found.push((&*grammar.rules()[made.rule].name, &text[made.start..made.end]));
        places.push((made.start, made.end));
    }
    assert_eq!(found, expected, "{text:?}");
    assert_eq!(places, scanned, "{text:?}");
}

#[test]
fn matches_that_read_nothing_are_followed() {
    check(
        "a +b\n",
        &[
            ("NAME", "a"),
            ("BLANK", " "),
            ("OTHER", ""),
            ("PLUS", "+"),
            ("NAME", "b"),
            ("END", "\n"),
        ],
    );
    check("a", &[("NAME", "a")]);
    check("a?b", &[("NAME", "a"), ("OTHER", "")]);
    check("", &[]);
}

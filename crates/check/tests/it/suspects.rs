//! Guesses why inputs are rejected.

use gramercy_base::Limits;
use gramercy_check::suspects::Suspects;
use gramercy_lexis::Lexer;

use crate::Read;

const GRAMMAR: &str = "grammar G; s : (A | B)* EOF ; A : 'a' ; B : 'b' ; W : ' ' -> skip ; \
    C : '--' { readRest(); } -> skip ; D : '#' P -> skip ; fragment P : { isFirst() }? '!' ;";

/// The texts of the code that is suspected of an error at a byte of each text; empty where nothing is.
fn suspected(cases: &[(&str, usize)]) -> Vec<String> {
    let Read { grammar, .. } = &Read::new("G.g4", GRAMMAR);
    let limits = Limits::default();
    let lexer = Lexer::new(grammar, &limits).expect("a lexer");
    let suspects = Suspects::of(grammar, &lexer, &limits).expect("there is ignored code");
    let mut dfa = suspects.dfa();
    let mut code = |&(text, byte): &(&str, usize)| {
        let note = suspects.find(&mut dfa, text, byte).map(|note| &grammar.notes()[note]);
        let span = note.and_then(|note| note.span);
        span.map_or(String::new(), |span| GRAMMAR[span.start as usize..span.end as usize].into())
    };
    cases.iter().map(&mut code).collect()
}

#[test]
fn code_of_the_nearest_match_before_an_error_is_suspected() {
    let cases = [
        ("a --x", 4),
        ("-- a b x", 7),
        // Through a fragment, and the nearest of two.
        ("-- #! x", 6),
        ("#! -- x", 6),
        // Before the error there is no such match, or it is far away.
        ("a x --", 2),
        ("-- a b a b a b a b x", 19),
    ];
    let expected =
        ["{ readRest(); }", "{ readRest(); }", "{ isFirst() }?", "{ readRest(); }", "", ""];
    assert_eq!(suspected(&cases), expected);
}

#[test]
fn causes_are_counted_and_the_most_frequent_comes_first() {
    let Read { grammar, .. } = &Read::new("G.g4", GRAMMAR);
    let limits = Limits::default();
    let lexer = Lexer::new(grammar, &limits).expect("a lexer");
    let suspects = Suspects::of(grammar, &lexer, &limits).expect("there is ignored code");
    let told = suspects.tell(&[0, 1, 1], 5);
    let messages: Vec<_> = told.iter().map(|it| it.message.as_str()).collect();
    let behind = "of 5 rejections come right after a match whose";
    let expected =
        [format!("2 {behind} predicate is ignored"), format!("1 {behind} action is ignored")];
    assert_eq!(messages, expected);
}

#[test]
fn code_of_parser_rules_is_not_suspected() {
    let text = "grammar G; s : { isOn() }? A { done(); } EOF ; A : 'a' ;";
    let Read { grammar, .. } = &Read::new("G.g4", text);
    let limits = Limits::default();
    let lexer = Lexer::new(grammar, &limits).expect("a lexer");
    assert!(Suspects::of(grammar, &lexer, &limits).is_none());
}

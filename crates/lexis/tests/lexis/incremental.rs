//! The lexer that is fed a character at a time makes the tokens and errors of the one that has the whole text.

use gramercy_lexis::{Dfa, Incremental, Lexer, LexicalError, Scan, ScanState, Token};
use gramercy_testkit::random::Random;
use gramercy_testkit::random_lexer::{Features, random_lexer, random_text};

use crate::support::{lexer, try_lexer_rules};

type Read = (Vec<Token>, Option<LexicalError>);

fn at_once(lexer: &Lexer, dfa: &mut Dfa, text: &str) -> Read {
    let (mut scan, mut tokens) = (Scan::new(lexer, dfa, text), Vec::new());
    loop {
        match scan.next_token() {
            Ok(Some(token)) => tokens.push(token),
            Ok(None) => return (tokens, None),
            Err(error) => return (tokens, Some(error)),
        }
    }
}

/// Reads a text in two parts: the lexer stops at a character, reads something else, and comes back.
fn in_two_parts(lexer: &Lexer, dfa: &mut Dfa, (text, other): (&str, &str), stop: usize) -> Read {
    let mut scan = Incremental::new(lexer, dfa);
    let mut tokens = Vec::new();
    let feed = |scan: &mut Incremental<'_>, text: &str, tokens: &mut Vec<Token>| {
        text.chars().try_for_each(|c| {
            scan.feed(c, &mut |token| {
                tokens.push(token);
                true
            })
        })
    };
    if let Err(error) = feed(&mut scan, &text[..stop], &mut tokens) {
        return (tokens, Some(error));
    }
    let here: ScanState = scan.state().clone();
    let _ = feed(&mut scan, other, &mut Vec::new());
    scan.resume(&here);
    if let Err(error) = feed(&mut scan, &text[stop..], &mut tokens) {
        return (tokens, Some(error));
    }
    assert_eq!(scan.state().offset(), text.len());
    let end = scan.finish(&mut |token| {
        tokens.push(token);
        true
    });
    (tokens, end.err())
}

#[test]
fn a_character_at_a_time_gives_the_same_tokens_and_errors() {
    let (mut random, mut compared) = (Random(11), 0);
    for _ in 0..600 {
        let rules = random_lexer(&mut random, &Features::ALL);
        let Ok(grammar) = try_lexer_rules(&rules) else { continue };
        let (lexer, mut dfa) = lexer(&grammar);
        for _ in 0..40 {
            let (text, other) = (random_text(&mut random, 14), random_text(&mut random, 5));
            let stops: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
            let stop = if stops.is_empty() { 0 } else { *random.pick(&stops) };
            let expected = at_once(&lexer, &mut dfa, &text);
            let found = in_two_parts(&lexer, &mut dfa, (&text, &other), stop);
            assert_eq!(found, expected, "{rules}\non {text:?}, stopped at {stop}");
            compared += 1;
        }
    }
    assert!(compared > 5_000, "{compared} texts were compared");
}

//! How time grows with the number of tests, and with the grammar.

use std::fmt::Write as _;

use gramercy_assemble::recipe::Size;
use gramercy_language::Language;
use gramercy_lexis::Lexemes;
use gramercy_suite::sinks::Format;

use crate::subject;
use crate::{clock, say};

/// The time of a number of tests of 50 tokens, in milliseconds.
fn milliseconds(language: &Language, tests: u64) -> f64 {
    let recipe = subject::random(Size::Tokens(50, 50), Lexemes::Varied, tests);
    let (time, summary) =
        clock::best(|| subject::make(language, &recipe, &mut *Format::Lines.sink(std::io::sink())));
    assert_eq!(summary.tests, tests);
    time.as_secs_f64() * 1e3
}

/// More and more tests of one grammar.
pub(crate) fn with_tests() {
    let Some(language) = subject::language("grammars", "json.gram") else { return };
    say("tests\tms\tµs a test");
    for tests in [1_000, 10_000, 100_000, 1_000_000] {
        let time = milliseconds(&language, tests);
        say(&format!("{tests}\t{time:.2}\t{:.3}", time * 1e3 / tests as f64));
    }
}

/// As many tests of larger and larger grammars.
pub(crate) fn with_the_grammar() {
    const TESTS: u64 = 2000;
    say("rules\tms for 2000 tests\tµs a test");
    for rules in [10, 100, 1_000, 10_000] {
        let time = milliseconds(&family(rules), TESTS);
        say(&format!("{rules}\t{time:.2}\t{:.3}", time * 1e3 / TESTS as f64));
    }
}

/// Rules over an alphabet of 26 letters, each referring to two others.
fn family(rules: usize) -> Language {
    let mut text = String::new();
    for rule in 0..rules {
        let letter = char::from(b'a' + u8::try_from(rule % 26).expect("a small number"));
        let (next, other) = ((rule * 2 + 1) % rules, (rule * 3 + 2) % rules);
        let _infallible =
            writeln!(text, "R{rule} := \"{letter}\" | \"{letter}\" R{next} R{other};");
    }
    Language::from_text("family.gram", &text).expect("a grammar")
}

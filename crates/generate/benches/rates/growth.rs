//! How time grows with the number of tests, and with the grammar.

use std::fmt::Write as _;
use std::path::Path;

use gramercy_formats::{LoadOptions, Memory, load};
use gramercy_generate::strategies::random::Method;
use gramercy_grammar::Grammar;
use gramercy_lexis::Lexemes;
use gramercy_suite::sinks::Format;

use crate::subject;
use crate::{clock, say};

const KIND: (Method, Lexemes) = (Method::Size(50), Lexemes::Varied);

/// The time of so many tests, in milliseconds.
fn milliseconds(grammar: &Grammar, tests: u64) -> f64 {
    let mut found = 0.0;
    subject::random(grammar, KIND, (tests, 1), |run| {
        let (time, summary) = clock::best(|| run(&mut *Format::Lines.sink(std::io::sink())));
        assert_eq!(summary.tests, tests);
        found = time.as_secs_f64() * 1e3;
    });
    found
}

/// More and more tests of one grammar.
pub(crate) fn with_tests() {
    let Some(file) = subject::file("grammars", "json.gram") else { return };
    let grammar = subject::grammar(&file);
    say("tests\tms\tµs a test");
    for tests in [1_000, 10_000, 100_000, 1_000_000] {
        let time = milliseconds(&grammar, tests);
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
fn family(rules: usize) -> Grammar {
    let mut text = String::new();
    for rule in 0..rules {
        let letter = char::from(b'a' + u8::try_from(rule % 26).expect("a small number"));
        let (next, other) = ((rule * 2 + 1) % rules, (rule * 3 + 2) % rules);
        let _infallible =
            writeln!(text, "R{rule} := \"{letter}\" | \"{letter}\" R{next} R{other};");
    }
    let files = Memory::with("family.gram", text);
    load(Path::new("family.gram"), &files, &LoadOptions::default()).grammar.expect("a grammar")
}

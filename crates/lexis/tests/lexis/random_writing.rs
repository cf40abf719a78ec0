//! Random lexers and random token strings: what is written is read back, and what is called
//! impossible has no text.

use gramercy_base::{Limits, Map, Set};
use gramercy_grammar::{Grammar, TerminalId, TerminalKind};
use gramercy_lexis::{
    Choice, Dfa, Lexemes, Lexer, Scan, Spacing, Writable, WriteOptions, Writer, Written,
};

use gramercy_testkit::random::Random;
use gramercy_testkit::random_lexer::{Features, LETTERS, random_lexer};

use crate::support::try_lexer_rules;

/// The random lexers of some seeds that can be built.
fn lexers(
    seeds: std::ops::Range<u64>,
    features: Features,
) -> impl Iterator<Item = (u64, String, Grammar)> {
    seeds.filter_map(move |seed| {
        let rules = random_lexer(&mut Random(seed << 20), &features);
        let grammar = try_lexer_rules(&rules).ok()?;
        Lexer::new(&grammar, &Limits::default()).ok()?;
        Some((seed, rules, grammar))
    })
}

fn token_types(grammar: &Grammar) -> Vec<TerminalId> {
    let is_token = |kind: &TerminalKind| matches!(kind, TerminalKind::Token { .. });
    let terminals = grammar.terminals().iter();
    terminals.filter(|(_, terminal)| is_token(&terminal.kind)).map(|(id, _)| id).collect()
}

/// Writes many random token strings and reads each back.
fn check_written(seeds: std::ops::Range<u64>, features: Features) -> (usize, usize) {
    let (mut written, mut tried) = (0, 0);
    for (seed, rules, grammar) in lexers(seeds, features) {
        let tokens = token_types(&grammar);
        for (lexemes, spacing) in [
            (Lexemes::Ordinary, Spacing::Minimal),
            (Lexemes::Shortest, Spacing::Minimal),
            (Lexemes::Varied, Spacing::Minimal),
            (Lexemes::Random, Spacing::Minimal),
            (Lexemes::Varied, Spacing::Space),
        ] {
            let options = WriteOptions { lexemes, spacing, ..WriteOptions::default() };
            let mut writer = Writer::new(&grammar, &options).expect("a writer");
            let mut random = Random(seed);
            for test in 0..25 {
                let string = writable_string(&mut writer, &mut random, &tokens);
                let choice = Choice { seed, test, fixed: &[] };
                tried += 1;
                if let Ok(text) = writer.write(&string, &choice) {
                    written += 1;
                    assert!(
                        writer.reads_back(&text) && agrees(&string, &text),
                        "seed {seed}, {lexemes:?}: {string:?} as {text:?} by\n{rules}"
                    );
                }
            }
        }
    }
    (written, tried)
}

/// A token string that is not known to be impossible.
fn writable_string(
    writer: &mut Writer<'_>,
    random: &mut Random,
    tokens: &[TerminalId],
) -> Vec<TerminalId> {
    let (mut modes, mut string) = (writer.start_modes(), Vec::new());
    for _ in 0..random.below(8) {
        let token = *random.pick(tokens);
        if let Writable::Yes(next) = writer.can_write(modes, token) {
            string.push(token);
            modes = next;
        }
    }
    string
}

fn agrees(string: &[TerminalId], written: &Written) -> bool {
    written.tokens.iter().map(|token| token.terminal).eq(string.iter().copied())
}

#[test]
fn what_is_written_is_read_back() {
    let (written, tried) = check_written(0..50, Features::ALL);
    assert!(tried > 1000 && written * 100 > tried * 70, "{written} of {tried}");
}

#[test]
fn what_is_written_by_plain_lexers_is_read_back() {
    let plain = Features { modes: 1, recursion: false, eof: false, ..Features::ALL };
    let (written, tried) = check_written(400..440, Features { commands: false, ..plain });
    assert!(tried > 1000 && written * 100 > tried * 70, "{written} of {tried}");
}

/// Writes random token strings from pools and reads each back; how many were certain, and all.
fn check_quick(seeds: std::ops::Range<u64>, features: Features) -> (usize, usize) {
    let (mut certain, mut tried) = (0, 0);
    for (seed, rules, grammar) in lexers(seeds, features) {
        let tokens = token_types(&grammar);
        for (lexemes, spacing) in [
            (Lexemes::Shortest, Spacing::Minimal),
            (Lexemes::Random, Spacing::Minimal),
            (Lexemes::Varied, Spacing::Newline),
        ] {
            let options = WriteOptions { lexemes, spacing, ..WriteOptions::default() };
            let mut writer = Writer::new(&grammar, &options).expect("a writer");
            writer.prepare_quick(seed).expect("a small automaton");
            let mut random = Random(seed);
            for test in 1..60 {
                let string = writable_string(&mut writer, &mut random, &tokens);
                tried += 1;
                let choice = Choice { seed, test, fixed: &[] };
                let Ok(mut text) = writer.write(&string, &choice) else { continue };
                certain += usize::from(std::mem::take(&mut text.is_certain));
                assert!(
                    writer.reads_back(&text) && agrees(&string, &text),
                    "seed {seed}, {lexemes:?}, {spacing:?}: {string:?} as {text:?} by\n{rules}"
                );
            }
        }
    }
    (certain, tried)
}

#[test]
fn what_is_put_together_from_pools_is_read_back() {
    let (certain, tried) = check_quick(0..25, Features::ALL);
    assert!(certain * 100 > tried * 10, "{certain} of {tried}");
    let plain = Features { modes: 1, recursion: false, eof: false, ..Features::ALL };
    let (certain, tried) = check_quick(400..420, Features { commands: false, ..plain });
    assert!(certain * 100 > tried * 40, "{certain} of {tried}");
}

const LONGEST: usize = 4;

/// The first visible tokens of all short texts, up to two.
fn short_texts(lexer: &Lexer) -> Map<Vec<TerminalId>, String> {
    let mut dfa = Dfa::new(lexer, 100_000);
    let mut found = Map::default();
    let mut texts = vec![String::new()];
    for length in 0..=LONGEST {
        for text in &texts {
            let (mut scan, mut tokens) = (Scan::new(lexer, &mut dfa, text), Vec::new());
            while let Ok(Some(token)) = scan.next_visible() {
                tokens.push(token.terminal);
                if token.start == token.end || tokens.len() > 2 {
                    break;
                }
                found.entry(tokens.clone()).or_insert_with(|| text.clone());
            }
        }
        if length < LONGEST {
            let longer = |text: &String| LETTERS.map(|letter| format!("{text}{letter}"));
            texts = texts.iter().flat_map(longer).collect();
        }
    }
    found
}

#[test]
fn what_is_impossible_has_no_text() {
    let (mut refused, mut unknown, mut missed, mut pairs) = (0, 0, 0, 0);
    for (seed, rules, grammar) in lexers(1000..1040, Features::ALL) {
        let lexer = Lexer::new(&grammar, &Limits::default()).expect("a lexer");
        let found = short_texts(&lexer);
        let mut writer = Writer::new(&grammar, &WriteOptions::default()).expect("a writer");
        let tokens = token_types(&grammar);
        let start = writer.start_modes();
        for &first in &tokens {
            let modes = match writer.can_write(start, first) {
                Writable::Yes(modes) => modes,
                Writable::Unknown => continue,
                Writable::Impossible(_) => {
                    refused += 1;
                    let text = found.get(&vec![first]);
                    assert_eq!(text, None, "seed {seed}: {first:?} by\n{rules}");
                    continue;
                }
            };
            for &second in &tokens {
                let text = found.get(&vec![first, second]);
                match writer.can_write(modes, second) {
                    Writable::Yes(_) => {
                        pairs += usize::from(text.is_some());
                        let written = writer.write(&[first, second], &Choice::default());
                        missed += usize::from(text.is_some() && written.is_err());
                    }
                    Writable::Unknown => unknown += 1,
                    Writable::Impossible(_) => {
                        refused += 1;
                        assert_eq!(text, None, "seed {seed}: {first:?} {second:?} by\n{rules}");
                    }
                }
            }
        }
    }
    let counts = format!("{refused} refused, {unknown} unknown, {missed} of {pairs} pairs missed");
    assert!(refused > 200 && unknown < refused && missed * 30 < pairs, "{counts}");
}

#[test]
fn the_same_choice_gives_the_same_text_whatever_came_before() {
    let mut different = Set::default();
    for (seed, _, grammar) in lexers(0..15, Features::ALL) {
        let tokens = token_types(&grammar);
        let options = WriteOptions { lexemes: Lexemes::Random, ..WriteOptions::default() };
        let mut used = Writer::new(&grammar, &options).expect("a writer");
        let mut random = Random(seed);
        for test in 0..20 {
            let string = writable_string(&mut used, &mut random, &tokens);
            let choice = Choice { seed, test, fixed: &[] };
            let mut fresh = Writer::new(&grammar, &options).expect("a writer");
            let text = used.write(&string, &choice);
            assert_eq!(text, fresh.write(&string, &choice), "seed {seed}");
            different.extend(text.map(|written| written.text));
        }
    }
    assert!(different.len() > 50, "{}", different.len());
}

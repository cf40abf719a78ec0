//! Negative suites against brute force: every change of every short sentence of random grammars with random lexers,
//! with the places of their first errors and what could have come there.

use std::collections::BTreeSet;

use gramercy_assemble::recipe::{Bases, Negative, Tests};
use gramercy_assemble::{OwnedTest, Recipe};
use gramercy_formats::{LoadOptions, Memory};
use gramercy_language::Language;
use gramercy_mutate::Family;
use gramercy_testkit::Folder;
use gramercy_testkit::random::Random;

use crate::naive::{FirstError, Naive, texts};

/// Characters of the lexers, and two that no rule knows.
const ALPHABET: &str = "abc #;xé";

/// The mutants of sentences by an operator.
fn mutants(
    language: &Language,
    sentences: &[String],
    family: Family,
    name: &str,
) -> Vec<OwnedTest> {
    let lines = sentences.iter().enumerate().map(|(at, text)| {
        format!("{}\n", serde_json::json!({ "name": at.to_string(), "text": text }))
    });
    let folder = Folder::new(&format!("negatives-{name}-{family}"));
    let corpus = folder.file("corpus.ndjson", lines.collect::<String>());
    let of = Some(Bases::Corpus(vec![corpus.to_string_lossy().into_owned()]));
    let tests = Tests::Negative(Negative { mutate: vec![family], of, ..Negative::default() });
    let recipe = Recipe { tests, ..Recipe::default() };
    gramercy_assemble::Tests::new(language, &recipe).map(|test| test.expect("a suite")).collect()
}

/// All texts that differ from a text by one change of characters.
fn character_edits(text: &str) -> BTreeSet<String> {
    let chars: Vec<char> = text.chars().collect();
    let mut found = BTreeSet::new();
    let mut add = |parts: [&[char]; 3]| _ = found.insert(parts.concat().into_iter().collect());
    for at in 0..=chars.len() {
        let (before, rest) = chars.split_at(at);
        for c in ALPHABET.chars() {
            add([before, &[c], rest]);
            if !rest.is_empty() {
                add([before, &[c], &rest[1..]]);
            }
        }
        if !rest.is_empty() {
            add([before, &[], &rest[1..]]);
        }
        if rest.len() > 1 {
            add([before, &[rest[1], rest[0]], &rest[2..]]);
        }
    }
    found
}

/// All token strings that differ from a token string by one change.
fn token_edits(tokens: &[usize], all: &BTreeSet<usize>) -> BTreeSet<Vec<usize>> {
    let mut found = BTreeSet::new();
    for at in 0..=tokens.len() {
        let (before, rest) = tokens.split_at(at);
        for &token in all {
            found.insert([before, &[token], rest].concat());
            if !rest.is_empty() {
                found.insert([before, &[token], &rest[1..]].concat());
            }
        }
        if !rest.is_empty() {
            found.insert([before, &rest[1..]].concat());
        }
        if rest.len() > 1 {
            found.insert([before, &[rest[1], rest[0]], &rest[2..]].concat());
        }
    }
    found
}

/// The first error that a test claims.
fn claimed(test: &OwnedTest) -> FirstError {
    let error = test.error.as_ref().expect("a negative test has an error");
    FirstError {
        token: error.token.expect("a token"),
        byte: error.byte.expect("a byte"),
        class: match error.class.as_deref() {
            Some("lexical") => "lexical",
            Some("end") => "end",
            _ => "",
        },
        expected: error.expected.iter().map(ToString::to_string).collect(),
    }
}

/// Some sentences of a grammar, after every short text was read by both parsers.
fn sentences(naive: &Naive, language: &Language, context: &str) -> Vec<String> {
    let parser = language.parser().expect("small");
    let mut workspace = parser.workspace();
    let mut all = Vec::new();
    for text in texts("abc #;", 4) {
        let is_ours = parser.recognize(&mut workspace, &text).is_ok();
        assert_eq!(is_ours, naive.first_error(&text).is_none(), "{context}{text:?}");
        if is_ours {
            all.push(text);
        }
    }
    let step = all.len() / 12 + 1;
    all.into_iter().step_by(step).collect()
}

fn compare(naive: &Naive, name: &str) -> [usize; 2] {
    let grammar = naive.grammar();
    let options = LoadOptions { start: Some("S".to_owned()), ..LoadOptions::default() };
    let files = Memory::with("a.gram", grammar.as_str());
    let language = Language::read_from("a.gram", &files, &options).expect("a grammar");
    let sentences = sentences(naive, &language, &grammar);
    let class = |text: &str| text.chars().map(|c| naive.class(c)).collect::<Vec<_>>();
    let mut counts = [0; 2];
    for (family, count) in [Family::Character, Family::Word].into_iter().zip(&mut counts) {
        let mutants = mutants(&language, &sentences, family, name);
        for test in &mutants {
            let text = test.text.as_ref().expect("a text");
            let Some(expected) = naive.first_error(text) else {
                panic!("{grammar}{family}: {text:?} is in the language");
            };
            assert_eq!(claimed(test), expected, "{grammar}{family}: {text:?}");
        }
        for base in &sentences {
            let of_base = mutants
                .iter()
                .filter(|test| test.mutation.as_ref().is_some_and(|it| it.base == **base));
            let texts: Vec<&str> =
                of_base.map(|test| test.text.as_deref().expect("a text")).collect();
            let different: BTreeSet<&str> = texts.iter().copied().collect();
            assert_eq!(different.len(), texts.len(), "{grammar}{family}: {base:?}: equal mutants");
            *count += texts.len();
            if family == Family::Character {
                let negative = character_edits(base).into_iter();
                let negative = negative.filter(|text| naive.first_error(text).is_some());
                let expected: BTreeSet<_> = negative.map(|text| class(&text)).collect();
                let found: BTreeSet<_> = texts.iter().map(|text| class(text)).collect();
                assert_eq!(found, expected, "{grammar}{base:?}");
            } else {
                let tokens = |text: &str| -> Vec<usize> {
                    naive.lex(text).0.iter().map(|(token, _)| *token).collect()
                };
                let edits = token_edits(&tokens(base), &naive.written_tokens());
                let negative = edits.into_iter().filter(|edit| !naive.is_sentence(edit));
                let found: BTreeSet<Vec<usize>> = texts.iter().map(|text| tokens(text)).collect();
                assert_eq!(found, negative.collect(), "{grammar}{base:?}");
            }
        }
    }
    counts
}

/// The random grammars of the test; the variable `GRAMERCY_PROOF=all` asks for many more.
#[test]
fn exact_negatives_are_those_of_brute_force() {
    let is_thorough = std::env::var("GRAMERCY_PROOF").is_ok_and(|what| what == "all");
    let mut sums = [0; 2];
    for seed in 0..if is_thorough { 1_000 } else { 25 } {
        let naive = Naive::random(&mut Random(seed << 20));
        let counts = compare(&naive, &seed.to_string());
        sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
    assert!(sums[0] > 5_000 && sums[1] > 1_000, "{sums:?}");
}

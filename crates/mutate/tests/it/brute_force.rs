//! The exact check against brute force: all edits of all short sentences of random grammars.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use gramercy_base::Id;
use gramercy_grammar::TerminalId;
use gramercy_language::Language;
use gramercy_mutate::check::exact::Exact;
use gramercy_mutate::check::pairs::Pairs;
use gramercy_mutate::check::prefix::Prefix;
use gramercy_mutate::operators::word::Words;
use gramercy_mutate::{Check, Reader, Vocabulary};

use crate::support::yacc;

/// A small generator of numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// The rules of a random grammar over three tokens.
fn random_grammar(numbers: &mut Numbers) -> String {
    let symbols = ["'a'", "'b'", "'c'", "S", "A", "B"];
    let mut rule = |name: &str| {
        let mut alternatives = Vec::new();
        for _ in 0..1 + numbers.below(3) {
            let length = numbers.below(4);
            let word: Vec<&str> = (0..length)
                .map(|_| symbols[usize::try_from(numbers.below(6)).expect("small")])
                .collect();
            alternatives.push(word.join(" "));
        }
        alternatives.push(["'a'", "'b'", "'c'"][alternatives.len() % 3].to_owned());
        format!("{name}: {};", alternatives.join(" | "))
    };
    ["S", "A", "B"].map(&mut rule).join(" ")
}

/// All words over the tokens up to a length, by membership.
struct Members<'l> {
    language: &'l Language,
    words: Vec<(Vec<TerminalId>, bool)>,
}

impl<'l> Members<'l> {
    fn new(language: &'l Language, longest: usize) -> Self {
        let all: Vec<TerminalId> = Vocabulary::new(language).all().iter().collect();
        let parser = language.parser().expect("small").parser();
        let mut workspace = parser.workspace();
        let mut words = vec![Vec::new()];
        let mut last = 0;
        for _ in 0..longest {
            let until = words.len();
            for at in last..until {
                words.extend(
                    all.iter()
                        .map(|&token| [&words[at][..], &[token]].concat())
                        .collect::<Vec<_>>(),
                );
            }
            last = until;
        }
        let judged = words.into_iter().map(|word: Vec<TerminalId>| {
            let inputs: Vec<_> = word.iter().map(|&id| parser.input_of_token(id)).collect();
            let is_sentence = parser.recognize(&mut workspace, &inputs).is_ok();
            (word, is_sentence)
        });
        Self { language, words: judged.collect() }
    }
}

/// All words that differ from a word by one change of tokens, the word itself left out.
fn neighbours(word: &[TerminalId], all: &[TerminalId]) -> BTreeSet<Vec<TerminalId>> {
    let mut found = BTreeSet::new();
    for place in 0..=word.len() {
        for &token in all {
            found.insert([&word[..place], &[token], &word[place..]].concat());
        }
        if place < word.len() {
            found.insert([&word[..place], &word[place + 1..]].concat());
            for &token in all {
                found.insert([&word[..place], &[token], &word[place + 1..]].concat());
            }
        }
        if place + 1 < word.len() {
            let mut swapped = word.to_vec();
            swapped.swap(place, place + 1);
            found.insert(swapped);
        }
    }
    found.remove(word);
    found
}

fn found_by(
    check: &mut dyn Check,
    word: &[TerminalId],
    terminals: usize,
) -> BTreeSet<Vec<TerminalId>> {
    let mut words = Words::new(terminals);
    let mut found = BTreeSet::new();
    check.begin(word);
    let count = words.count(word, check);
    let _ = words.visit(word, check, &mut |edit| {
        assert!(found.insert(edit.apply(word)), "all mutants of a word differ");
        ControlFlow::Continue(())
    });
    assert_eq!(count, found.len() as u64);
    found
}

#[test]
fn exact_mutants_are_all_edits_outside_the_language() {
    let numbers = &mut Numbers(7);
    let mut compared = 0;
    for _ in 0..60 {
        let grammar = random_grammar(numbers);
        let language = yacc(&grammar);
        let members = Members::new(&language, 6);
        let all: Vec<TerminalId> = Vocabulary::new(members.language).all().iter().collect();
        let is_sentence: std::collections::BTreeMap<&Vec<TerminalId>, bool> =
            members.words.iter().map(|(word, is)| (word, *is)).collect();
        let parser = language.parser().expect("small").parser();
        let mut spaces = [parser.workspace(), parser.workspace()];
        let [one, other] = &mut spaces;
        let (Some(one), Some(other)) = (Reader::new(parser, one), Reader::new(parser, other))
        else {
            continue;
        };
        let vocabulary = Vocabulary::new(&language);
        let mut exact = Exact::new(vocabulary.clone(), one);
        let mut pairs = Pairs::new(&language);
        let mut prefix = Prefix::new(vocabulary, pairs.clone(), other);
        let terminals = language.bnf().terminal_count();
        let sentences = members.words.iter().filter(|(word, is)| *is && word.len() < 6);
        for (word, _) in sentences.take(40) {
            let expected: BTreeSet<_> =
                neighbours(word, &all).into_iter().filter(|other| !is_sentence[other]).collect();
            let names: Vec<usize> = word.iter().map(|id| id.index()).collect();
            let exactly = found_by(&mut exact, word, terminals);
            assert_eq!(exactly, expected, "{grammar} {names:?}");
            let by_prefix = found_by(&mut prefix, word, terminals);
            let by_pairs = found_by(&mut pairs, word, terminals);
            assert!(by_pairs.is_subset(&by_prefix), "{grammar} {names:?}");
            assert!(by_prefix.is_subset(&exactly), "{grammar} {names:?}");
            compared += expected.len();
        }
    }
    assert!(compared > 5_000, "{compared}");
}

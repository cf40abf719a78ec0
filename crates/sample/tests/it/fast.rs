//! Sentences without trees, pages and fast paths: tokens and texts are byte for byte those of the plain path.

use gramercy_derive::Candidate;
use gramercy_derive::candidate::Detail;
use gramercy_derive::strategy::{FastPath, FastText, FastWriting};
use gramercy_formats::{LoadOptions, Memory};
use gramercy_language::Language;
use gramercy_lexis::{Choice, Lexemes, Page, Render, WriteOptions, Writer};
use gramercy_testkit::random::Random;
use gramercy_testkit::random_lexer::{Features, parser_over, random_lexer};
use gramercy_testkit::random_syntax::random_syntax;

use crate::request::{Request, deep, range, sized, without_trees};
use crate::support::examples;

/// How many tests were compared, and how many of their texts a page or a fast path could write.
#[derive(Clone, Copy, Debug, Default)]
struct Compared {
    all: usize,
    paged: usize,
    fast: usize,
}

impl Compared {
    fn add(&mut self, more: Self) {
        self.all += more.all;
        self.paged += more.paged;
        self.fast += more.fast;
    }
}

/// Writes some characters twice.
fn doubled(text: &[u8], into: &mut Vec<u8>) {
    for &byte in text {
        let times = if byte.is_ascii_alphanumeric() { 2 } else { 1 };
        into.extend(std::iter::repeat_n(byte, times));
    }
}

/// Compares every way to the tests of a request with the plain path: a tree, and the text of its tokens.
fn compare(language: &Language, request: Request, lexemes: Lexemes) -> Compared {
    let mut compared = Compared::default();
    let Ok(strategy) = request.indexed(language) else { return compared };
    let options = WriteOptions { lexemes, ..WriteOptions::default() };
    let mut writer = language.writer(&options).expect("a writer");
    writer.prepare_quick(request.options.seed).expect("a small automaton");
    let fast_path = |render| strategy.fast_path(&FastWriting { writer: &writer, render });
    let (mut fast, mut rendering) = (fast_path(None), fast_path(Some(doubled as Render)));
    // Only these methods grow sentences by runs of tokens.
    let has_fast_path = request.method.name() == "size" && writer.links(None).is_some();
    assert_eq!(fast.is_some(), has_fast_path, "{request:?}");
    let (mut trees, mut sentences) = (strategy.proposer(), strategy.proposer());
    let (mut tree, mut sentence) = (Candidate::default(), Candidate::default());
    sentence.detail = Detail::Sentence;
    let mut page = Page::default();
    for number in 0..strategy.count() {
        compared.all += 1;
        tree.clear();
        sentence.clear();
        assert!(trees.propose(number, 0, &mut tree));
        assert!(sentences.propose(number, 0, &mut sentence));
        assert_eq!(sentence.tokens, tree.tokens, "{request:?} {number}");
        let choice = Choice { seed: request.options.seed, test: number, fixed: &[] };
        let Some(found) = writer.write_page(&sentence.tokens, &choice, &mut page) else {
            let is_left =
                |fast: &mut Box<dyn FastPath + '_>| fast.write(&choice, &mut page).is_none();
            assert!(fast.as_mut().is_none_or(is_left), "{request:?} {number}");
            continue;
        };
        compared.paged += 1;
        let expected = plain_text(&writer, &tree, &choice, found.placeholders);
        assert_eq!(page.text(), expected, "{request:?} {number}");
        if let Some(fast) = &mut fast {
            let written = fast.write(&choice, &mut page).expect("a page could write it");
            assert_eq!(page.text(), expected, "{request:?} {number}");
            let FastText { tokens, paged } = written;
            assert_eq!((tokens, paged), (tree.tokens.len(), found), "{request:?} {number}");
            compared.fast += 1;
        }
        if let Some(fast) = &mut rendering {
            let written = fast.write(&choice, &mut page).expect("a page could write it");
            let mut rendered = Vec::new();
            doubled(expected.as_bytes(), &mut rendered);
            assert_eq!((page.bytes(), written.paged), (&*rendered, found), "{request:?} {number}");
        }
    }
    compared
}

/// The text of the plain path, which is read back.
fn plain_text(
    writer: &Writer<'_>,
    tree: &Candidate,
    choice: &Choice<'_>,
    placeholders: bool,
) -> String {
    let mut writer = writer.clone();
    let mut written = writer.write(&tree.tokens, choice).expect("a page could write it");
    assert_eq!(written.placeholders, placeholders, "{}", written.text);
    written.is_certain = false;
    assert!(writer.reads_back(&written), "{:?}", written.text);
    written.text
}

#[test]
fn texts_of_examples_are_those_of_the_plain_path() {
    let mut all = Compared::default();
    for (_, language) in examples() {
        for request in without_trees() {
            for lexemes in [Lexemes::Varied, Lexemes::Random] {
                all.add(compare(&language, request, lexemes));
            }
        }
    }
    assert!(all.paged * 10 > all.all * 8 && all.fast > 1000, "{all:?}");
}

#[test]
fn texts_of_random_lexers_are_those_of_the_plain_path() {
    let mut all = Compared::default();
    for seed in 0..60 {
        let rules = random_lexer(&mut Random(seed << 20), &Features::ALL);
        let Some(language) = over_tokens(&rules) else { continue };
        for request in without_trees() {
            all.add(compare(&language, request, Lexemes::Random));
        }
    }
    assert!(all.all > 2000 && all.paged > 200, "{all:?}");
}

/// All strings over the tokens of some lexer rules; `None` if they make no lexer.
fn over_tokens(rules: &str) -> Option<Language> {
    let files = Memory::with("L.g4", format!("lexer grammar L;\n{rules}"));
    let files = files.and("P.g4", parser_over(rules));
    let language = Language::read_from("P.g4", &files, &LoadOptions::default()).ok()?;
    language.lexer().ok()?;
    Some(language)
}

/// Grammars of random rules.
fn random_grammars(count: usize) -> impl Iterator<Item = (String, Language)> {
    let mut random = Random(0);
    let texts = std::iter::repeat_with(move || random_syntax(&mut random)).take(count);
    texts.map(|text| match Language::from_text("a.gram", &text) {
        Ok(language) => (text, language),
        Err(error) => panic!("{error}:\n{text}"),
    })
}

#[test]
fn texts_of_random_rules_are_those_of_the_plain_path() {
    let mut all = Compared::default();
    for (_, language) in random_grammars(200) {
        for request in [sized(30), range(10, 40), deep("depth", 12), deep("cooldown", 12)] {
            let request = request.with(|options| options.max_tokens = 200);
            all.add(compare(&language, request, Lexemes::Varied));
        }
    }
    assert!(all.paged * 10 > all.all * 8 && all.fast > 1000, "{all:?}");
}

#[test]
fn sentences_without_trees_are_those_of_trees() {
    let mut compared = 0;
    for (text, language) in random_grammars(400) {
        for request in [sized(15), sized(120)] {
            let request = request.with(|options| options.count = 12);
            let Ok(strategy) = request.indexed(&language) else { continue };
            let (mut trees, mut sentences) = (strategy.proposer(), strategy.proposer());
            for number in 0..strategy.count() {
                let (mut tree, mut sentence) = (Candidate::default(), Candidate::default());
                sentence.detail = Detail::Sentence;
                assert!(trees.propose(number, 0, &mut tree));
                assert!(sentences.propose(number, 0, &mut sentence));
                assert_eq!(sentence.tokens, tree.tokens, "{request:?} {number} of\n{text}");
                compared += 1;
            }
        }
    }
    assert!(compared > 2000, "{compared}");
}

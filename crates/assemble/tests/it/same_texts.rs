//! Random suites are the same whether a sink wants nothing but texts, so that they are written without trees and
//! tokens, or wants to see more of every test.

use gramercy_assemble::recipe::{Random, Recipe, Size, Tests};
use gramercy_formats::{LoadOptions, Memory};
use gramercy_language::Language;
use gramercy_suite::sinks::Format;
use gramercy_suite::{Sink, SinkError, Test, Wants};
use gramercy_testkit::random;
use gramercy_testkit::random_lexer::{Features, parser_over, random_lexer};
use gramercy_testkit::random_syntax::random_syntax;

use crate::support::{Kept, examples, try_make};

const WITH_TOKENS: Wants =
    Wants { text: true, tokens: true, target: false, covers: false, rejection: false };

/// Some random tests: at least 32 of them, for fewer have no fast path.
fn recipe(tests: u64, method: &str, size: Size) -> Recipe {
    let method = Some(method.parse().expect("a method"));
    let random = Random { method, size, max_tokens: 200, ..Random::default() };
    Recipe { seed: 7, tests: Tests::Random(random), ..Recipe::random(tests) }
}

/// Every method that has a faster way to texts.
fn recipes() -> [Recipe; 4] {
    [
        recipe(33, "size", Size::Tokens(30, 30)),
        recipe(33, "size", Size::Tokens(10, 14)),
        recipe(33, "depth", Size::Depth(12)),
        recipe(33, "cooldown", Size::Depth(12)),
    ]
}

/// Compares the suites of a recipe that sinks get from one worker and from two; how many tests they have.
fn compare(name: &str, language: &Language, recipe: &Recipe) -> usize {
    let mut expected = Kept::of(WITH_TOKENS);
    // Some grammars have no test of this size.
    let Ok(summary) = try_make(language, recipe, &mut expected, 1) else { return 0 };
    for (jobs, wants) in [(1, Wants::TEXT), (2, WITH_TOKENS), (2, Wants::TEXT)] {
        let mut kept = Kept::of(wants);
        let found = try_make(language, recipe, &mut kept, jobs).expect("a suite");
        assert_eq!(kept.texts, expected.texts, "{name}: {jobs} jobs, {wants:?}, {recipe:?}");
        assert_eq!(found, summary, "{name}: {jobs} jobs, {wants:?}, {recipe:?}");
    }
    let mut rendered = Vec::new();
    let found = try_make(language, recipe, &mut *Format::Nul.sink(&mut rendered), 2);
    let texts = expected.texts.iter().flat_map(|text| [text.as_bytes(), b"\0"].concat());
    assert!(rendered == texts.collect::<Vec<u8>>(), "{name}: {recipe:?}");
    assert_eq!(found.expect("a suite"), summary, "{name}: {recipe:?}");
    expected.texts.len()
}

#[test]
fn suites_of_examples_are_the_same() {
    for (name, language) in examples() {
        let tests: usize = recipes().iter().map(|recipe| compare(&name, &language, recipe)).sum();
        assert!(tests > 0, "{name}");
    }
}

#[test]
fn suites_of_random_rules_are_the_same() {
    let (mut random, mut tests) = (random::Random(1), 0);
    for _ in 0..200 {
        let text = random_syntax(&mut random);
        let language = Language::from_text("a.gram", &text);
        let language = language.unwrap_or_else(|error| panic!("{error}:\n{text}"));
        tests += recipes().iter().map(|recipe| compare(&text, &language, recipe)).sum::<usize>();
    }
    assert!(tests > 5000, "{tests}");
}

/// Their trees have to be repaired where the lexer cannot make a token.
#[test]
fn suites_of_random_lexers_are_the_same() {
    let mut tests = 0;
    for seed in 0..10 {
        let rules = random_lexer(&mut random::Random(seed << 20), &Features::ALL);
        let files = Memory::with("L.g4", format!("lexer grammar L;\n{rules}"));
        let files = files.and("P.g4", parser_over(&rules));
        // Some are refused, as ANTLR refuses them.
        let Ok(language) = Language::read_from("P.g4", &files, &LoadOptions::default()) else {
            continue;
        };
        let short = [
            recipe(33, "size", Size::Tokens(6, 6)),
            recipe(33, "size", Size::Tokens(2, 8)),
            recipe(33, "depth", Size::Depth(6)),
            recipe(33, "cooldown", Size::Depth(6)),
        ];
        tests += short.iter().map(|recipe| compare(&rules, &language, recipe)).sum::<usize>();
    }
    assert!(tests > 500, "{tests}");
}

/// Keeps what another sink keeps, but wants to see every test.
struct OneByOne<S>(S);

impl<S: Sink> Sink for OneByOne<S> {
    fn put(&mut self, test: &Test<'_>) -> Result<(), SinkError> {
        self.0.put(test)
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        self.0.finish()
    }
}

#[test]
fn tests_are_the_same_whether_a_sink_sees_each_or_not() {
    let mut compared = 0;
    for (name, language) in examples() {
        for (format, tests) in [(Format::Lines, 1500), (Format::Nul, 1500), (Format::Nul, 901)] {
            let recipe = recipe(tests, "size", Size::Tokens(12, 12));
            let run = |sink: &mut dyn Sink| try_make(&language, &recipe, sink, 2);
            let (mut rendered, mut seen) = (Vec::new(), Vec::new());
            let Ok(summary) = run(&mut *format.sink(&mut rendered)) else { continue };
            let one_by_one = run(&mut OneByOne(format.sink(&mut seen))).expect("a suite");
            assert_eq!(summary, one_by_one, "{name}");
            assert!(rendered == seen, "{name}");
            assert!(summary.tests > 0, "{name}");
            compared += 1;
        }
    }
    assert!(compared > 30, "{compared}");
}

//! Random strategies: bounds that hold, choices that are as likely as they should be, and that a test
//! depends on nothing but seed and number.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

use gramercy_base::Limits;
use gramercy_formats::{LoadOptions, Memory, load};
use gramercy_generate::pipeline::options::Merge;
use gramercy_generate::strategies::random::form::Order;
use gramercy_generate::strategies::random::size::TOLERANCE;
use gramercy_generate::strategies::random::{Method, RandomError, RandomOptions, strategy};
use gramercy_generate::{
    Draft, Indexed, Mended, Options, Pipeline, Plain, Strategy, Summary, Weighing,
};
use gramercy_grammar::tree::Step;
use gramercy_grammar::{Origin, Tree};
use gramercy_lexis::{Choice, Lexemes, Lexer, Page, WriteOptions, Writer};
use gramercy_suite::sinks::Format;
use gramercy_suite::{Sink, SinkError, Test};
use gramercy_testkit::random::Random;
use gramercy_testkit::random_lexer::{Features, random_lexer};

use crate::language::Language;

fn options(method: Method) -> RandomOptions {
    RandomOptions { method, weighing: Weighing::default(), seed: 7, count: 40, max_tokens: 10_000 }
}

fn drafts(language: &Language, options: &RandomOptions) -> Result<Vec<Draft>, RandomError> {
    let views = language.views();
    let strategy = strategy(&views, options)?;
    let make = |number| {
        let mut draft = Draft::default();
        assert!(strategy.make(number, 0, &mut draft), "there is a test of every number");
        language.check(&draft);
        draft
    };
    Ok((0..strategy.count()).map(make).collect())
}

const METHODS: [Method; 8] = [
    Method::Size(30),
    Method::Range(20, 40),
    Method::Free(6),
    Method::Depth(20),
    Method::Form(Order::Any, 30),
    Method::Form(Order::DepthFirst, 30),
    Method::Form(Order::BreadthFirst, 30),
    Method::Cooldown { depth: 20, factor: 0.5 },
];

/// Writes some characters twice.
fn doubled(text: &str, into: &mut Vec<u8>) {
    for c in text.chars() {
        let times = if c.is_alphanumeric() { 2 } else { 1 };
        into.extend_from_slice(c.to_string().repeat(times).as_bytes());
    }
}

/// Compares what a maker without trees and a page give with the text of the draft of the same number, and
/// reads it back; how many tests a page could take, and all.
fn check_maker(language: &Language, method: Method, lexemes: Lexemes) -> (usize, usize) {
    let views = language.views();
    let Ok(strategy) = strategy(&views, &options(method)) else { return (0, 0) };
    let options = WriteOptions { lexemes, ..WriteOptions::default() };
    let mut writer = Writer::new(&language.grammar, &options).expect("a writer");
    writer.quicken(7).expect("a small automaton");
    let plain = |render| Some(Plain { writer: &writer, render });
    let mut maker = strategy.maker(plain(None)).expect("somebody who needs no trees");
    let mut rendering = strategy.maker(plain(Some(doubled))).expect("somebody who needs no trees");
    let (mut page, mut draft, mut paged) = (Page::default(), Draft::default(), 0);
    let mut page_at_once = Page::default();
    let mut sentence = Draft { is_sentence_only: true, ..Draft::default() };
    for number in 1..strategy.count() {
        draft.clear();
        strategy.make(number, 0, &mut draft);
        sentence.clear();
        maker.make(number, &mut sentence);
        assert_eq!(sentence.tokens, draft.tokens);
        let choice = Choice { seed: 7, test: number, fixed: &[] };
        let expected = writer.clone().write(&draft.tokens, &choice);
        let Some(found) = writer.write_page(&sentence.tokens, &choice, &mut page) else { continue };
        let mut expected = expected.expect("it was written");
        assert_eq!((page.text(), found.placeholders), (&*expected.text, expected.placeholders));
        expected.is_certain = false;
        assert!(writer.clone().reads_back(&expected), "{:?}", expected.text);
        if let Some(at_once) = maker.write(&choice, &mut page_at_once) {
            assert_eq!((page_at_once.text(), at_once), (page.text(), (draft.tokens.len(), found)));
        } else {
            let has_links = matches!(method, Method::Size(_) | Method::Range(..));
            assert!(!has_links || writer.links(None).is_none(), "{:?}", expected.text);
        }
        if let Some(at_once) = rendering.write(&choice, &mut page_at_once) {
            let mut rendered = Vec::new();
            doubled(page.text(), &mut rendered);
            assert_eq!((page_at_once.bytes(), at_once.1), (&*rendered, found));
        }
        paged += 1;
    }
    (paged, draft_count(&*strategy))
}

fn draft_count(strategy: &dyn Indexed) -> usize {
    usize::try_from(strategy.count() - 1).expect("few")
}

const WITHOUT_TREES: [Method; 5] = [
    Method::Size(30),
    Method::Size(300),
    Method::Range(10, 40),
    Method::Depth(20),
    Method::Cooldown { depth: 20, factor: 0.5 },
];

#[test]
fn pages_say_what_drafts_say() {
    let (mut paged, mut all) = (0, 0);
    for (_, language) in Language::examples() {
        for method in WITHOUT_TREES {
            for lexemes in [Lexemes::Varied, Lexemes::Random] {
                let (more, tried) = check_maker(&language, method, lexemes);
                (paged, all) = (paged + more, all + tried);
            }
        }
    }
    assert!(paged * 10 > all * 8, "{paged} of {all}");
}

#[test]
fn pages_say_what_drafts_say_of_random_lexers() {
    let (mut paged, mut all) = (0, 0);
    for seed in 0..60 {
        let rules = random_lexer(&mut Random(seed << 20), &Features::ALL);
        let Some(language) = over_tokens(&rules) else { continue };
        for method in WITHOUT_TREES {
            let (more, tried) = check_maker(&language, method, Lexemes::Random);
            (paged, all) = (paged + more, all + tried);
        }
    }
    assert!(all > 2000 && paged > 200, "{paged} of {all}");
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
    for (name, language) in Language::examples() {
        for (format, limit) in
            [(Format::Lines, None), (Format::Nul, None), (Format::Nul, Some(901))]
        {
            let views = language.views();
            let random = RandomOptions { count: 1500, ..options(Method::Size(12)) };
            let Ok(strategy) = strategy(&views, &random) else { continue };
            let options = WriteOptions::default();
            let mut writer = Writer::new(&language.grammar, &options).expect("a writer");
            writer.quicken(7).expect("a small automaton");
            let options = Options { merge: Merge::Nothing, jobs: 2, limit, ..Options::default() };
            let pipeline = Pipeline { views: &views, writer, criteria: Vec::new(), options };
            let mut strategies = [Strategy::Indexed(strategy)];
            let mut run = |sink: &mut dyn Sink| -> Summary {
                let watch = &mut |_| ControlFlow::Continue(());
                pipeline.run(&mut strategies, sink, watch).expect("nothing fails")
            };
            let (mut rendered, mut seen) = (Vec::new(), Vec::new());
            let summary = run(&mut *format.sink(&mut rendered));
            assert_eq!(summary, run(&mut OneByOne(format.sink(&mut seen))), "{name}");
            assert!(rendered == seen, "{name}");
            assert!(summary.tests > 0, "{name}");
        }
    }
}

/// A grammar with rules of one production and of many, parts that may be empty, that pass tokens on, or
/// that can be closed off in several ways, or that refer to each other without a token of their own.
fn random_syntax(random: &mut Random) -> String {
    const RULES: usize = 7;
    let token = |random: &mut Random| format!("\"{}\"", random.pick(&["a", "b", "c", "d", "e"]));
    let mut text = String::new();
    for rule in 0..RULES {
        let production = |random: &mut Random| {
            let mut symbols: Vec<String> = Vec::new();
            for _ in 0..random.below(5) {
                symbols.push(match random.below(6) {
                    0 => token(random) + "?",
                    1 => format!("(R{} {})*", random.below(RULES), token(random)),
                    2..5 => format!("R{}", random.below(RULES)),
                    _ => token(random),
                });
            }
            if !symbols.is_empty() && random.below(3) > 0 {
                symbols.insert(random.below(symbols.len() + 1), token(random));
            }
            symbols.join(" ")
        };
        let productions = *random.pick(&[1, 1, 2, 3, 5]);
        let productions: Vec<String> = (0..productions).map(|_| production(random)).collect();
        text += &format!("R{rule} := {};\n", productions.join(" | "));
    }
    text
}

#[test]
fn sentences_without_trees_are_those_of_trees() {
    let (mut random, mut compared) = (Random(0), 0);
    for _ in 0..400 {
        let text = random_syntax(&mut random);
        let files = Memory::with("a.gram", &*text);
        let loaded = load(Path::new("a.gram"), &files, &LoadOptions::default());
        let Some(language) = loaded.grammar.map(Language::new) else { continue };
        let views = language.views();
        for method in [Method::Size(15), Method::Size(120)] {
            let random = RandomOptions { count: 12, ..options(method) };
            let Ok(strategy) = strategy(&views, &random) else { continue };
            let mut maker = strategy.maker(None).expect("somebody who needs no trees");
            for number in 0..strategy.count() {
                let (mut draft, mut sentence) = (Draft::default(), Draft::default());
                sentence.is_sentence_only = true;
                strategy.make(number, 0, &mut draft);
                maker.make(number, &mut sentence);
                assert_eq!(sentence.tokens, draft.tokens, "{method:?} {number} of\n{text}");
                compared += 1;
            }
        }
    }
    assert!(compared > 2000, "{compared}");
}

/// All strings over the tokens of some lexer rules, in nested groups.
fn over_tokens(rules: &str) -> Option<Language> {
    let name = |line: &str| {
        let name = line.split([':', ' ']).next()?;
        let is_token = name.starts_with(|c: char| c.is_ascii_uppercase());
        is_token.then(|| name.to_owned())
    };
    let names: Vec<String> = rules.lines().filter_map(name).collect();
    let syntax = format!(
        "parser grammar P; options {{ tokenVocab = L; }} s: (t s?)*; t: {};",
        names.join(" | ")
    );
    let files = Memory::with("L.g4", format!("lexer grammar L;\n{rules}")).and("P.g4", syntax);
    let loaded = load(Path::new("P.g4"), &files, &LoadOptions::default());
    let grammar = loaded.grammar?;
    Lexer::new(&grammar, &Limits::default()).ok()?;
    Some(Language::new(grammar))
}

/// Behind a name a line break or a semicolon is an end, as in Go: a semicolon of its own cannot come there.
const ENDS: &str = r"lexer grammar L;
NAME: [a-z]+ -> mode(BEHIND); PLUS: '+'; SEMI: ';'; WS: [ \n]+ -> skip;
mode BEHIND;
END: [\n;]+ -> mode(DEFAULT_MODE); SPACE: ' '+ -> skip; OTHER: -> mode(DEFAULT_MODE), skip;";

#[test]
fn trees_that_no_text_has_are_mended() {
    let syntax = "parser grammar P; options { tokenVocab = L; }
        s: (e (SEMI | END))+; e: NAME | PLUS | e PLUS e;";
    let files = Memory::with("L.g4", ENDS).and("P.g4", syntax);
    let grammar = load(Path::new("P.g4"), &files, &LoadOptions::default()).grammar;
    let language = Language::new(grammar.expect("it is a grammar"));
    let views = language.views();
    let mut writer = Writer::new(&language.grammar, &WriteOptions::default()).expect("a writer");
    writer.quicken(7).expect("a small automaton");
    for method in WITHOUT_TREES {
        let strategy = strategy(&views, &options(method)).expect("such tests exist");
        let (mut mended, mut draft) = (0, Draft::default());
        for number in 0..strategy.count() {
            draft.clear();
            strategy.make(number, 0, &mut draft);
            let choice = Choice { seed: 7, test: number, fixed: &[] };
            let before = writer.write(&draft.tokens, &choice).is_ok();
            let mut trial = writer.trial(&choice).expect("pools");
            let is_mended = strategy.mend(number, 0, &mut trial, &mut draft);
            assert_ne!(is_mended, Mended::InVain, "{method:?} {number}");
            language.check(&draft);
            if let Method::Size(wish) = method {
                assert!(wish.abs_diff(draft.tokens.len() as u64) <= wish / TOLERANCE, "{number}");
            }
            let mut written = writer.write(&draft.tokens, &choice).expect("it was mended");
            written.is_certain = false;
            assert!(writer.reads_back(&written), "{:?}", written.text);
            mended += u64::from(!before);
        }
        assert!(mended > strategy.count() / 4, "{method:?}: {mended} were wrong");
    }
}

#[test]
fn every_method_makes_derivations_of_every_example() {
    for (name, language) in Language::examples() {
        for method in METHODS {
            match drafts(&language, &options(method)) {
                Ok(drafts) => assert_eq!(drafts, drafts_again(&language, method), "{name}"),
                // Grammars of a few sentences only.
                Err(RandomError::TooLong { most }) => assert!(most < 28, "{name}: {most}"),
                Err(other) => panic!("{name}, {method:?}: {other:?}"),
            }
        }
    }
}

fn drafts_again(language: &Language, method: Method) -> Vec<Draft> {
    drafts(language, &options(method)).expect("it was possible before")
}

/// The depth of a tree in nested rules.
fn depth(language: &Language, draft: &Draft) -> usize {
    let bnf = &language.bnf;
    let is_rule =
        |production| matches!(bnf.nonterminals()[bnf.lhs(production)].origin, Origin::Rule(_));
    let (mut depth, mut deepest) = (0, 0);
    for step in Tree::new(bnf, draft.productions.clone()).walk(bnf) {
        match step {
            Step::Enter(production, _) => depth += usize::from(is_rule(production)),
            Step::Leave(production) => depth -= usize::from(is_rule(production)),
            Step::Terminal(..) | Step::Silent(_) => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

const LISTS: &str = "List := Item (\",\" Item)*; Item := \"x\" | \"(\" List? \")\";";

#[test]
fn depths_are_kept() {
    let language = Language::read("a.gram", LISTS);
    for limit in [2, 4, 10] {
        // Deep trees are rare, so there have to be many.
        let options = RandomOptions { count: 1000, ..options(Method::Depth(limit)) };
        let drafts = drafts(&language, &options).expect("deep enough");
        let depths = drafts.iter().map(|draft| depth(&language, draft));
        assert_eq!(depths.max(), Some(limit as usize), "the limit is reached and kept");
    }
    let shallow = drafts(&language, &options(Method::Depth(1)));
    assert_eq!(shallow, Err(RandomError::TooShallow { least: 2 }));
}

/// Where the depth is no limit, probabilities hold exactly: a list goes on with one of them at every
/// element, also at the last one that the depth would allow.
#[test]
fn below_a_free_depth_trees_end_as_soon_as_they_can() {
    let text = "S := \"a\" @@ 0.2 | \"b\" S;";
    let shares = shares(text, Weighing::default(), Method::Free(3));
    let lengths: Vec<usize> = shares.keys().map(|sentence| sentence.split(' ').count()).collect();
    assert_eq!(lengths.iter().max(), Some(&4), "three rules by chance, and one that ends");
    for (tokens, expected) in [(1, 0.2), (2, 0.8 * 0.2), (3, 0.8 * 0.8 * 0.2), (4, 0.512)] {
        let of = shares.iter().filter(|(sentence, _)| sentence.split(' ').count() == tokens);
        let found: f64 = of.map(|(_, share)| share).sum();
        // Five standard deviations of 4000 draws.
        assert!((found - expected).abs() < 0.04, "{tokens}: {found} for {expected}");
    }
}

#[test]
fn sizes_of_a_range_are_all_met() {
    let language = Language::read("b.y", "%% e: e '+' N | N;");
    let drafts = drafts(&language, &RandomOptions { count: 400, ..options(Method::Range(10, 40)) });
    let lengths: Vec<u64> =
        drafts.expect("possible").iter().map(|draft| draft.tokens.len() as u64).collect();
    let (least, most) = (lengths.iter().min(), lengths.iter().max());
    assert!(least <= Some(&12) && most >= Some(&38), "{least:?} to {most:?}");
    assert!(lengths.iter().all(|length| (8..=44).contains(length)));
    let distinct: std::collections::BTreeSet<_> = lengths.iter().collect();
    assert!(distinct.len() > 12, "{distinct:?}");
    let short = Language::read("a.y", "%% s: A;");
    let none = crate::random::drafts(&short, &options(Method::Range(10, 40)));
    assert_eq!(none, Err(RandomError::TooLong { most: 1 }));
}

/// Rules that may be empty and refer to each other.
const EMPTIES: &str =
    r#"S := | T* E E; T := A A S A; A := S* | B S* "x" "y"; E := ; B := "x" | A "y" S*;"#;

#[test]
fn sizes_are_met() {
    for wish in [1, 10, 1000] {
        for (file, text) in [("a.gram", LISTS), ("b.y", "%% e: e '+' e | '(' e ')' | N;")] {
            let language = Language::read(file, text);
            for draft in drafts(&language, &options(Method::Size(wish))).expect("possible") {
                let missed = wish.abs_diff(draft.tokens.len() as u64);
                assert!(missed <= (wish / 10).max(2), "{wish}: {} tokens", draft.tokens.len());
            }
        }
    }
    // Most shares fit nothing here, and could go round without a token.
    let empties = Language::read("a.gram", EMPTIES);
    for wish in [5, 15, 100] {
        for draft in drafts(&empties, &options(Method::Size(wish))).expect("possible") {
            let missed = wish.abs_diff(draft.tokens.len() as u64);
            assert!(missed <= (wish / 10).max(2), "{wish}: {} tokens", draft.tokens.len());
        }
    }
    let triples = Language::read("a.y", "%% s: A B C | A B C A B C;");
    let of =
        |tokens| drafts(&triples, &options(Method::Size(tokens))).map(|all| all[0].tokens.len());
    assert_eq!(of(3), Ok(3));
    assert_eq!(of(6), Ok(6));
    assert_eq!(of(30), Err(RandomError::TooLong { most: 6 }));
    assert_eq!(of(0), Err(RandomError::TooShort { least: 3 }));
    let nothing = Language::read("a.y", "%% s: A s;");
    assert_eq!(drafts(&nothing, &options(Method::Size(5))), Err(RandomError::NoSentence));
}

/// How often each sentence comes among many tests.
fn shares(text: &str, weighing: Weighing, method: Method) -> BTreeMap<String, f64> {
    let language = Language::read("a.gram", text);
    let count = 4000;
    let options = RandomOptions { method, weighing, seed: 1, count, max_tokens: 100 };
    let mut shares = BTreeMap::new();
    for draft in drafts(&language, &options).expect("possible") {
        *shares.entry(language.names(&draft)).or_insert(0.0) += 1.0 / count as f64;
    }
    shares
}

fn check_shares(text: &str, weighing: Weighing, expected: &[(&str, f64)]) {
    for method in [
        Method::Depth(5),
        Method::Free(5),
        Method::Size(1),
        Method::Cooldown { depth: 5, factor: 0.9 },
    ] {
        let shares = shares(text, weighing, method);
        assert_eq!(shares.len(), expected.len(), "{shares:?}");
        for (sentence, share) in expected {
            let found = shares[*sentence];
            // Four standard deviations of 4000 draws.
            assert!((found - share).abs() < 0.04, "{method:?}, {sentence}: {found} for {share}");
        }
    }
}

#[test]
fn productions_are_as_likely_as_the_grammar_says() {
    let plain = Weighing::default();
    let three = [("\"a\"", 1.0 / 3.0), ("\"b\"", 1.0 / 3.0), ("\"c\"", 1.0 / 3.0)];
    check_shares("S := \"a\" | \"b\" | \"c\";", plain, &three);
    let text = "S := \"a\" @@ 0.7 | \"b\" | \"c\";";
    check_shares(text, plain, &[("\"a\"", 0.7), ("\"b\"", 0.15), ("\"c\"", 0.15)]);
    let equal = Weighing { damping: 0.0, similarity: 0.0 };
    check_shares(text, equal, &three);
    let damped = Weighing { damping: 0.1, similarity: 1.0 };
    let damped_shares = [("\"a\"", 0.8 / 1.3), ("\"b\"", 0.25 / 1.3), ("\"c\"", 0.25 / 1.3)];
    check_shares(text, damped, &damped_shares);
}

#[test]
fn what_was_used_cools_down() {
    let text = "S := A A A A A A; A := \"a\" | \"b\";";
    let repeated = |factor| {
        let shares = shares(text, Weighing::default(), Method::Cooldown { depth: 5, factor });
        let all = ["\"a\" ".repeat(6), "\"b\" ".repeat(6)];
        all.iter().map(|sentence| shares.get(sentence.trim_end()).copied().unwrap_or(0.0)).sum()
    };
    let (plain, cooled): (f64, f64) = (repeated(1.0), repeated(0.2));
    assert!((plain - 1.0 / 32.0).abs() < 0.02, "without cooling down: {plain}");
    assert!(cooled < plain / 10.0, "with it: {cooled}");
}

//! Random methods: bounds that hold, choices that are as likely as they should be, and that a test depends on
//! nothing but seed and number.

use std::collections::{BTreeMap, BTreeSet};

use gramercy_derive::Candidate;
use gramercy_grammar::tree::Step;
use gramercy_grammar::{Origin, Tree};
use gramercy_language::Language;
use gramercy_sample::Weighing;
use gramercy_sample::methods::{MAX_TOKENS, REGISTRY, RandomError};

use crate::request::{Request, deep, long, range, sized};
use crate::support::{examples, names};

fn read(file: &str, text: &str) -> Language {
    Language::from_text(file, text).expect("a grammar")
}

fn requests() -> [Request; 9] {
    [
        sized(30),
        range(20, 40),
        deep("free", 6),
        deep("depth", 20),
        deep("graph", 20),
        long("forced", 30),
        long("depth-first", 30),
        long("breadth-first", 30),
        deep("cooldown", 20),
    ]
}

#[test]
fn every_method_makes_derivations_of_every_example() {
    let tried: BTreeSet<&str> = requests().iter().map(|of| of.method.name()).collect();
    assert_eq!(tried, REGISTRY.iter().map(|entry| entry.name).collect());
    for (name, language) in examples() {
        for request in requests() {
            match request.candidates(&language) {
                Ok(candidates) => {
                    let again = request.candidates(&language);
                    assert_eq!(again, Ok(candidates), "{name}, {request:?}");
                }
                // Grammars of a few sentences only.
                Err(RandomError::TooLong { most }) => assert!(most < 28, "{name}: {most}"),
                Err(other) => panic!("{name}, {request:?}: {other:?}"),
            }
        }
    }
}

/// The depth of a tree in nested rules.
fn depth(language: &Language, candidate: &Candidate) -> usize {
    let bnf = language.bnf();
    let is_rule =
        |production| matches!(bnf.nonterminals()[bnf.lhs(production)].origin, Origin::Rule(_));
    let (mut depth, mut deepest) = (0, 0);
    for step in Tree::new(bnf, candidate.productions.clone()).walk(bnf) {
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
    let language = read("a.gram", LISTS);
    for limit in [2, 4, 10] {
        // Deep trees are rare, so there have to be many.
        let request = deep("depth", limit).with(|options| options.count = 1000);
        let candidates = request.candidates(&language).expect("deep enough");
        let depths = candidates.iter().map(|candidate| depth(&language, candidate));
        assert_eq!(depths.max(), Some(limit as usize), "the limit is reached and kept");
    }
    let shallow = deep("depth", 1).candidates(&language);
    assert_eq!(shallow, Err(RandomError::TooShallow { least: 2 }));
}

/// Where the depth is no limit, probabilities hold exactly: a list goes on with one of them at every
/// element, also at the last one that the depth would allow.
#[test]
fn below_a_free_depth_trees_end_as_soon_as_they_can() {
    let text = "S := \"a\" @@ 0.2 | \"b\" S;";
    let shares = shares(text, Weighing::default(), deep("free", 3));
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
    let language = read("b.y", "%% e: e '+' N | N;");
    let request = range(10, 40).with(|options| options.count = 400);
    let candidates = request.candidates(&language).expect("possible");
    let lengths: Vec<usize> = candidates.iter().map(|candidate| candidate.tokens.len()).collect();
    let (least, most) = (lengths.iter().min(), lengths.iter().max());
    assert!(least <= Some(&12) && most >= Some(&38), "{least:?} to {most:?}");
    assert!(lengths.iter().all(|length| (8..=44).contains(length)));
    let distinct: BTreeSet<_> = lengths.iter().collect();
    assert!(distinct.len() > 12, "{distinct:?}");
    let short = read("a.y", "%% s: A;");
    assert_eq!(range(10, 40).candidates(&short), Err(RandomError::TooLong { most: 1 }));
}

/// Rules that may be empty and refer to each other.
const EMPTIES: &str =
    r#"S := | T* E E; T := A A S A; A := S* | B S* "x" "y"; E := ; B := "x" | A "y" S*;"#;

/// Every test has about this number of tokens.
fn check_sizes(language: &Language, tokens: u64) {
    for candidate in sized(tokens).candidates(language).expect("possible") {
        let missed = tokens.abs_diff(candidate.tokens.len() as u64);
        assert!(missed <= (tokens / 10).max(2), "{tokens}: {} tokens", candidate.tokens.len());
    }
}

#[test]
fn sizes_are_met() {
    for tokens in [1, 10, 1000] {
        for (file, text) in [("a.gram", LISTS), ("b.y", "%% e: e '+' e | '(' e ')' | N;")] {
            check_sizes(&read(file, text), tokens);
        }
    }
    // Most shares fit nothing here, and could go round without a token.
    let empties = read("a.gram", EMPTIES);
    for tokens in [5, 15, 100] {
        check_sizes(&empties, tokens);
    }
    let triples = read("a.y", "%% s: A B C | A B C A B C;");
    let of = |tokens| sized(tokens).candidates(&triples).map(|all| all[0].tokens.len());
    assert_eq!(of(3), Ok(3));
    assert_eq!(of(6), Ok(6));
    assert_eq!(of(30), Err(RandomError::TooLong { most: 6 }));
    assert_eq!(of(0), Err(RandomError::TooShort { least: 3 }));
    let nothing = read("a.y", "%% s: A s;");
    assert_eq!(sized(5).candidates(&nothing), Err(RandomError::NoSentence));
}

/// How often each sentence comes among many tests.
fn shares(text: &str, weighing: Weighing, request: Request) -> BTreeMap<String, f64> {
    let language = read("a.gram", text);
    let count = 4000;
    let request = request.with(|options| {
        (options.weighing, options.seed, options.count) = (weighing, 1, count);
        options.max_tokens = 100;
    });
    let mut shares = BTreeMap::new();
    for candidate in request.candidates(&language).expect("possible") {
        *shares.entry(names(&language, &candidate.tokens)).or_insert(0.0) += 1.0 / count as f64;
    }
    shares
}

fn cooldown(factor: f64) -> Request {
    deep("cooldown", 5).with(|options| options.cooldown = factor)
}

fn check_shares(text: &str, weighing: Weighing, expected: &[(&str, f64)]) {
    for request in [deep("depth", 5), deep("free", 5), sized(1), cooldown(0.9)] {
        let shares = shares(text, weighing, request);
        assert_eq!(shares.len(), expected.len(), "{shares:?}");
        for (sentence, share) in expected {
            let found = shares[*sentence];
            // Four standard deviations of 4000 draws.
            assert!((found - share).abs() < 0.04, "{request:?}, {sentence}: {found} for {share}");
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
        let shares = shares(text, Weighing::default(), cooldown(factor));
        let all = ["\"a\" ".repeat(6), "\"b\" ".repeat(6)];
        all.iter().map(|sentence| shares.get(sentence.trim_end()).copied().unwrap_or(0.0)).sum()
    };
    let (plain, cooled): (f64, f64) = (repeated(1.0), repeated(0.2));
    assert!((plain - 1.0 / 32.0).abs() < 0.02, "without cooling down: {plain}");
    assert!(cooled < plain / 10.0, "with it: {cooled}");
}

/// Every method of a depth ends trees that reach the most tokens, and records it: none grows without end where a
/// repetition costs no depth or where rules may be empty.
#[test]
fn trees_that_are_large_enough_are_closed_off() {
    let sums = "%% file: e+ 'end'; e: '(' e ')' | e '*' e | e '+' e | '-' e | N;";
    let sums = sums.replace("e+ 'end'", "list 'end'").replace("; e:", "; list: e | list e; e:");
    let lists = r#"S := T* "end"; T := "(" S T* ")" | E*; E := | S S | "x"+;"#;
    for (file, text) in [("a.y", sums.as_str()), ("a.gram", lists)] {
        let language = read(file, text);
        for method in ["depth", "free", "graph", "cooldown"] {
            let request = deep(method, 60).with(|options| {
                (options.max_tokens, options.cooldown) = (300, 0.5);
                options.alternatives.repetitions = 40;
            });
            let candidates = request.candidates(&language).expect("deep enough");
            for candidate in &candidates {
                let tokens = candidate.tokens.len();
                assert!(tokens < 2000, "{file}, {method}: {tokens} tokens");
                assert_eq!(candidate.is_closed_off, tokens >= 300, "{file}, {method}: {tokens}");
            }
        }
    }
    let request = deep("cooldown", 30).with(|options| options.max_tokens = 10_000);
    let closed = request.candidates(&read("a.y", &sums)).expect("deep enough");
    assert!(closed.iter().any(|candidate| candidate.is_closed_off), "the bound is reached");
}

#[test]
fn tests_that_fit_in_no_memory_are_refused() {
    let language = read("b.y", "%% e: e '+' N | N;");
    let too_large = Err(RandomError::TooLarge { limit: MAX_TOKENS });
    for method in ["size", "forced", "depth-first", "breadth-first"] {
        let request = long(method, 1_000_000_000_000);
        assert_eq!(request.candidates(&language).map(|_| ()), too_large, "{method}");
    }
}

/// Rows of one to four tokens: every size exists, so every test has about the requested one.
#[test]
fn sizes_are_met_where_elements_differ_in_length() {
    let text = "File := Row+; Row := (Comment | Decl)? EOL; Decl := Key \"=\" Value?; \
                Key := \"k\"; Value := \"v\" | \"s\"; Comment := \"c\"; EOL := \"e\";";
    let language = read("a.gram", text);
    for tokens in [7, 31, 40] {
        for seed in 1..4 {
            let request = sized(tokens).with(|options| {
                options.count = 300;
                options.seed = seed;
            });
            let candidates = request.candidates(&language).expect("all sizes exist");
            let far = candidates.iter().map(|of| tokens.abs_diff(of.tokens.len() as u64)).max();
            assert!(far <= Some((tokens / 10).max(2)), "{tokens} tokens, seed {seed}: {far:?}");
        }
    }
}

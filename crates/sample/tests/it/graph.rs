//! Random trees by the grammar graph: how alternatives are chosen, and how deep trees go.

use std::collections::{BTreeMap, BTreeSet};

use gramercy_base::Draw;
use gramercy_derive::Candidate;
use gramercy_grammar::{NonterminalId, ProductionId, Symbol};
use gramercy_language::Language;
use gramercy_sample::graph_sampler::Slot;
use gramercy_sample::{Choice, GraphOptions, GraphSampler, LeastUsed, Weighing};

use crate::support::{derivations, examples, names};

fn read(text: &str) -> Language {
    Language::from_text("a.gram", text).expect("a grammar")
}

/// The text of a test, its terminals written by their names without quotes.
fn text(language: &Language, candidate: &Candidate) -> String {
    names(language, &candidate.tokens).replace(['"', ' '], "")
}

/// The trees of numbers from 0 on, all drawn by one sampler.
fn drawn(
    language: &Language,
    options: GraphOptions,
    tests: u64,
) -> impl Iterator<Item = Candidate> + '_ {
    let mut sampler = GraphSampler::new(language, options);
    (0..tests).map(move |number| {
        let mut candidate = Candidate::default();
        assert!(sampler.sentence(&mut Draw::new([number, 0, 0, 0]), &mut candidate));
        candidate
    })
}

fn texts(language: &Language, options: GraphOptions, tests: u64) -> Vec<String> {
    drawn(language, options, tests).map(|test| text(language, &test)).collect()
}

const CHOICES: [Choice; 5] = [
    Choice::Uniform,
    Choice::Weighted(Weighing { damping: 0.1, similarity: 0.5 }),
    Choice::LeastUsed(LeastUsed::Symbol),
    Choice::LeastUsed(LeastUsed::Pair { window: 100 }),
    Choice::LeastUsed(LeastUsed::Path { k: 3 }),
];

/// Random trees of every example with every choice are derivations.
#[test]
fn all_choices_make_derivations() {
    for (_, language) in examples() {
        for choice in CHOICES {
            for partition in [None, Some(0), Some(1)] {
                let options = GraphOptions {
                    depth: 15,
                    repetitions: 3,
                    choice,
                    partition,
                    ..GraphOptions::default()
                };
                for candidate in drawn(&language, options, 5) {
                    derivations(&language, &candidate);
                }
            }
        }
    }
}

/// How many trees are drawn for each alternative of a rule.
const TREES_PER_ALTERNATIVE: u64 = 60;

/// Whether trees that are drawn from a nonterminal have enough productions at last.
fn reach(
    language: &Language,
    nonterminal: NonterminalId,
    choice: Choice,
    is_enough: impl Fn(&BTreeSet<ProductionId>) -> bool,
) -> bool {
    let (depth, repetitions, tokens) = (60, 3, 50);
    let options = GraphOptions { depth, repetitions, choice, tokens, ..GraphOptions::default() };
    let mut sampler = GraphSampler::new(language, options);
    let trees = language.bnf().productions_of(nonterminal).len() as u64 * TREES_PER_ALTERNATIVE;
    let (mut candidate, mut reached) = (Candidate::default(), BTreeSet::new());
    (0..trees).any(|number| {
        candidate.clear();
        let root = Slot::new(Symbol::Nonterminal(nonterminal), 0);
        sampler.close(root, &mut Draw::new([number, 0, 0, 0]), &mut candidate);
        reached.extend(candidate.productions.iter().copied());
        is_enough(&reached)
    })
}

/// From every rule, group and repetition of every example random trees reach every alternative, with every choice
/// but one: if symbols are counted, an alternative of symbols that are all frequent elsewhere need not come. Then
/// they reach every symbol.
#[test]
fn all_choices_reach_every_alternative() {
    for (name, language) in examples() {
        let (bnf, useful) = (language.bnf(), language.useful());
        let nonterminals = bnf.nonterminals().ids();
        for nonterminal in nonterminals.filter(|&id| useful.contains(Symbol::Nonterminal(id))) {
            let productions = bnf.productions_of(nonterminal).iter().copied();
            let productions = productions.filter(|&id| useful.has_production(id));
            let alternatives: BTreeSet<ProductionId> = productions.collect();
            let symbols = |of: &BTreeSet<ProductionId>| -> BTreeSet<Symbol> {
                of.iter().flat_map(|&id| bnf.rhs(id)).copied().collect()
            };
            let all_symbols = symbols(&alternatives);
            for choice in CHOICES {
                let has_all = reach(&language, nonterminal, choice, |reached| match choice {
                    Choice::LeastUsed(LeastUsed::Symbol) => {
                        symbols(reached).is_superset(&all_symbols)
                    }
                    _ => reached.is_superset(&alternatives),
                });
                let rule = language.nonterminal_name(nonterminal);
                assert!(has_all, "{name}: {rule}, {choice:?}");
            }
        }
    }
}

/// Every one of several alternatives is drawn, the last one too; least used ones are drawn in turn.
#[test]
fn alternatives_are_drawn_evenly() {
    let language = read("S := \"a\" | \"b\" | \"c\" | \"d\";");
    let uniform: BTreeSet<String> =
        texts(&language, GraphOptions::default(), 100).into_iter().collect();
    assert_eq!(uniform.len(), 4);
    let choice = Choice::LeastUsed(LeastUsed::Path { k: 1 });
    let options = GraphOptions { choice, ..GraphOptions::default() };
    let in_turn: BTreeSet<String> = texts(&language, options, 4).into_iter().collect();
    assert_eq!(in_turn.len(), 4);
}

/// A depth that no tree keeps to is exceeded by as little as the grammar demands.
#[test]
fn depth_and_repetitions_are_bounded() {
    let language = read("S := \"(\" S \")\" | \"x\" | \"y\"+;");
    let options = GraphOptions { depth: 9, repetitions: 4, ..GraphOptions::default() };
    let tests = texts(&language, options, 300);
    let most = |of: char| tests.iter().map(|test| test.matches(of).count()).max();
    // Every parenthesis takes an alternation, a concatenation and a reference.
    assert_eq!(most('('), Some(2));
    assert_eq!(most('y'), Some(4));
    let few = GraphOptions { depth: 2000, tokens: 7, ..options };
    let longest = drawn(&language, few, 300).map(|test| test.tokens.len()).max();
    assert!(longest <= Some(2 * 7 + 4), "{longest:?}: what is open is closed off");
    let low = GraphOptions { depth: 0, ..options };
    assert!(drawn(&language, low, 20).all(|test| test.tokens.len() == 1));
}

/// How often each sentence comes among many random trees.
fn shares(language: &Language, options: GraphOptions, tests: u64) -> BTreeMap<String, f64> {
    let mut shares = BTreeMap::new();
    for test in texts(language, options, tests) {
        *shares.entry(test).or_insert(0.0) += 1.0 / tests as f64;
    }
    shares
}

/// Probabilities p with damping d and similarity s: p' ∝ (p + d)ˢ.
#[test]
fn probabilities_are_bent_as_they_should_be() {
    let language = read("S := \"a\" @@ 0.6 | \"b\" @@ 0.3 | \"c\";");
    let given = [("a", 0.6_f64), ("b", 0.3), ("c", 0.1)];
    for (damping, similarity) in [(0.0, 1.0), (0.5, 1.0), (0.0, 2.0), (0.2, 0.5), (1.0, 0.0)] {
        let choice = Choice::Weighted(Weighing { damping, similarity });
        let tests = 10_000_u64;
        let shares = shares(&language, GraphOptions { choice, ..GraphOptions::default() }, tests);
        let bent = given.map(|(_, p)| (p + damping).powf(similarity));
        let sum: f64 = bent.iter().sum();
        for ((sentence, _), bent) in given.iter().zip(bent) {
            let p = bent / sum;
            // Four standard deviations of as many draws.
            let most = 4.0 * (p * (1.0 - p) / tests as f64).sqrt();
            let found = shares.get(*sentence).copied().unwrap_or(0.0);
            assert!((found - p).abs() <= most, "{damping}, {similarity}: {found} for {p}");
        }
    }
}

/// The c-th smallest height: a leaf, a rule above it, and two rules; beyond that, the greatest.
#[test]
fn partitions_are_by_height() {
    let language = read("S := \"a\" | \"b\" | T | U; T := \"t\"; U := V; V := \"v\";");
    let of = |partition| {
        let options = GraphOptions { partition, ..GraphOptions::default() };
        shares(&language, options, 200).into_keys().collect::<Vec<_>>()
    };
    assert_eq!(of(None), ["a", "b", "t", "v"]);
    assert_eq!(of(Some(0)), ["a", "b"]);
    assert_eq!(of(Some(1)), ["t"]);
    assert_eq!(of(Some(2)), ["v"]);
    assert_eq!(of(Some(9)), ["v"]);
}

/// A plain list of all choices so far says what was used least.
#[test]
fn the_least_used_is_chosen() {
    let language = read("S := A; A := \"a\" | \"b\" | \"c\" | \"d\";");
    let check = |what: LeastUsed, remembered: usize| {
        let options = GraphOptions { choice: Choice::LeastUsed(what), ..GraphOptions::default() };
        let tests = texts(&language, options, 400);
        for (at, chosen) in tests.iter().enumerate() {
            let past = &tests[at.saturating_sub(remembered)..at];
            let uses = |name: &str| past.iter().filter(|of| *of == name).count();
            let least = ["a", "b", "c", "d"].map(uses).into_iter().min();
            assert_eq!(Some(uses(chosen)), least, "{what:?}, test {at}");
        }
    };
    check(LeastUsed::Symbol, usize::MAX);
    check(LeastUsed::Path { k: 1 }, usize::MAX);
    check(LeastUsed::Path { k: 2 }, usize::MAX);
    // A test adds the pair of the root's reference and of its leaf: two a test.
    check(LeastUsed::Pair { window: 4 }, 2);
    check(LeastUsed::Pair { window: 200 }, 100);
}

//! Random small grammars, as texts, with fixed seeds.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestRunner};

/// Checks a property on random grammars, the same ones in every run.
pub(crate) fn for_random(
    cases: u32,
    texts: impl Strategy<Value = String>,
    property: impl Fn(&str) -> Result<(), TestCaseError>,
) {
    let config = Config {
        cases,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..Config::default()
    };
    TestRunner::new(config).run(&texts, |text| property(&text)).unwrap_or_else(|e| panic!("{e}"));
}

const NAMES: [&str; 4] = ["A", "B", "C", "D"];

/// Grammars of up to four rules with up to three short alternatives each: ε-rules, cycles,
/// duplicates, unproductive and unreachable symbols are all frequent.
pub(crate) fn bnf_texts() -> impl Strategy<Value = String> {
    (1..=NAMES.len()).prop_flat_map(|rules| {
        let symbol = prop_oneof![
            2 => prop::sample::select(&["'a'", "'b'", "'c'"]),
            3 => prop::sample::select(&NAMES[..rules]),
        ];
        let alternative = prop::collection::vec(symbol, 0..=3).prop_map(|items| items.join(" "));
        rule_lists(rules, prop::collection::vec(alternative, 1..=3))
    })
}

/// Grammars with nested groups and quantifiers, some with maximum 0 or with minimum above maximum.
pub(crate) fn ebnf_texts() -> impl Strategy<Value = String> {
    (1..=3_usize).prop_flat_map(|rules| {
        let leaf = prop_oneof![
            2 => prop::sample::select(&["'a'", "'b'"]).prop_map(str::to_owned),
            3 => prop::sample::select(&NAMES[..rules]).prop_map(str::to_owned),
        ];
        let item = leaf.prop_recursive(3, 12, 3, |inner| {
            let sequence = prop::collection::vec(inner, 0..=3).prop_map(|items| items.join(" "));
            let group = prop::collection::vec(sequence, 1..=3);
            let quantifier = prop::sample::select(&["", "?", "*", "+", "{0,0}", "{2,3}", "{2,}"]);
            (group, quantifier).prop_map(|(group, quantifier)| {
                let group = group.join(" | ");
                format!("({group}){quantifier}")
            })
        });
        let alternative = prop::collection::vec(item, 0..=3).prop_map(|items| items.join(" "));
        rule_lists(rules, prop::collection::vec(alternative, 1..=3))
    })
}

fn rule_lists(
    rules: usize,
    alternatives: impl Strategy<Value = Vec<String>>,
) -> impl Strategy<Value = String> {
    prop::collection::vec(alternatives, rules).prop_map(|bodies| {
        let rule = |(name, body): (&&str, &Vec<String>)| format!("{name}: {};", body.join(" | "));
        NAMES.iter().zip(&bodies).map(rule).collect::<Vec<_>>().join(" ")
    })
}

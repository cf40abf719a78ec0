//! Packed suites: as few tests as possible, and complete.

use gramercy_coverage::criteria::step::Steps;
use gramercy_coverage::{Criterion, TargetSet};
use gramercy_derive::Candidate;
use gramercy_generate::strategies::pack::chains::MissingChains;
use gramercy_generate::strategies::pack::paths::MissingPaths;
use gramercy_generate::strategies::pack::{Pack, PackOptions};
use gramercy_language::Language;

use super::complete::union;
use super::support::{candidates, example, paths};
use crate::support::examples;

fn pack(language: &Language, k: u32, options: PackOptions) -> Vec<Candidate> {
    let source = MissingPaths::new(language, k, &TargetSet::new());
    candidates(&mut Pack::new(language, source.expect("few paths"), options))
}

/// Figure 1: only the choices at the root exclude each other, so these numbers are the smallest
/// possible.
#[test]
fn expressions_take_as_few_tests_as_possible() {
    let language = &example("expr.gram");
    for (k, expected) in [(1, 1), (2, 3), (3, 8)] {
        let tests = pack(language, k, PackOptions::default());
        let sizes: Vec<usize> = tests.iter().map(|test| test.tokens.len()).collect();
        assert_eq!(tests.len(), expected, "k = {k}: {sizes:?}");
    }
}

#[test]
fn packed_suites_of_all_examples_are_complete() {
    for (name, language) in &examples() {
        for k in 1..=4 {
            let criterion = paths(language, k);
            if criterion.coverable() > 20_000 {
                continue;
            }
            let tests = pack(language, k, PackOptions::default());
            let union = union(language, &criterion, &tests);
            assert_eq!(union.len(), criterion.coverable(), "{name}, k = {k}");
        }
    }
}

#[test]
fn packed_chains_of_all_examples_are_complete() {
    for (name, language) in &examples() {
        for k in 1..=3 {
            let criterion = Steps::new(language, k).expect("few chains");
            let source = MissingChains::new(language, k, &TargetSet::new());
            let source = source.expect("few chains");
            let tests = candidates(&mut Pack::new(language, source, PackOptions::default()));
            let union = union(language, &criterion, &tests);
            assert_eq!(union.len(), criterion.coverable(), "{name}, k = {k}");
        }
    }
}

#[test]
fn a_bound_on_tokens_is_kept_and_what_does_not_fit_is_named() {
    let language = &example("expr.gram");
    let source = MissingPaths::new(language, 2, &TargetSet::new());
    let options = PackOptions { max_tokens: Some(2), ..PackOptions::default() };
    let mut pack = Pack::new(language, source.expect("few paths"), options);
    let tests = candidates(&mut pack);
    assert!(tests.iter().all(|test| test.tokens.len() <= 2));
    let criterion = paths(language, 2);
    let covered = union(language, &criterion, &tests);
    let omitted = pack.omitted().len() as u64;
    assert!(omitted > 0, "a sum has three tokens");
    assert_eq!(covered.len() + omitted, criterion.coverable());
}

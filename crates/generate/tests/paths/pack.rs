//! Packed suites: as few tests as possible, and complete.

use gramercy_base::Limits;
use gramercy_coverage::criteria::step::Steps;
use gramercy_coverage::{Criterion, TargetSet, Views};
use gramercy_generate::Draft;
use gramercy_generate::strategies::pack::chains::MissingChains;
use gramercy_generate::strategies::pack::paths::MissingPaths;
use gramercy_generate::strategies::pack::{Pack, PackOptions};

use crate::complete::union;
use crate::support::{drafts, example, examples, paths, with_views};

fn pack(views: &Views<'_>, k: u32, options: PackOptions) -> Vec<Draft> {
    let source = MissingPaths::new(views, k, &TargetSet::new(), &Limits::default());
    drafts(&mut Pack::new(views, source.expect("few paths"), options))
}

/// Figure 1: only the choices at the root exclude each other, so these numbers are the smallest
/// possible.
#[test]
fn expressions_take_as_few_tests_as_possible() {
    let grammar = example("expr.gram");
    with_views(&grammar, |views| {
        for (k, expected) in [(1, 1), (2, 3), (3, 8)] {
            let tests = pack(views, k, PackOptions::default());
            let sizes: Vec<usize> = tests.iter().map(|test| test.tokens.len()).collect();
            assert_eq!(tests.len(), expected, "k = {k}: {sizes:?}");
        }
    });
}

#[test]
fn packed_suites_of_all_examples_are_complete() {
    for (name, grammar) in examples() {
        with_views(&grammar, |views| {
            for k in 1..=4 {
                let criterion = paths(views, k);
                if criterion.coverable() > 20_000 {
                    continue;
                }
                let tests = pack(views, k, PackOptions::default());
                let union = union(views, &criterion, &tests);
                assert_eq!(union.len(), criterion.coverable(), "{name}, k = {k}");
            }
        });
    }
}

#[test]
fn packed_chains_of_all_examples_are_complete() {
    for (name, grammar) in examples() {
        with_views(&grammar, |views| {
            for k in 1..=3 {
                let limits = Limits::default();
                let criterion = Steps::new(views, k, &limits).expect("few chains");
                let source = MissingChains::new(views, k, &TargetSet::new(), &limits);
                let source = source.expect("few chains");
                let tests = drafts(&mut Pack::new(views, source, PackOptions::default()));
                let union = union(views, &criterion, &tests);
                assert_eq!(union.len(), criterion.coverable(), "{name}, k = {k}");
            }
        });
    }
}

#[test]
fn a_bound_on_tokens_is_kept_and_what_does_not_fit_is_named() {
    let grammar = example("expr.gram");
    with_views(&grammar, |views| {
        let source = MissingPaths::new(views, 2, &TargetSet::new(), &Limits::default());
        let options = PackOptions { max_tokens: Some(2), ..PackOptions::default() };
        let mut pack = Pack::new(views, source.expect("few paths"), options);
        let tests = drafts(&mut pack);
        assert!(tests.iter().all(|test| test.tokens.len() <= 2));
        let criterion = paths(views, 2);
        let covered = union(views, &criterion, &tests);
        let omitted = pack.omitted().len() as u64;
        assert!(omitted > 0, "a sum has three tokens");
        assert_eq!(covered.len() + omitted, criterion.coverable());
    });
}

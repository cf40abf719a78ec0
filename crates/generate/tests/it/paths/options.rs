//! What can be requested of a suite.

use std::collections::BTreeSet;
use std::time::Duration;

use gramercy_base::Draw;
use gramercy_coverage::{Criterion, TargetSet};
use gramercy_derive::strategy::{Outcome, Rejection, Reply, Sequential};
use gramercy_derive::{Candidate, Obstacle, Resolution, Resolutions};
use gramercy_generate::Minimizer;
use gramercy_generate::strategies::forests::{ForestOptions, subsets};
use gramercy_generate::strategies::kpath::{CloseOff, KPathOptions, KPathStrategy, Omitted};
use gramercy_generate::strategies::recurrent::{Recurrent, Until};
use gramercy_language::Language;
use gramercy_sample::methods::graph::RandomTrees;
use gramercy_sample::{GraphOptions, GraphSampler};

use super::complete::union;
use super::support::{candidates, covered, example, paths, suite, text};
use crate::support::examples;

fn random_close_off(options: GraphOptions) -> KPathOptions {
    KPathOptions { close_off: CloseOff::Random(options), ..KPathOptions::new(2) }
}

#[test]
fn random_parts_cover_everything_too() {
    for (name, language) in &examples() {
        let tests = suite(language, random_close_off(GraphOptions::default()));
        let criterion = paths(language, 2);
        let union = union(language, &criterion, &tests);
        assert_eq!(union.len(), criterion.coverable(), "{name}");
        assert_eq!(tests, suite(language, random_close_off(GraphOptions::default())), "{name}");
    }
}

fn drawn(language: &Language, options: GraphOptions, tests: u64) -> Vec<Candidate> {
    let mut sampler = GraphSampler::new(language, options);
    let draw = |number| {
        let mut candidate = Candidate::default();
        assert!(sampler.sentence(&mut Draw::new([number, 0, 0, 0]), &mut candidate));
        candidate
    };
    (0..tests).map(draw).collect()
}

#[test]
fn suites_go_on_until_there_are_enough_tests() {
    let language = &example("expr.gram");
    let resolutions = Resolutions::new(language, Resolution::default(), 1);
    let mut random = RandomTrees::new(language, GraphOptions::default(), 7, 50);
    assert_eq!(candidates(&mut random).len(), 50);
    let recurrent = |until| {
        let suites = vec![KPathOptions::new(1), KPathOptions::new(2)];
        Recurrent::new(language, &resolutions, suites, until)
    };
    let tests = candidates(&mut recurrent(Until::Tests(300)).expect("few paths"));
    assert_eq!(tests.len(), 300);
    // A run are both suites; the second one differs, and covers all again.
    let runs: Vec<Vec<Candidate>> =
        (1..=2).map(|k| suite(language, KPathOptions::new(k))).collect();
    let run = runs.concat();
    assert_eq!(tests[..run.len()], run);
    let second = &tests[run.len()..2 * run.len() + 20];
    assert!(second.iter().any(|test| !run.contains(test)));
    for k in 1..=2 {
        let criterion = paths(language, k);
        let mut union = TargetSet::new();
        second.iter().for_each(|test| _ = union.union_with(&covered(language, &criterion, test)));
        assert_eq!(union.len(), criterion.coverable());
    }
    let mut none = recurrent(Until::Elapsed(Duration::ZERO)).expect("few paths");
    assert!(candidates(&mut none).is_empty());
}

#[test]
fn forests_cover_their_subsets() {
    let language = &example("expr.gram");
    let criterion = paths(language, 2);
    let mut sizes = Vec::new();
    let options = ForestOptions { largest: 4, each: 5 };
    for targets in subsets(0..criterion.targets(), options) {
        let wanted = Some(targets.iter().copied().collect());
        let tests = suite(language, KPathOptions { wanted, ..KPathOptions::new(2) });
        let covered = union(language, &criterion, &tests);
        assert!(tests.len() <= targets.len());
        assert!(targets.iter().all(|&target| covered.contains(target)));
        sizes.push(targets.len());
    }
    assert_eq!(sizes, [1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4]);
}

#[test]
fn only_what_is_not_given_is_made() {
    let language = &example("expr.gram");
    let criterion = paths(language, 2);
    let all = suite(language, KPathOptions::new(2));
    let mut given = TargetSet::new();
    for test in &all[..20] {
        given.union_with(&covered(language, &criterion, test));
    }
    let rest = suite(language, KPathOptions { given: given.clone(), ..KPathOptions::new(2) });
    assert!(rest.len() < all.len());
    given.union_with(&union(language, &criterion, &rest));
    assert_eq!(given.len(), criterion.coverable());
}

#[test]
fn long_tests_are_left_out_by_name() {
    let language = &example("expr.gram");
    let options = KPathOptions { max_tokens: Some(2), ..KPathOptions::new(2) };
    let mut strategy = KPathStrategy::new(language, options).expect("few paths");
    let tests = candidates(&mut strategy);
    assert!(tests.iter().all(|test| test.tokens.len() <= 2));
    let is_too_long = |why: &Omitted| matches!(why, Omitted::TooLong(length) if *length > 2);
    assert!(strategy.omitted().values().all(is_too_long));
    let criterion = paths(language, 2);
    let covered = union(language, &criterion, &tests).len();
    assert_eq!(covered + strategy.omitted().len() as u64, criterion.coverable());
}

/// A test that cannot be written is replaced by others with the same target; what only it covered is
/// covered by later tests, and a target without any is named.
#[test]
fn unwritten_tests_are_made_again() {
    let language = &example("expr.gram");
    let criterion = paths(language, 2);
    let strategy = KPathStrategy::new(language, KPathOptions::new(2));
    let mut strategy = strategy.expect("few paths");
    let (mut union, mut candidate, mut seen) =
        (TargetSet::new(), Candidate::default(), BTreeSet::new());
    let has_star = |candidate: &Candidate| text(language, candidate).contains('*');
    'tests: while strategy.propose(&mut candidate) {
        let mut attempts = 0;
        while has_star(&candidate) {
            attempts += 1;
            let (obstacle, inseparable, may_retry) = (Obstacle::NotReadBack, None, true);
            let rejection = Rejection { obstacle, inseparable, attempts, may_retry };
            let reply = strategy.conclude(Outcome::Rejected(&rejection), &mut candidate);
            if reply == Reply::Done {
                continue 'tests;
            }
            let goal = candidate.goal.expect("a path").target;
            assert!(covered(language, &criterion, &candidate).contains(goal));
            seen.insert(candidate.tokens.clone());
        }
        union.union_with(&covered(language, &criterion, &candidate));
        strategy.conclude(Outcome::Accepted, &mut candidate);
    }
    assert!(seen.len() > 10, "attempts differ");
    let unwritten = strategy.omitted().values().filter(|&&why| why == Omitted::Unwritten);
    assert_eq!(union.len() + unwritten.count() as u64, criterion.coverable());
    assert!(!union.is_empty() && union.len() < criterion.coverable());
}

#[test]
fn a_minimized_suite_covers_the_same() {
    let language = &example("json.gram");
    let criterion = paths(language, 2);
    let tests = drawn(language, GraphOptions::default(), 200);
    let mut minimizer =
        Minimizer::new(&[(criterion.targets(), TargetSet::new())], 1 << 30).expect("small");
    let mut all = TargetSet::new();
    for (at, test) in tests.iter().enumerate() {
        let covered = covered(language, &criterion, test);
        all.union_with(&covered);
        let covered: Vec<_> = covered.iter().map(|id| (0, id)).collect();
        minimizer.add(at, &covered).expect("small");
    }
    let minimized = minimizer.select(None);
    let mut kept = TargetSet::new();
    for &at in &minimized.kept {
        kept.union_with(&covered(language, &criterion, &tests[at]));
    }
    assert_eq!(kept, all);
    assert!(minimized.kept.len() < 50 && minimized.at_least <= minimized.kept.len());
    assert!(minimized.at_least > 1 && minimized.bound > 1.0);
}

//! What can be wished of a suite.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use gramercy_base::{Draw, Limits};
use gramercy_coverage::{Criterion, TargetSet, Views};
use gramercy_generate::strategies::forests::{ForestOptions, subsets};
use gramercy_generate::strategies::kpath::{Closing, KPathOptions, KPathStrategy, Omitted};
use gramercy_generate::strategies::runs::{RandomTrees, Recurrent, Until};
use gramercy_generate::{
    Choice, Closings, Draft, DrawOptions, Drawer, LeastUsed, Minimizer, Resolution, Sequential,
    Weighing,
};

use crate::complete::union;
use crate::support::{covered, drafts, example, examples, paths, read, suite, text, with_views};

fn random_closing(options: DrawOptions) -> KPathOptions {
    KPathOptions { closing: Closing::Random(options), ..KPathOptions::new(2) }
}

#[test]
fn random_closings_cover_everything_too() {
    for (name, grammar) in examples() {
        with_views(&grammar, |views| {
            let tests = suite(views, random_closing(DrawOptions::default()));
            let criterion = paths(views, 2);
            let union = union(views, &criterion, &tests);
            assert_eq!(union.len(), criterion.coverable(), "{name}");
            assert_eq!(tests, suite(views, random_closing(DrawOptions::default())), "{name}");
        });
    }
}

fn drawn(views: &Views<'_>, options: DrawOptions, tests: u64) -> Vec<Draft> {
    let mut drawer = Drawer::new(views, options);
    let draw = |number| {
        let mut draft = Draft::default();
        assert!(drawer.sentence(&mut Draw::new([number, 0, 0, 0]), &mut draft));
        draft
    };
    (0..tests).map(draw).collect()
}

/// Random trees of every example with every choice are derivations, and reach every alternative.
#[test]
fn all_choices_make_derivations() {
    let choices = [
        Choice::Uniform,
        Choice::Weighted(Weighing { damping: 0.1, similarity: 0.5 }),
        Choice::LeastUsed(LeastUsed::Symbol),
        Choice::LeastUsed(LeastUsed::Pair { window: 100 }),
        Choice::LeastUsed(LeastUsed::Path { k: 3 }),
    ];
    for (_, grammar) in examples() {
        with_views(&grammar, |views| {
            for choice in choices {
                for partition in [None, Some(0), Some(1)] {
                    let options = DrawOptions {
                        depth: 15,
                        repetitions: 3,
                        choice,
                        partition,
                        ..DrawOptions::default()
                    };
                    for draft in drawn(views, options, 5) {
                        covered(views, &paths(views, 1), &draft);
                    }
                }
            }
        });
    }
}

/// Every one of several alternatives is drawn, the last one too; least used ones are drawn in turn.
#[test]
fn alternatives_are_drawn_evenly() {
    let grammar = read("S := \"a\" | \"b\" | \"c\" | \"d\";");
    with_views(&grammar, |views| {
        let uniform: BTreeSet<String> =
            drawn(views, DrawOptions::default(), 100).iter().map(|t| text(views, t)).collect();
        assert_eq!(uniform.len(), 4);
        let choice = Choice::LeastUsed(LeastUsed::Path { k: 1 });
        let options = DrawOptions { choice, ..DrawOptions::default() };
        let in_turn: BTreeSet<String> =
            drawn(views, options, 4).iter().map(|t| text(views, t)).collect();
        assert_eq!(in_turn.len(), 4);
    });
}

/// A depth that no tree keeps to is exceeded by as little as the grammar demands.
#[test]
fn depth_and_repetitions_are_bounded() {
    let grammar = read("S := \"(\" S \")\" | \"x\" | \"y\"+;");
    with_views(&grammar, |views| {
        let options = DrawOptions { depth: 9, repetitions: 4, ..DrawOptions::default() };
        let tests = drawn(views, options, 300);
        let count = |test: &Draft, of: char| text(views, test).matches(of).count();
        // Every parenthesis takes an alternation, a concatenation and a reference.
        assert_eq!(tests.iter().map(|test| count(test, '(')).max(), Some(2));
        assert_eq!(tests.iter().map(|test| count(test, 'y')).max(), Some(4));
        let few = DrawOptions { depth: 2000, tokens: 7, ..options };
        let longest = drawn(views, few, 300).iter().map(|test| test.tokens.len()).max();
        assert!(longest <= Some(2 * 7 + 4), "{longest:?}: what is open is closed off");
        let low = DrawOptions { depth: 0, ..options };
        assert!(drawn(views, low, 20).iter().all(|test| test.tokens.len() == 1));
    });
}

#[test]
fn suites_go_on_until_there_are_enough_tests() {
    let grammar = example("expr.gram");
    with_views(&grammar, |views| {
        let (options, limits) = (KPathOptions::new(1), Limits::default());
        let closings = Closings::new(views, Resolution::default(), 1);
        let mut random = RandomTrees::new(views, DrawOptions::default(), 7, 50);
        assert_eq!(drafts(&mut random).len(), 50);
        let recurrent = |until| {
            let suites = vec![options.clone(), KPathOptions::new(2)];
            Recurrent::new(views, &closings, suites, until, &limits)
        };
        let tests = drafts(&mut recurrent(Until::Tests(300)).expect("few paths"));
        assert_eq!(tests.len(), 300);
        // A run are both suites; the second one differs, and covers all again.
        let runs: Vec<Vec<Draft>> = (1..=2).map(|k| suite(views, KPathOptions::new(k))).collect();
        let run = runs.concat();
        assert_eq!(tests[..run.len()], run);
        let second = &tests[run.len()..2 * run.len() + 20];
        assert!(second.iter().any(|test| !run.contains(test)));
        for k in 1..=2 {
            let criterion = paths(views, k);
            let mut union = TargetSet::new();
            second.iter().for_each(|test| _ = union.union_with(&covered(views, &criterion, test)));
            assert_eq!(union.len(), criterion.coverable());
        }
        let mut none = recurrent(Until::Elapsed(Duration::ZERO)).expect("few paths");
        assert!(drafts(&mut none).is_empty());
    });
}

#[test]
fn forests_cover_their_subsets() {
    let grammar = example("expr.gram");
    with_views(&grammar, |views| {
        let criterion = paths(views, 2);
        let mut sizes = Vec::new();
        let options = ForestOptions { largest: 4, each: 5 };
        for targets in subsets(0..criterion.targets(), options) {
            let wanted = Some(targets.iter().copied().collect());
            let tests = suite(views, KPathOptions { wanted, ..KPathOptions::new(2) });
            let covered = union(views, &criterion, &tests);
            assert!(tests.len() <= targets.len());
            assert!(targets.iter().all(|&target| covered.contains(target)));
            sizes.push(targets.len());
        }
        assert_eq!(sizes, [1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4]);
    });
}

#[test]
fn only_what_is_not_given_is_made() {
    let grammar = example("expr.gram");
    with_views(&grammar, |views| {
        let criterion = paths(views, 2);
        let all = suite(views, KPathOptions::new(2));
        let mut given = TargetSet::new();
        for test in &all[..20] {
            given.union_with(&covered(views, &criterion, test));
        }
        let rest = suite(views, KPathOptions { given: given.clone(), ..KPathOptions::new(2) });
        assert!(rest.len() < all.len());
        given.union_with(&union(views, &criterion, &rest));
        assert_eq!(given.len(), criterion.coverable());
    });
}

#[test]
fn long_tests_are_left_out_by_name() {
    let grammar = example("expr.gram");
    with_views(&grammar, |views| {
        let options = KPathOptions { max_tokens: Some(2), ..KPathOptions::new(2) };
        let mut strategy =
            KPathStrategy::new(views, options, &Limits::default()).expect("few paths");
        let tests = drafts(&mut strategy);
        assert!(tests.iter().all(|test| test.tokens.len() <= 2));
        let is_too_long = |why: &Omitted| matches!(why, Omitted::TooLong(length) if *length > 2);
        assert!(strategy.omitted().values().all(is_too_long));
        let criterion = paths(views, 2);
        let covered = union(views, &criterion, &tests).len();
        assert_eq!(covered + strategy.omitted().len() as u64, criterion.coverable());
    });
}

/// A test that cannot be written is replaced by others with the same target; what only it covered is
/// covered by later tests, and a target without any is named.
#[test]
fn unwritten_tests_are_made_again() {
    let grammar = example("expr.gram");
    with_views(&grammar, |views| {
        let criterion = paths(views, 2);
        let strategy = KPathStrategy::new(views, KPathOptions::new(2), &Limits::default());
        let mut strategy = strategy.expect("few paths");
        let (mut union, mut draft, mut seen) =
            (TargetSet::new(), Draft::default(), BTreeSet::new());
        let has_star = |draft: &Draft| text(views, draft).contains('*');
        'tests: while strategy.next(&mut draft) {
            let mut attempt = 0;
            while has_star(&draft) {
                attempt += 1;
                if !strategy.again(attempt, &mut draft) {
                    continue 'tests;
                }
                let goal = draft.goal.expect("a path").target;
                assert!(covered(views, &criterion, &draft).contains(goal));
                seen.insert(draft.tokens.clone());
            }
            union.union_with(&covered(views, &criterion, &draft));
        }
        assert!(seen.len() > 10, "attempts differ");
        let unwritten = strategy.omitted().values().filter(|&&why| why == Omitted::Unwritten);
        assert_eq!(union.len() + unwritten.count() as u64, criterion.coverable());
        assert!(!union.is_empty() && union.len() < criterion.coverable());
    });
}

#[test]
fn a_minimized_suite_covers_the_same() {
    let grammar = example("json.gram");
    with_views(&grammar, |views| {
        let criterion = paths(views, 2);
        let tests = drawn(views, DrawOptions::default(), 200);
        let mut minimizer =
            Minimizer::new(&[(criterion.targets(), TargetSet::new())], 1 << 30).expect("small");
        let mut all = TargetSet::new();
        for (at, test) in tests.iter().enumerate() {
            let covered = covered(views, &criterion, test);
            all.union_with(&covered);
            let covered: Vec<_> = covered.iter().map(|id| (0, id)).collect();
            minimizer.add(at, &covered).expect("small");
        }
        let minimized = minimizer.select(None);
        let mut kept = TargetSet::new();
        for &at in &minimized.kept {
            kept.union_with(&covered(views, &criterion, &tests[at]));
        }
        assert_eq!(kept, all);
        assert!(minimized.kept.len() < 50 && minimized.at_least <= minimized.kept.len());
        assert!(minimized.at_least > 1 && minimized.bound > 1.0);
    });
}

/// How often each sentence comes among many random trees.
fn shares(views: &Views<'_>, options: DrawOptions, tests: u64) -> BTreeMap<String, f64> {
    let mut shares = BTreeMap::new();
    for draft in drawn(views, options, tests) {
        *shares.entry(text(views, &draft)).or_insert(0.0) += 1.0 / tests as f64;
    }
    shares
}

/// Probabilities p with damping d and similarity s: p' ∝ (p + d)ˢ.
#[test]
fn probabilities_are_bent_as_they_should_be() {
    let grammar = read("S := \"a\" @@ 0.6 | \"b\" @@ 0.3 | \"c\";");
    let given = [("a", 0.6_f64), ("b", 0.3), ("c", 0.1)];
    with_views(&grammar, |views| {
        for (damping, similarity) in [(0.0, 1.0), (0.5, 1.0), (0.0, 2.0), (0.2, 0.5), (1.0, 0.0)] {
            let choice = Choice::Weighted(Weighing { damping, similarity });
            let tests = 10_000_u64;
            let shares = shares(views, DrawOptions { choice, ..DrawOptions::default() }, tests);
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
    });
}

/// The c-th smallest height: a leaf, a rule above it, and two rules; beyond that, the greatest.
#[test]
fn partitions_are_by_height() {
    let grammar = read("S := \"a\" | \"b\" | T | U; T := \"t\"; U := V; V := \"v\";");
    with_views(&grammar, |views| {
        let of = |partition| {
            let options = DrawOptions { partition, ..DrawOptions::default() };
            shares(views, options, 200).into_keys().collect::<Vec<_>>()
        };
        assert_eq!(of(None), ["a", "b", "t", "v"]);
        assert_eq!(of(Some(0)), ["a", "b"]);
        assert_eq!(of(Some(1)), ["t"]);
        assert_eq!(of(Some(2)), ["v"]);
        assert_eq!(of(Some(9)), ["v"]);
    });
}

/// A plain list of all choices so far says what was used least.
#[test]
fn the_least_used_is_chosen() {
    let grammar = read("S := A; A := \"a\" | \"b\" | \"c\" | \"d\";");
    with_views(&grammar, |views| {
        let check = |what: LeastUsed, remembered: usize| {
            let options = DrawOptions { choice: Choice::LeastUsed(what), ..DrawOptions::default() };
            let tests: Vec<String> =
                drawn(views, options, 400).iter().map(|test| text(views, test)).collect();
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
    });
}

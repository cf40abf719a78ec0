//! Every path that can be covered is covered, by trees that are derivations, each of them needed.

use gramercy_base::Limits;
use gramercy_coverage::{Criterion, TargetSet, Views};
use gramercy_formats::{Disk, LoadOptions, load};
use gramercy_generate::strategies::kpath::{KPathOptions, KPathStrategy, Omitted};
use gramercy_generate::strategies::pack::paths::PackedPaths;
use gramercy_generate::{Draft, Sequential};

use crate::support::{covered, drafts, examples, paths, read, suite, with_views};

/// The union of what tests cover, each of which covers something new.
pub(crate) fn union(views: &Views<'_>, criterion: &dyn Criterion, drafts: &[Draft]) -> TargetSet {
    let mut union = TargetSet::new();
    for draft in drafts {
        let covered = covered(views, criterion, draft);
        let gain = union.union_with(&covered);
        if let Some(goal) = draft.goal {
            assert!(gain > 0 && covered.contains(goal.target), "the test is needed");
        }
    }
    union
}

#[test]
fn suites_of_all_examples_are_complete() {
    for (name, grammar) in examples() {
        with_views(&grammar, |views| {
            for k in 1..=4 {
                let criterion = paths(views, k);
                if criterion.coverable() > 100_000 {
                    continue;
                }
                let drafts = suite(views, KPathOptions::new(k));
                let union = union(views, &criterion, &drafts);
                assert_eq!(union.len(), criterion.coverable(), "{name}, k = {k}");
            }
        });
    }
}

/// Shorter paths are covered as well: within longer ones, or where they lie in none, on their own.
#[test]
fn shorter_paths_are_covered_too() {
    for (name, grammar) in examples() {
        with_views(&grammar, |views| {
            for k in [2, 3, 6] {
                if paths(views, k).coverable() > 3_000 {
                    continue;
                }
                let packed =
                    PackedPaths::new(views, views, KPathOptions::new(k), &Limits::default());
                let packed = drafts(&mut packed.expect("few paths"));
                for drafts in [suite(views, KPathOptions::new(k)), packed] {
                    for shorter in 1..=k {
                        let criterion = paths(views, shorter);
                        let mut union = TargetSet::new();
                        for draft in &drafts {
                            union.union_with(&covered(views, &criterion, draft));
                        }
                        assert_eq!(union.len(), criterion.coverable(), "{name}: {shorter} in {k}");
                    }
                }
            }
        });
    }
}

/// The same on the collection beside the checkout, for every K with fewer targets than a bound.
/// With `GRAMERCY_PROOF=all` in the environment all grammars take part, up to a million targets; without
/// it a few small ones.
#[test]
fn suites_of_the_collection_are_complete() {
    let is_long = std::env::var("GRAMERCY_PROOF").is_ok_and(|what| what == "all");
    let most = if is_long { 1_000_000 } else { 2_000 };
    for folder in ["tribble", "pytomata", "antlr"] {
        let Some(folder) = gramercy_testkit::shared(folder) else { continue };
        for file in gramercy_testkit::files_in(&folder, &["tribble", "y", "g4"]) {
            let Some(grammar) = load(&file, &Disk, &LoadOptions::default()).grammar else {
                continue;
            };
            with_views(&grammar, |views| {
                let small = (1..=4).map(|k| (k, paths(views, k)));
                for (k, criterion) in small.take_while(|(_, paths)| paths.targets() <= most) {
                    check_suite(views, &criterion, k, &file.display().to_string());
                }
            });
        }
    }
}

/// Whatever is not covered is named, and needs something behind the end of input.
fn check_suite(views: &Views<'_>, criterion: &dyn Criterion, k: u32, name: &str) {
    let strategy = KPathStrategy::new(views, KPathOptions::new(k), &Limits::default());
    let mut strategy = strategy.expect("few paths");
    let (mut union, mut draft) = (TargetSet::new(), Draft::default());
    while strategy.next(&mut draft) {
        let gain = union.union_with(&covered(views, criterion, &draft));
        assert!(gain > 0 || draft.goal.is_none(), "{name}, k = {k}");
    }
    let omitted = strategy.omitted();
    assert!(omitted.values().all(|&why| why == Omitted::Impossible), "{name}, k = {k}");
    let all = union.len() + omitted.len() as u64;
    assert_eq!(all, criterion.coverable(), "{name}, k = {k}");
}

/// A group whose alternatives are all equal is one node, which trees have once.
#[test]
fn equal_alternatives_are_one_node() {
    check_complete("S := (\"a\" | \"a\") \"b\" | T; T := \"c\" S | \"\";");
}

/// A lone terminal as the right-hand side of the start rule, which counts as a path.
#[test]
fn a_lone_terminal_is_a_suite() {
    check_complete("S := \"a\";");
}

/// A rule that derives nothing, and what needs it, are left out.
#[test]
fn unproductive_rules_are_left_out() {
    check_complete("S := \"a\" | U \"b\" | O*; U := U \"u\"; O := \"o\" U;");
}

/// Every alternative of several is taken, the last one too.
#[test]
fn the_last_alternative_is_taken() {
    check_complete("S := (\"a\" | \"b\" | \"c\" | \"d\") (\"e\" | \"f\")+;");
}

fn check_complete(text: &str) {
    let grammar = read(text);
    with_views(&grammar, |views| {
        for k in 1..=4 {
            let criterion = paths(views, k);
            let union = union(views, &criterion, &suite(views, KPathOptions::new(k)));
            assert_eq!(union.len(), criterion.coverable(), "{text}, k = {k}");
        }
    });
}

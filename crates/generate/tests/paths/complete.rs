//! Every path that can be covered is covered, by trees that are derivations, each of them needed.

use gramercy_coverage::{Criterion, TargetSet, Views};
use gramercy_generate::Draft;
use gramercy_generate::strategies::kpath::KPathOptions;

use crate::support::{covered, examples, paths, read, suite, with_views};

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

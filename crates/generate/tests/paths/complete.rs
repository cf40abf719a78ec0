//! Every path that can be covered is covered, by trees that are derivations, each of them needed.

use gramercy_coverage::{Criterion, TargetSet, Views};
use gramercy_generate::Draft;
use gramercy_generate::strategies::kpath::KPathOptions;

use crate::support::{covered, examples, paths, suite, with_views};

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

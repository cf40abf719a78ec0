//! What holds for every strategy over LR-graphs.

use gramercy_analysis::shortest_yield::Length;
use gramercy_base::{Limits, Set};
use gramercy_coverage::{CriterionSpec, Reading, TargetSet, criteria};
use gramercy_generate::{Draft, Indexed, Resolution, Ties};
use gramercy_grammar::TerminalId;

use crate::language::Language;

/// Shortest in edges of the LR-graph, as the paper has it.
pub(crate) fn by_edges(ties: Ties) -> Resolution {
    Resolution { length: Length::LrEdges, ties, ..Resolution::default() }
}

/// All tests of a strategy, those of equal sentences too.
pub(crate) fn all_drafts(strategy: &dyn Indexed) -> Vec<Draft> {
    let make = |number| {
        let mut draft = Draft::default();
        strategy.make(number, 0, &mut draft).then_some(draft)
    };
    (0..strategy.count()).filter_map(make).collect()
}

pub(crate) fn distinct(strategy: &dyn Indexed) -> usize {
    let mut draft = Draft::default();
    let mut seen: Set<Vec<TerminalId>> = Set::default();
    for number in 0..strategy.count() {
        draft.clear();
        if strategy.make(number, 0, &mut draft) && !seen.contains(&draft.tokens) {
            seen.insert(draft.tokens.clone());
        }
    }
    seen.len()
}

/// Every test covers the target it is made for, and together they cover all that can be covered.
pub(crate) fn check_covers(language: &Language, spec: CriterionSpec, strategy: &dyn Indexed) {
    let views = language.views();
    let criterion = criteria::build(spec, &views, &Limits::default()).expect("small");
    assert_eq!(criterion.targets(), strategy.count(), "{spec}");
    let mut covered = TargetSet::new();
    let mut draft = Draft::default();
    for number in 0..strategy.count() {
        draft.clear();
        let is_made = strategy.make(number, 0, &mut draft);
        assert_eq!(is_made, criterion.uncoverable(number).is_none(), "{spec} #{number}");
        if is_made {
            criterion.cover(&Reading::of(&language.derivations(&draft)), &mut covered);
            assert!(covered.contains(number), "{spec}: {}", criterion.describe(number));
        }
    }
    assert_eq!(covered.len(), criterion.coverable(), "{spec}");
}

/// Further attempts at a test cover its target too, differ among each other, and end.
pub(crate) fn check_attempts(language: &Language, spec: CriterionSpec, strategy: &dyn Indexed) {
    let views = language.views();
    let criterion = criteria::build(spec, &views, &Limits::default()).expect("small");
    for number in 0..strategy.count() {
        let make = |attempt| {
            let mut draft = Draft::default();
            strategy.make(number, attempt, &mut draft).then_some(draft)
        };
        let attempts: Vec<Draft> = (0..100).map_while(make).collect();
        assert!(attempts.len() < 100, "{spec} #{number}");
        for draft in &attempts {
            let mut covered = TargetSet::new();
            let derivations = language.derivations(draft);
            criterion.cover(&Reading::of(&derivations), &mut covered);
            assert!(covered.contains(number), "{spec}: {}", criterion.describe(number));
        }
    }
}

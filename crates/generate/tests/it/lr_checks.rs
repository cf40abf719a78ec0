//! What holds for every strategy over LR-graphs.

use gramercy_analysis::shortest_yield::Length;
use gramercy_base::Set;
use gramercy_coverage::{CriterionSpec, Reading, TargetSet};
use gramercy_derive::strategy::Indexed;
use gramercy_derive::{Candidate, Resolution, Ties};
use gramercy_grammar::TerminalId;
use gramercy_language::Language;
use gramercy_lr::Construction;

use crate::support::derivations;

/// Shortest in edges of the LR-graph, as the paper has it.
pub(crate) fn by_edges(ties: Ties) -> Resolution {
    Resolution { length: Length::LrEdges, ties, ..Resolution::default() }
}

/// The criterion of pop edges.
pub(crate) fn pop_edge(construction: Construction) -> CriterionSpec {
    spec("pop-edge", construction.as_str())
}

/// The criterion of push edges.
pub(crate) fn push_edge(construction: Construction) -> CriterionSpec {
    spec("push-edge", construction.as_str())
}

/// The criterion of sequences of pop edges.
pub(crate) fn lr_path(k: u32, construction: Construction) -> CriterionSpec {
    spec("lr-path", &format!("{k}:{}", construction.as_str()))
}

fn spec(name: &str, argument: &str) -> CriterionSpec {
    CriterionSpec::new(name, Some(argument)).expect("a criterion")
}

/// All tests of a strategy, those of equal sentences too.
pub(crate) fn all_candidates(strategy: &dyn Indexed) -> Vec<Candidate> {
    let mut proposer = strategy.proposer();
    let propose = |number| {
        let mut candidate = Candidate::default();
        proposer.propose(number, 0, &mut candidate).then_some(candidate)
    };
    (0..strategy.count()).filter_map(propose).collect()
}

/// How many sentences the tests of a strategy are.
pub(crate) fn distinct(strategy: &dyn Indexed) -> usize {
    let (mut proposer, mut candidate) = (strategy.proposer(), Candidate::default());
    let mut seen: Set<Vec<TerminalId>> = Set::default();
    for number in 0..strategy.count() {
        candidate.clear();
        if proposer.propose(number, 0, &mut candidate) && !seen.contains(&candidate.tokens) {
            seen.insert(candidate.tokens.clone());
        }
    }
    seen.len()
}

/// Every test covers the target it is made for, and together they cover all that can be covered.
pub(crate) fn check_covers(language: &Language, spec: CriterionSpec, strategy: &dyn Indexed) {
    let criterion = spec.build(language).expect("small");
    assert_eq!(criterion.targets(), strategy.count(), "{spec}");
    let mut covered = TargetSet::new();
    let (mut proposer, mut candidate) = (strategy.proposer(), Candidate::default());
    for number in 0..strategy.count() {
        candidate.clear();
        let is_made = proposer.propose(number, 0, &mut candidate);
        assert_eq!(is_made, criterion.uncoverable(number).is_none(), "{spec} #{number}");
        if is_made {
            criterion.cover(&Reading::of(&derivations(language, &candidate)), &mut covered);
            assert!(covered.contains(number), "{spec}: {}", criterion.describe(number));
        }
    }
    assert_eq!(covered.len(), criterion.coverable(), "{spec}");
}

/// Further attempts at a test cover its target too, and end.
pub(crate) fn check_attempts(language: &Language, spec: CriterionSpec, strategy: &dyn Indexed) {
    let criterion = spec.build(language).expect("small");
    let mut proposer = strategy.proposer();
    for number in 0..strategy.count() {
        let propose = |attempt| {
            let mut candidate = Candidate::default();
            proposer.propose(number, attempt, &mut candidate).then_some(candidate)
        };
        let attempts: Vec<Candidate> = (0..100).map_while(propose).collect();
        assert!(attempts.len() < 100, "{spec} #{number}");
        for candidate in &attempts {
            let mut covered = TargetSet::new();
            criterion.cover(&Reading::of(&derivations(language, candidate)), &mut covered);
            assert!(covered.contains(number), "{spec}: {}", criterion.describe(number));
        }
    }
}

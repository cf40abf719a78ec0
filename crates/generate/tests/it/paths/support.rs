//! Suites of k-paths, and what they cover.

use gramercy_coverage::criteria::kpath::KPath;
use gramercy_coverage::{Criterion, Reading, TargetSet};
use gramercy_derive::Candidate;
use gramercy_derive::strategy::{Outcome, Sequential};
use gramercy_generate::strategies::kpath::{KPathOptions, KPathStrategy};
use gramercy_grammar::TerminalId;
use gramercy_language::Language;

use crate::support::derivations;

/// An example of the project.
pub(crate) fn example(name: &str) -> Language {
    let file = gramercy_testkit::examples().join(name);
    Language::read(file).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// All candidates of a strategy, each as it was proposed; all of them are accepted.
pub(crate) fn candidates(strategy: &mut dyn Sequential) -> Vec<Candidate> {
    let (mut all, mut candidate) = (Vec::new(), Candidate::default());
    while strategy.propose(&mut candidate) {
        all.push(candidate.clone());
        strategy.conclude(Outcome::Accepted, &mut candidate);
        candidate.clear();
    }
    all
}

/// The suite of k-paths.
pub(crate) fn suite(language: &Language, options: KPathOptions) -> Vec<Candidate> {
    let strategy = KPathStrategy::new(language, options);
    candidates(&mut strategy.expect("few paths"))
}

/// What a test covers, measured on its tree. Its tokens must be those of the tree.
pub(crate) fn covered(
    language: &Language,
    criterion: &dyn Criterion,
    candidate: &Candidate,
) -> TargetSet {
    let mut covered = TargetSet::new();
    criterion.cover(&Reading::of(&derivations(language, candidate)), &mut covered);
    covered
}

/// The criterion of k-paths.
pub(crate) fn paths(language: &Language, k: u32) -> KPath<'_> {
    KPath::new(language, k).expect("few paths")
}

/// The text of a test, its terminals written by their names without quotes.
pub(crate) fn text(language: &Language, candidate: &Candidate) -> String {
    let name = |&token: &TerminalId| {
        language.grammar().terminals()[token].name.trim_matches('"').to_owned()
    };
    candidate.tokens.iter().map(name).collect()
}

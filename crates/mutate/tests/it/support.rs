//! Languages for tests, and their base suites.

use gramercy_analysis::Length;
use gramercy_base::Set;
use gramercy_derive::strategy::Indexed;
use gramercy_derive::{Candidate, Embedding, Resolution, Ties};
use gramercy_generate::strategies::pop_edge::PopEdges;
use gramercy_grammar::{ProductionId, TerminalId};
use gramercy_language::Language;
use gramercy_lr::Construction;

/// The language of a yacc file in the collection beside the checkout, if it is there.
pub(crate) fn shared(file: &str) -> Option<Language> {
    let path = gramercy_testkit::shared("pytomata")?.join(file);
    Some(Language::read(path).unwrap_or_else(|error| panic!("{file}: {error}")))
}

/// A language in the notation that the file's extension names.
pub(crate) fn read(file: &str, text: &str) -> Language {
    Language::from_text(file, text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// A language of rules in yacc's notation.
pub(crate) fn yacc(text: &str) -> Language {
    read("a.y", &format!("%% {text}"))
}

/// Trees for all pop edges, as the publication makes them.
pub(crate) fn pop_edge_trees(
    language: &Language,
    construction: Construction,
) -> Vec<(Vec<ProductionId>, Vec<TerminalId>)> {
    let resolution =
        Resolution { embedding: Embedding::Shallowest, length: Length::LrEdges, ties: Ties::First };
    let tests = PopEdges::new(language, construction, resolution, 0).expect("within the limits");
    let mut proposer = tests.proposer();
    let mut trees = Vec::new();
    for number in 0..tests.count() {
        let mut candidate = Candidate::default();
        if proposer.propose(number, 0, &mut candidate) {
            trees.push((candidate.productions, candidate.tokens));
        }
    }
    trees
}

/// Their sentences, each once.
pub(crate) fn pop_edge_words(
    language: &Language,
    construction: Construction,
) -> Vec<Vec<TerminalId>> {
    let mut seen = Set::default();
    let words = pop_edge_trees(language, construction).into_iter().map(|(_, tokens)| tokens);
    words.filter(|tokens| seen.insert(tokens.clone())).collect()
}

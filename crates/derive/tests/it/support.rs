//! Languages for tests, and what every candidate must be.

use gramercy_derive::Candidate;
use gramercy_grammar::{TerminalId, Tree};
use gramercy_language::Language;
use gramercy_parse::Derivations;

/// All grammars of the project, by file name.
pub(crate) fn examples() -> Vec<(String, Language)> {
    let read = |(name, file)| match Language::read(file) {
        Ok(language) => (name, language),
        Err(error) => panic!("{name}: {error}"),
    };
    gramercy_testkit::example_files().into_iter().map(read).collect()
}

/// What the tree of a candidate derives. The candidate's tokens must be those of the tree.
pub(crate) fn derivations(language: &Language, candidate: &Candidate) -> Derivations {
    let tree = Tree::new(language.bnf(), candidate.productions.clone());
    let tokens: Vec<TerminalId> = tree.terminals(language.bnf()).collect();
    assert_eq!(tokens, candidate.tokens, "the tokens are those of the tree");
    Derivations::of_tree(language.bnf(), &tree)
}

/// Tokens by their names.
pub(crate) fn names(language: &Language, tokens: &[TerminalId]) -> String {
    let name = |&token: &TerminalId| &*language.grammar().terminals()[token].name;
    tokens.iter().map(name).collect::<Vec<_>>().join(" ")
}

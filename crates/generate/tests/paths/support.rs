//! Grammars for the tests, and suites made from them.

use std::path::Path;

use gramercy_base::Limits;
use gramercy_coverage::criteria::kpath::KPath;
use gramercy_coverage::{Criterion, Reading, TargetSet, Views};
use gramercy_formats::{Disk, LoadOptions, Memory, load};
use gramercy_generate::strategies::kpath::{KPathOptions, KPathStrategy};
use gramercy_generate::{Draft, Sequential};
use gramercy_grammar::{Grammar, TerminalId, Tree};
use gramercy_parse::Derivations;

/// A grammar in our own notation.
pub(crate) fn read(text: &str) -> Grammar {
    let loaded = load(Path::new("a.gram"), &Memory::with("a.gram", text), &LoadOptions::default());
    loaded.grammar.expect("a grammar without mistakes")
}

/// An example of the project.
pub(crate) fn example(name: &str) -> Grammar {
    let file = gramercy_testkit::examples().join(name);
    load(&file, &Disk, &LoadOptions::default()).grammar.expect("a grammar without mistakes")
}

/// All examples of the project, with their names.
pub(crate) fn examples() -> Vec<(String, Grammar)> {
    let files = gramercy_testkit::files_in(&gramercy_testkit::examples(), &["gram", "g4", "y"]);
    let named = |file: &std::path::PathBuf| {
        let name = file.file_name()?.to_string_lossy().into_owned();
        Some((name, load(file, &Disk, &LoadOptions::default()).grammar?))
    };
    files.iter().filter_map(named).collect()
}

/// Does something with the views of a grammar.
pub(crate) fn with_views<T>(grammar: &Grammar, run: impl FnOnce(&Views<'_>) -> T) -> T {
    let limits = Limits::default();
    let graph = grammar.graph();
    let bnf = grammar.bnf(&graph, &limits).expect("small");
    run(&Views::new(grammar, &graph, &bnf, &limits))
}

/// All tests of a strategy, each as it was made.
pub(crate) fn drafts(strategy: &mut dyn Sequential) -> Vec<Draft> {
    let (mut drafts, mut draft) = (Vec::new(), Draft::default());
    while strategy.next(&mut draft) {
        drafts.push(std::mem::take(&mut draft));
    }
    drafts
}

/// The suite of k-paths.
pub(crate) fn suite(views: &Views<'_>, options: KPathOptions) -> Vec<Draft> {
    let strategy = KPathStrategy::new(views, options, &Limits::default());
    drafts(&mut strategy.expect("few paths"))
}

/// What a test covers, measured on its tree. Its tokens must be those of the tree.
pub(crate) fn covered(views: &Views<'_>, criterion: &dyn Criterion, draft: &Draft) -> TargetSet {
    let tree = Tree::new(views.bnf, draft.productions.clone());
    let tokens: Vec<TerminalId> = tree.terminals(views.bnf).collect();
    assert_eq!(tokens, draft.tokens, "the tokens are those of the tree");
    let mut covered = TargetSet::new();
    let derivations = Derivations::of_tree(views.bnf, &tree);
    criterion.cover(&Reading::of(&derivations), &mut covered);
    covered
}

/// The criterion of k-paths.
pub(crate) fn paths<'v>(views: &'v Views<'v>, k: u32) -> KPath<'v> {
    KPath::new(views, k, &Limits::default()).expect("few paths")
}

/// The text of a test, its terminals written by their names without quotes.
pub(crate) fn text(views: &Views<'_>, draft: &Draft) -> String {
    let name =
        |&token: &TerminalId| views.grammar.terminals()[token].name.trim_matches('"').to_owned();
    draft.tokens.iter().map(name).collect()
}

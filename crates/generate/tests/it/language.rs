//! Grammars for the tests.

use std::path::Path;

use gramercy_base::Limits;
use gramercy_coverage::Views;
use gramercy_formats::{Disk, LoadOptions, Memory, load};
use gramercy_generate::Draft;
use gramercy_grammar::{Bnf, Grammar, GrammarGraph, TerminalId, Tree};
use gramercy_parse::Derivations;

/// A grammar with its two views.
pub(crate) struct Language {
    pub(crate) grammar: Grammar,
    pub(crate) graph: GrammarGraph,
    pub(crate) bnf: Bnf,
}

impl Language {
    pub(crate) fn new(grammar: Grammar) -> Self {
        let graph = grammar.graph();
        let bnf = grammar.bnf(&graph, &Limits::default()).expect("a grammar of usual size");
        Self { grammar, graph, bnf }
    }

    /// A grammar in the notation that the file's extension names.
    pub(crate) fn read(file: &str, text: &str) -> Self {
        let files = Memory::with(file, text);
        let loaded = load(Path::new(file), &files, &LoadOptions::default());
        Self::new(loaded.grammar.unwrap_or_else(|| panic!("{text}: {:?}", loaded.diagnostics)))
    }

    /// A grammar of rules in yacc's notation.
    pub(crate) fn yacc(text: &str) -> Self {
        Self::read("a.y", &format!("%% {text}"))
    }

    /// A grammar of the collection; `None` where that is missing.
    pub(crate) fn shared(folder: &str, file: &str) -> Option<Self> {
        let file = gramercy_testkit::shared(folder)?.join(file);
        load(&file, &Disk, &LoadOptions::default()).grammar.map(Self::new)
    }

    /// The project's own grammars, by file name.
    pub(crate) fn examples() -> Vec<(String, Self)> {
        let files = gramercy_testkit::files_in(&gramercy_testkit::examples(), &["gram", "g4", "y"]);
        let load_file = |file: std::path::PathBuf| {
            let grammar = load(&file, &Disk, &LoadOptions::default()).grammar?;
            Some((file.file_name()?.to_string_lossy().into_owned(), Self::new(grammar)))
        };
        files.into_iter().filter_map(load_file).collect()
    }

    pub(crate) fn views(&self) -> Views<'_> {
        Views::new(&self.grammar, &self.graph, &self.bnf, &Limits::default())
    }

    /// That a draft is a derivation of exactly its tokens.
    pub(crate) fn check(&self, draft: &Draft) {
        self.derivations(draft);
    }

    /// What a tree derives, which its draft must list.
    pub(crate) fn derivations(&self, draft: &Draft) -> Derivations {
        let tree = Tree::new(&self.bnf, draft.productions.clone());
        assert!(tree.terminals(&self.bnf).eq(draft.tokens.iter().copied()), "its own tokens");
        Derivations::of_tree(&self.bnf, &tree)
    }

    /// The tokens of a draft by their names.
    pub(crate) fn names(&self, draft: &Draft) -> String {
        self.text(&draft.tokens)
    }

    /// Tokens by their names.
    pub(crate) fn text(&self, tokens: &[TerminalId]) -> String {
        let name = |&token: &TerminalId| self.grammar.terminals()[token].name.to_string();
        tokens.iter().map(name).collect::<Vec<_>>().join(" ")
    }
}

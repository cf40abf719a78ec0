//! Strategies checked on small grammars, on the figures of the papers and on all examples.

mod embedding;
mod random;

use std::path::Path;

use gramercy_base::Limits;
use gramercy_coverage::Views;
use gramercy_formats::{Disk, LoadOptions, Memory, load};
use gramercy_generate::Draft;
use gramercy_grammar::{Bnf, Grammar, GrammarGraph, TerminalId, Tree};

/// A grammar with its two views.
struct Language {
    grammar: Grammar,
    graph: GrammarGraph,
    bnf: Bnf,
}

impl Language {
    fn new(grammar: Grammar) -> Self {
        let graph = grammar.graph();
        let bnf = grammar.bnf(&graph, &Limits::default()).expect("a grammar of usual size");
        Self { grammar, graph, bnf }
    }

    /// A grammar in the notation that the file's extension names.
    fn read(file: &str, text: &str) -> Self {
        let files = Memory::with(file, text);
        let loaded = load(Path::new(file), &files, &LoadOptions::default());
        Self::new(loaded.grammar.unwrap_or_else(|| panic!("{text}: {:?}", loaded.diagnostics)))
    }

    /// The project's own grammars, by file name.
    fn examples() -> Vec<(String, Self)> {
        let files = gramercy_testkit::files_in(&gramercy_testkit::examples(), &["gram", "g4", "y"]);
        let load_file = |file: std::path::PathBuf| {
            let grammar = load(&file, &Disk, &LoadOptions::default()).grammar?;
            Some((file.file_name()?.to_string_lossy().into_owned(), Self::new(grammar)))
        };
        files.into_iter().filter_map(load_file).collect()
    }

    fn views(&self) -> Views<'_> {
        Views::new(&self.grammar, &self.graph, &self.bnf, &Limits::default())
    }

    /// That a draft is a derivation of exactly its tokens.
    fn check(&self, draft: &Draft) {
        let tree = Tree::new(&self.bnf, draft.productions.clone());
        let tokens: Vec<TerminalId> = tree.terminals(&self.bnf).collect();
        assert_eq!(tokens, draft.tokens);
    }

    /// The tokens of a draft by their names.
    fn names(&self, draft: &Draft) -> String {
        let name = |&token: &TerminalId| self.grammar.terminals()[token].name.to_string();
        draft.tokens.iter().map(name).collect::<Vec<_>>().join(" ")
    }
}

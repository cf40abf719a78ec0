//! Suites over LR-graphs: the figures of paper 003, replay, and laws on grammars of every kind.

mod compare;
#[path = "../../../analysis/tests/it/grammars.rs"]
mod grammars;
mod laws;
mod lr_bfs;
mod lr_path;
mod pop_edge;
#[path = "../../../analysis/tests/it/support.rs"]
mod support;

use std::path::Path;

use gramercy_analysis::shortest_yield::Length;
use gramercy_base::{Limits, Set};
use gramercy_coverage::{CriterionSpec, Reading, TargetSet, Views, criteria};
use gramercy_formats::{Disk, LoadOptions, Memory, load};
use gramercy_generate::{Draft, Indexed, Resolution, Ties};
use gramercy_grammar::{Bnf, Grammar, GrammarGraph, TerminalId, Tree};
use gramercy_parse::Derivations;

/// A grammar with its views.
struct Language {
    grammar: Grammar,
    graph: GrammarGraph,
    bnf: Bnf,
}

impl Language {
    fn new(grammar: Grammar) -> Self {
        let graph = grammar.graph();
        let bnf = grammar.bnf(&graph, &Limits::default()).expect("small");
        Self { grammar, graph, bnf }
    }

    /// A grammar in the notation that an extension says.
    fn read(extension: &str, text: &str) -> Self {
        let name = format!("a.{extension}");
        let files = Memory::with(&name, text);
        let loaded = load(Path::new(&name), &files, &LoadOptions::default());
        Self::new(loaded.grammar.unwrap_or_else(|| panic!("{text}: {:?}", loaded.diagnostics)))
    }

    fn yacc(text: &str) -> Self {
        Self::read("y", &format!("%% {text}"))
    }

    /// A grammar of the collection; `None` where that is missing.
    fn shared(folder: &str, file: &str) -> Option<Self> {
        let file = gramercy_testkit::shared(folder)?.join(file);
        load(&file, &Disk, &LoadOptions::default()).grammar.map(Self::new)
    }

    fn views(&self) -> Views<'_> {
        Views::new(&self.grammar, &self.graph, &self.bnf, &Limits::default())
    }

    fn text(&self, tokens: &[TerminalId]) -> String {
        let name = |&token: &TerminalId| self.grammar.terminals()[token].name.to_string();
        tokens.iter().map(name).collect::<Vec<_>>().join(" ")
    }

    /// What a tree derives, which its draft must list.
    fn derivations(&self, draft: &Draft) -> Derivations {
        let tree = Tree::new(&self.bnf, draft.productions.clone());
        assert!(tree.terminals(&self.bnf).eq(draft.tokens.iter().copied()), "its own tokens");
        Derivations::of_tree(&self.bnf, &tree)
    }
}

/// Shortest in edges of the LR-graph, as the paper has it.
fn by_edges(ties: Ties) -> Resolution {
    Resolution { length: Length::LrEdges, ties, ..Resolution::default() }
}

/// All tests of a strategy, those of equal sentences too.
fn all_drafts(strategy: &dyn Indexed) -> Vec<Draft> {
    let make = |number| {
        let mut draft = Draft::default();
        strategy.make(number, 0, &mut draft).then_some(draft)
    };
    (0..strategy.count()).filter_map(make).collect()
}

fn distinct(strategy: &dyn Indexed) -> usize {
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
fn check_covers(language: &Language, spec: CriterionSpec, strategy: &dyn Indexed) {
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
fn check_attempts(language: &Language, spec: CriterionSpec, strategy: &dyn Indexed) {
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

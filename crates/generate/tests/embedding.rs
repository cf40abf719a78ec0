//! The cheapest sentences around every nonterminal: that they are derivations, and how cheap they are.

use std::path::Path;

use gramercy_analysis::shortest_yield::Length;
use gramercy_base::Limits;
use gramercy_coverage::Views;
use gramercy_formats::{Disk, LoadOptions, Memory, load};
use gramercy_generate::{Contexts, Draft, Embedding, Minimal, Resolution, Ties};
use gramercy_grammar::{Grammar, Symbol, TerminalId, Tree};

fn resolutions() -> impl Iterator<Item = Resolution> {
    let ties = [Ties::First, Ties::Random { seed: 1, variant: 0 }];
    [Embedding::Shortest, Embedding::Shallowest].into_iter().flat_map(move |embedding| {
        let lengths = [Length::Terminals, Length::LrEdges];
        lengths
            .into_iter()
            .flat_map(move |length| ties.map(move |ties| Resolution { embedding, length, ties }))
    })
}

/// Every nonterminal in its context is a derivation of exactly the tokens listed.
fn check(grammar: &Grammar) {
    let graph = grammar.graph();
    let bnf = grammar.bnf(&graph, &Limits::default()).expect("small");
    let views = Views::new(grammar, &graph, &bnf, &Limits::default());
    for resolution in resolutions() {
        let minimal = Minimal::new(&views, resolution);
        let contexts = Contexts::new(&views, &minimal);
        for nonterminal in bnf.nonterminals().ids() {
            let useful = views.useful.contains(Symbol::Nonterminal(nonterminal));
            assert_eq!(contexts.reach(nonterminal), useful);
            if !useful {
                continue;
            }
            let mut draft = Draft::default();
            contexts.open(nonterminal, &mut draft);
            minimal.close(Symbol::Nonterminal(nonterminal), &mut draft);
            contexts.finish(nonterminal, &mut draft);
            let tree = Tree::new(&bnf, draft.productions);
            let tokens: Vec<TerminalId> = tree.terminals(&bnf).collect();
            assert_eq!(tokens, draft.tokens);
        }
    }
}

#[test]
fn contexts_are_derivations_in_all_examples() {
    for file in gramercy_testkit::files_in(&gramercy_testkit::examples(), &["gram", "g4", "y"]) {
        if let Some(grammar) = load(&file, &Disk, &LoadOptions::default()).grammar {
            check(&grammar);
        }
    }
}

fn sentence_around(text: &str, rule: &str, resolution: Resolution) -> String {
    let files = Memory::with("a.y", text);
    let grammar = load(Path::new("a.y"), &files, &LoadOptions::default()).grammar.expect("fine");
    let graph = grammar.graph();
    let bnf = grammar.bnf(&graph, &Limits::default()).expect("small");
    let views = Views::new(&grammar, &graph, &bnf, &Limits::default());
    let minimal = Minimal::new(&views, resolution);
    let contexts = Contexts::new(&views, &minimal);
    let named = |&id: &_| *bnf.nonterminals()[id].name == *rule;
    let nonterminal = bnf.nonterminals().ids().find(named).expect("a rule");
    let mut draft = Draft::default();
    contexts.open(nonterminal, &mut draft);
    draft.tokens.push(bnf.terminals().next().expect("a terminal"));
    contexts.finish(nonterminal, &mut draft);
    let name = |&token: &TerminalId| grammar.terminals()[token].name.to_string();
    draft.tokens.iter().map(name).collect::<Vec<_>>().join(" ")
}

/// Down to `B` there is a way of one step with much beside it, and one of two steps with little.
const NEAR_OR_SHORT: &str = "%% s: X | L L L b | a; a: P b; b: X; L: Q;";

#[test]
fn a_way_is_short_or_shallow() {
    let around = |embedding| {
        let resolution = Resolution { embedding, ..Resolution::default() };
        sentence_around(NEAR_OR_SHORT, "b", resolution)
    };
    assert_eq!(around(Embedding::Shallowest), "Q Q Q X");
    assert_eq!(around(Embedding::Shortest), "P X");
}

#[test]
fn ties_go_to_the_first_in_the_file_unless_they_are_drawn() {
    let text = "%% s: X | P b | Q b | R b; b: X;";
    let around = |ties| {
        let resolution = Resolution { ties, ..Resolution::default() };
        sentence_around(text, "b", resolution)
    };
    assert_eq!(around(Ties::First), "P X");
    let drawn = (0..50).map(|variant| around(Ties::Random { seed: 0, variant }));
    let distinct: std::collections::BTreeSet<_> = drawn.collect();
    assert_eq!(distinct.into_iter().collect::<Vec<_>>(), ["P X", "Q X", "R X"]);
}

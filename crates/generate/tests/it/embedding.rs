//! The cheapest sentences around every nonterminal: that they are derivations, and how cheap they are.

use gramercy_analysis::shortest_yield::Length;
use gramercy_generate::{Contexts, Draft, Embedding, Minimal, Resolution, Ties};
use gramercy_grammar::Symbol;

use crate::language::Language;

fn resolutions() -> impl Iterator<Item = Resolution> {
    let ties = [Ties::First, Ties::Random { seed: 1, variant: 0 }];
    [Embedding::Shortest, Embedding::Shallowest].into_iter().flat_map(move |embedding| {
        let lengths = [Length::Terminals, Length::LrEdges];
        lengths
            .into_iter()
            .flat_map(move |length| ties.map(move |ties| Resolution { embedding, length, ties }))
    })
}

#[test]
fn every_nonterminal_in_its_context_is_a_derivation() {
    for (_, language) in Language::examples() {
        let views = language.views();
        for resolution in resolutions() {
            let minimal = Minimal::new(&views, resolution);
            let contexts = Contexts::new(&views, &minimal);
            for nonterminal in language.bnf.nonterminals().ids() {
                let useful = views.useful.contains(Symbol::Nonterminal(nonterminal));
                assert_eq!(contexts.reach(nonterminal), useful);
                if useful {
                    let mut draft = Draft::default();
                    contexts.open(nonterminal, &mut draft);
                    minimal.close(Symbol::Nonterminal(nonterminal), &mut draft);
                    contexts.finish(nonterminal, &mut draft);
                    language.check(&draft);
                }
            }
        }
    }
}

/// What stands around a rule, and the first terminal in its place.
fn around(text: &str, rule: &str, resolution: Resolution) -> String {
    let language = Language::read("a.y", text);
    let views = language.views();
    let minimal = Minimal::new(&views, resolution);
    let contexts = Contexts::new(&views, &minimal);
    let named = |&id: &_| *language.bnf.nonterminals()[id].name == *rule;
    let nonterminal = language.bnf.nonterminals().ids().find(named).expect("a rule");
    let mut draft = Draft::default();
    contexts.open(nonterminal, &mut draft);
    draft.tokens.push(language.bnf.terminals().next().expect("a terminal"));
    contexts.finish(nonterminal, &mut draft);
    language.names(&draft)
}

#[test]
fn a_way_is_short_or_shallow() {
    // Down to `b` there is a way of one step with much beside it, and one of two steps with little.
    let text = "%% s: X | L L L b | a; a: P b; b: X; L: Q;";
    let around = |embedding| around(text, "b", Resolution { embedding, ..Resolution::default() });
    assert_eq!(around(Embedding::Shallowest), "Q Q Q X");
    assert_eq!(around(Embedding::Shortest), "P X");
}

#[test]
fn ties_go_to_the_first_in_the_file_unless_they_are_drawn() {
    let text = "%% s: X | P b | Q b | R b; b: X;";
    let around = |ties| around(text, "b", Resolution { ties, ..Resolution::default() });
    assert_eq!(around(Ties::First), "P X");
    let drawn = (0..50).map(|variant| around(Ties::Random { seed: 0, variant }));
    let distinct: std::collections::BTreeSet<_> = drawn.collect();
    assert_eq!(distinct.into_iter().collect::<Vec<_>>(), ["P X", "Q X", "R X"]);
}

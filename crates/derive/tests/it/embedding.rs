//! The cheapest sentences around every nonterminal: that they are derivations, and how cheap they are.

use std::collections::BTreeSet;

use gramercy_analysis::shortest_yield::Length;
use gramercy_derive::{Candidate, CheapestTrees, Contexts, Embedding, Resolution, Ties};
use gramercy_grammar::Symbol;
use gramercy_language::Language;

use crate::support::{derivations, examples, names};

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
    for (name, language) in examples() {
        for resolution in resolutions() {
            let cheapest = CheapestTrees::new(&language, resolution);
            let contexts = Contexts::new(&language, &cheapest);
            for nonterminal in language.bnf().nonterminals().ids() {
                let useful = language.useful().contains(Symbol::Nonterminal(nonterminal));
                assert_eq!(contexts.reach(nonterminal), useful, "{name}");
                if useful {
                    let mut candidate = Candidate::default();
                    contexts.open(nonterminal, &mut candidate);
                    cheapest.close(Symbol::Nonterminal(nonterminal), &mut candidate);
                    contexts.finish(nonterminal, &mut candidate);
                    derivations(&language, &candidate);
                }
            }
        }
    }
}

/// What stands around a rule, and the first terminal in its place.
fn around(text: &str, rule: &str, resolution: Resolution) -> String {
    let language = Language::from_text("a.y", text).expect("a grammar");
    let bnf = language.bnf();
    let cheapest = CheapestTrees::new(&language, resolution);
    let contexts = Contexts::new(&language, &cheapest);
    let named = |&id: &_| *bnf.nonterminals()[id].name == *rule;
    let nonterminal = bnf.nonterminals().ids().find(named).expect("a rule");
    let mut candidate = Candidate::default();
    contexts.open(nonterminal, &mut candidate);
    candidate.tokens.push(bnf.terminals().next().expect("a terminal"));
    contexts.finish(nonterminal, &mut candidate);
    names(&language, &candidate.tokens)
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
    let distinct: BTreeSet<_> = drawn.collect();
    assert_eq!(distinct.into_iter().collect::<Vec<_>>(), ["P X", "Q X", "R X"]);
}

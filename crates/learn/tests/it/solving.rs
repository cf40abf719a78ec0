//! Conditions that are solved: the trees that come out fulfil them, and nothing that could be solved is refused.

use gramercy_base::{Draw, Id};
use gramercy_coverage::measure::CountedTrees;
use gramercy_derive::Candidate;
use gramercy_grammar::{NodeId, Tree};
use gramercy_language::Language;
use gramercy_learn::features::FeatureSet;
use gramercy_learn::features::extract::Extractor;
use gramercy_learn::target::constraint::Constraint;
use gramercy_learn::target::product::Product;
use gramercy_parse::Derivations;

use crate::arithmetic::{expressions, language};

/// The paths of at most two nodes in derivations.
fn paths(extractor: &mut Extractor<'_>, derivations: &Derivations) -> Vec<Vec<NodeId>> {
    let steps = extractor.steps_of(derivations);
    let paths = steps.into_iter().flat_map(|step| {
        let path = extractor.path(step);
        (0..path.len()).map(move |from| path[from..].to_vec())
    });
    let mut all: Vec<Vec<NodeId>> = paths.collect();
    all.sort();
    all.dedup();
    all
}

fn draw_tree(language: &Language, product: &Product<'_>, room: u32, seed: u64) -> Candidate {
    let mut candidate = Candidate::default();
    product.draw(room, &mut Draw::new([seed, 0, 0, 0]), &mut candidate);
    let tree = Tree::new(language.bnf(), candidate.productions.clone());
    assert!(tree.terminals(language.bnf()).eq(candidate.tokens.iter().copied()));
    candidate
}

#[test]
fn drawn_trees_fulfil_conditions_that_some_input_fulfils() {
    let language = language();
    let (set, parser) = (FeatureSet::paths(3), language.parser().expect("it has a parser"));
    let mut extractor = Extractor::new(&language, parser, &set, CountedTrees::All).expect("small");
    let texts = expressions(7, 60);
    let mut all: Vec<Vec<Vec<NodeId>>> = Vec::new();
    for (text, _) in &texts {
        let derivations = extractor.derivations(text).expect("it is in the language");
        all.push(paths(&mut extractor, &derivations));
    }
    let mut draw = Draw::new([3, 0, 0, 0]);
    for (number, own) in all.iter().enumerate() {
        let other = &all[(number * 7 + 1) % all.len()];
        let present: Vec<_> = (0..3).map(|_| own[draw.below(own.len())].clone()).collect();
        let foreign: Vec<_> = other.iter().filter(|path| !own.contains(path)).collect();
        let absent = foreign.iter().take(2).map(|&path| path.clone()).collect();
        let constraint = Constraint { present, absent };
        let product = Product::new(&language, &constraint).expect("small");
        let size = product.smallest().expect("an input fulfils it");
        // An unambiguous input is one of the trees itself: the smallest is no larger.
        let (text, _) = &texts[number];
        let derivations = extractor.derivations(text).expect("it is in the language");
        let own_size = derivations.len() + text.len();
        assert!(!derivations.is_unambiguous() || size as usize <= own_size, "{text}: {size}");
        for seed in 0..10 {
            let candidate =
                draw_tree(&language, &product, u32::try_from(seed * 3).unwrap_or(0), seed);
            let tree = Tree::new(language.bnf(), candidate.productions);
            let found = paths(&mut extractor, &Derivations::of_tree(language.bnf(), &tree));
            for path in &constraint.present {
                assert!(found.contains(path), "{path:?} of `{text}`");
            }
            for path in &constraint.absent {
                assert!(!found.contains(path), "{path:?}");
            }
        }
    }
}

#[test]
fn contradictions_are_infeasible() {
    let language = language();
    let (set, parser) = (FeatureSet::paths(2), language.parser().expect("it has a parser"));
    let mut extractor = Extractor::new(&language, parser, &set, CountedTrees::All).expect("small");
    let derivations = extractor.derivations("(1)").expect("it is in the language");
    let all = paths(&mut extractor, &derivations);
    let long = all.iter().find(|path| path.len() == 2).expect("there are pairs");
    let constraint = Constraint { present: vec![long.clone()], absent: vec![long[..1].to_vec()] };
    assert!(constraint.is_contradictory());
    assert!(!Product::new(&language, &constraint).expect("small").is_feasible());
    // Every input has the path of the start rule's only symbol.
    let root = vec![NodeId::from_index(0)];
    assert!(all.contains(&root));
    let constraint = Constraint { present: Vec::new(), absent: vec![root] };
    assert!(!constraint.is_contradictory());
    assert!(!Product::new(&language, &constraint).expect("small").is_feasible());
}

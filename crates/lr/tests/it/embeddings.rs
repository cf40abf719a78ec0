//! Shallowest embeddings against all embeddings up to a depth.

use std::collections::BTreeMap;

use gramercy_lr::Construction::{Canonical, Lr0};
use gramercy_lr::{Construction, EmbeddingTree, GotoId, Gotos, Occurrence, Shallowest};
use proptest::prelude::*;

use crate::grammars::{bnf_texts, for_random};
use crate::{Views, build};

const DEPTH: usize = 4;

/// All embeddings of each push with the least number of steps, if that is at most [`DEPTH`].
fn all(views: &Views, construction: Construction) -> BTreeMap<GotoId, Vec<Vec<Occurrence>>> {
    let bnf = &views.bnf;
    let automaton = build(bnf, construction);
    let gotos = Gotos::of(bnf, &automaton);
    let root = gotos.find(automaton.initial(), bnf.start()).expect("the start symbol");
    let mut least: BTreeMap<GotoId, Vec<Vec<Occurrence>>> = [(root, vec![Vec::new()])].into();
    let mut level = vec![(root, Vec::new())];
    for _ in 0..DEPTH {
        let mut next = Vec::new();
        for (above, chain) in level {
            for &production in bnf.productions_of(gotos.nonterminal(above)) {
                let state = gotos.source(above);
                for (position, below) in gotos.along(bnf, &automaton, state, production) {
                    let position = u32::try_from(position).expect("short");
                    let step = Occurrence { above, production, position };
                    next.push((below, [&chain[..], &[step]].concat()));
                }
            }
        }
        // Longer embeddings below known ones are kept too: the search assumes nothing.
        for (goto, chain) in &next {
            let known = least.entry(*goto).or_default();
            if known.first().is_none_or(|first| first.len() == chain.len()) {
                known.push(chain.clone());
            }
        }
        level = next;
    }
    least
}

fn check(views: &Views, construction: Construction) -> Result<(), TestCaseError> {
    let bnf = &views.bnf;
    let automaton = build(bnf, construction);
    let gotos = Gotos::of(bnf, &automaton);
    let tree = EmbeddingTree::new(bnf, &automaton, &gotos, &|_| true);
    let occurrences = tree.occurrences(bnf, &automaton, &gotos, &|_| true);
    let shallowest = Shallowest::new(&tree, &occurrences);
    for (goto, chains) in all(views, construction) {
        prop_assert_eq!(tree.depth(goto) as usize, chains[0].len());
        let mut through: BTreeMap<_, u32> = BTreeMap::new();
        for last in chains.iter().filter_map(|chain| chain.last()) {
            *through.entry((last.above, last.production, last.position)).or_default() += 1;
        }
        let count: u32 = through.values().sum();
        prop_assert_eq!(shallowest.count(goto), f64::from(count));
        for number in 0..count {
            let share = (f64::from(number) + 0.5) / f64::from(count);
            let step = shallowest.at(goto, share).expect("it is embedded");
            let left = through.get_mut(&(step.above, step.production, step.position));
            *left.expect("a shallowest one") -= 1;
        }
        prop_assert!(through.values().all(|&left| left == 0), "all are equally likely");
    }
    Ok(())
}

#[test]
fn every_shallowest_embedding_is_equally_likely() {
    for_random(60, bnf_texts(), |text| {
        let views = Views::of(text);
        check(&views, Lr0)?;
        check(&views, Canonical)
    });
}

//! Neighbors of states: a small example, the pairs of real grammars, and the pairs of random ones
//! against the adjacent pairs of sentences.

use std::collections::BTreeSet;

use gramercy_analysis::{Adjacency, First, Follow, Nullable, Productive, TerminalOrEnd, Useful};
use gramercy_base::Id;
use gramercy_lr::Construction::{Canonical, Lr0};
use gramercy_lr::{Construction, LrGraph, Neighbors, StateId};
use proptest::prelude::*;

use crate::grammars::{bnf_texts, for_random};
use crate::{Views, build};

#[test]
fn the_right_recursive_brackets() {
    let views = Views::of("D: '[' D ']' D | ;");
    let automaton = build(&views.bnf, Lr0);
    let neighbors = Neighbors::of(&LrGraph::new(&views.bnf, &automaton));
    let name = |read: TerminalOrEnd| match read.terminal(&views.bnf) {
        Some(terminal) => views.grammar.terminals()[terminal].name.trim_matches('\'').to_owned(),
        None => "$".to_owned(),
    };
    let names =
        |reads: &mut dyn Iterator<Item = TerminalOrEnd>| reads.map(name).collect::<String>();
    // States are named by the path that leads to them: ε, D, [, [D, [D], [D]D.
    let state = |path: &str| {
        path.chars().fold(automaton.initial(), |state, symbol| {
            let reads = automaton.transitions(state).iter();
            let found = reads.copied().find(|step| match automaton.labels().as_input(step.label) {
                Some(read) => name(read) == symbol.to_string(),
                None => symbol == 'D',
            });
            found.expect("a path").target
        })
    };
    let check = |path, follow: &str, precede: &str| {
        let state = state(path);
        assert_eq!(names(&mut neighbors.follow(state)), follow, "F of {path}");
        assert_eq!(names(&mut neighbors.precede(state)), precede, "P of {path}");
    };
    // In precede sets, $ means the begin.
    check("", "[$", "$");
    check("D", "$", "]$");
    check("[", "[]", "[");
    check("[D", "]", "[]");
    check("[D]", "[]$", "]");
    check("[D]D", "]$", "]");
}

/// The pairs with witnesses, and the adjacent pairs of the grammar.
fn pairs(views: &Views, construction: Construction) -> [BTreeSet<(usize, usize)>; 2] {
    let bnf = &views.bnf;
    let automaton = build(bnf, construction);
    let neighbors = Neighbors::of(&LrGraph::new(bnf, &automaton));
    let of = |state: StateId| {
        let after: Vec<_> = neighbors.follow(state).collect();
        let pairs = neighbors
            .precede(state)
            .flat_map(move |a| after.clone().into_iter().map(move |b| (a.index(), b.index())));
        pairs.collect::<Vec<_>>()
    };
    let witnessed = automaton.states().flat_map(of).collect();
    let productive = Productive::of(bnf);
    let (useful, nullable) = (Useful::of(bnf, &productive), Nullable::of(bnf));
    let first = First::of(bnf, &productive, &nullable);
    let follow = Follow::of(bnf, &useful, &nullable, &first);
    let adjacency = Adjacency::of(bnf, &useful, &nullable, &first, &follow);
    [witnessed, adjacency.pairs().map(|(a, b)| (a.index(), b.index())).collect()]
}

/// The pairs with witnesses are the adjacent pairs of sentences; `count` does not include those
/// with the begin.
fn check_file(file: &str, construction: Construction, count: usize) {
    let Some(folder) = gramercy_testkit::shared("pytomata") else { return };
    let views = Views::of(&std::fs::read_to_string(folder.join(file)).expect("a readable file"));
    let [witnessed, adjacent] = pairs(&views, construction);
    let begin = TerminalOrEnd::end(&views.bnf).index();
    assert_eq!(adjacent.iter().filter(|pair| pair.0 != begin).count(), count, "{file}");
    assert!(witnessed == adjacent, "{file} {construction:?}");
}

#[test]
fn pairs_of_real_grammars_have_witnesses() {
    for construction in [Lr0, Canonical] {
        check_file("ampl20.y", construction, 372);
        check_file("go.y", construction, 1608);
    }
    check_file("sqlite.y", Lr0, 22_754);
}

/// Every adjacent pair of a sentence has a witness, as its definition promises.
#[test]
fn pairs_of_random_grammars_have_witnesses() {
    for_random(150, bnf_texts(), |text| {
        let views = Views::of(text);
        for construction in [Lr0, Canonical] {
            let [witnessed, adjacent] = pairs(&views, construction);
            prop_assert!(adjacent.is_subset(&witnessed), "{} {:?}", text, construction);
        }
        let bnf = &views.bnf;
        let automaton = build(bnf, Lr0);
        let neighbors = Neighbors::of(&LrGraph::new(bnf, &automaton));
        for (a, b) in pairs(&views, Lr0)[0].iter().copied() {
            let [a, b] = [a, b].map(TerminalOrEnd::from_index);
            prop_assert!(neighbors.witnesses(a, b).next().is_some());
        }
        Ok(())
    });
}

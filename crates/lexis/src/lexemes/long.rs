//! The cheapest lexemes of at least a given number of characters, for every outcome of a mode that has such.
//!
//! Dijkstra's algorithm over the explored automaton, where a place counts anew for every number of
//! characters up to the one that is wanted. Cost: that number times the edges.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use gramercy_base::{IndexMap, Set};
use gramercy_regular::ClassId;

use crate::alphabet::Palette;
use crate::dfa::{Dfa, OutcomeId};
use crate::explore::{Explored, ExploredId};

/// A place after some characters.
struct Reached {
    place: ExploredId,
    /// How many characters, as far as that matters.
    length: usize,
    parent: Option<(usize, ClassId)>,
}

/// For every outcome the place of a text with at least `least` characters, and the text.
pub(crate) fn cheapest(
    explored: &Explored,
    dfa: &Dfa,
    palette: &Palette,
    least: usize,
) -> IndexMap<OutcomeId, (ExploredId, String)> {
    let mut reached = vec![Reached { place: explored.start(), length: 0, parent: None }];
    let mut queue = BinaryHeap::from([Reverse((0, 0))]);
    let mut known = Set::default();
    let mut found = IndexMap::default();
    while let Some(Reverse((cost, at))) = queue.pop() {
        let Reached { place, length, .. } = reached[at];
        if !known.insert((place, length)) {
            continue;
        }
        if length == least
            && let Some(outcome) = dfa.winner(explored.places[place].state)
        {
            found.entry(outcome).or_insert_with(|| (place, text(&reached, palette, at)));
        }
        for &(class, next) in explored.edges(place) {
            let pick = palette.best(class).expect("invariant: only usable classes are edges");
            let length = least.min(length + 1);
            if !known.contains(&(next, length)) {
                queue.push(Reverse((cost + pick.cost(), reached.len())));
                reached.push(Reached { place: next, length, parent: Some((at, class)) });
            }
        }
    }
    found
}

fn text(reached: &[Reached], palette: &Palette, at: usize) -> String {
    let steps = std::iter::successors(reached[at].parent, |&(from, _)| reached[from].parent);
    let pick = |(_, class)| palette.best(class).expect("invariant: only usable classes are edges");
    let mut chars: Vec<char> = steps.map(|step| pick(step).c).collect();
    chars.reverse();
    chars.into_iter().collect()
}

//! Random lexemes of one outcome: walks over the explored automaton that never leave the states from
//! which the outcome can still be won, and that tend to be short.
//!
//! Every text is right by construction. Cost: a backward search per outcome, once; then a draw and a
//! binary search per character.

use gramercy_base::{IndexMap, Table};
use gramercy_regular::ClassId;

use crate::alphabet::{CharKind, Palette};
use crate::dfa::{Dfa, OutcomeId};
use crate::draw::Draw;
use crate::explore::{Explored, PlaceId};

/// How much longer than necessary a lexeme is at most.
const MAX_EXTRA: usize = 24;

/// The ways to one outcome.
#[derive(Clone, Debug)]
pub(crate) struct Walker {
    start: PlaceId,
    /// What leads on from each place towards the outcome.
    places: IndexMap<PlaceId, Crossing>,
}

#[derive(Clone, Debug, Default)]
struct Crossing {
    wins: bool,
    /// How many characters are missing at least.
    distance: usize,
    /// Where to go, with running sums of weights.
    roads: Box<[Road]>,
}

#[derive(Clone, Copy, Debug)]
struct Road {
    up_to: usize,
    class: ClassId,
    target: PlaceId,
}

impl Walker {
    /// The ways from the start of a mode to an outcome.
    pub(crate) fn new(
        dfa: &Dfa,
        explored: &Explored,
        incoming: &Incoming,
        palette: &Palette,
        outcome: OutcomeId,
    ) -> Self {
        let wins = |place: PlaceId| dfa.winner(explored.places[place].state) == Some(outcome);
        let start = explored.start();
        let distances = distances(explored, incoming, wins);
        let mut places = IndexMap::default();
        for (&place, &distance) in &distances {
            let mut up_to = 0;
            let mut roads = Vec::new();
            for &(class, target) in explored.edges(place) {
                let weight = weight_of_class(palette, class);
                if weight > 0 && distances.contains_key(&target) {
                    up_to += weight;
                    roads.push(Road { up_to, class, target });
                }
            }
            let wins = wins(place) && place != start;
            places.insert(place, Crossing { wins, distance, roads: roads.into() });
        }
        Self { start, places }
    }

    /// A lexeme, appended to `text`; nothing if there is none.
    pub(crate) fn draw(&self, palette: &Palette, draw: &mut Draw, text: &mut String) {
        let mut extra = 0;
        while extra < MAX_EXTRA && draw.below(5) > 0 {
            extra += 1;
        }
        let Some(mut here) = self.places.get(&self.start) else { return };
        let mut left = here.distance + extra;
        // Beside its own length, a lexeme may need to go on until it wins again.
        while !(here.wins && (left == 0 || draw.below(4) == 0)) {
            let Some(road) = self.road(here, left, draw) else { return };
            text.push(pick(palette, road.class, draw));
            here = &self.places[&road.target];
            left = left.saturating_sub(1);
        }
    }

    /// Any road while there is time, then one that leads closer.
    fn road(&self, here: &Crossing, left: usize, draw: &mut Draw) -> Option<Road> {
        let total = here.roads.last()?.up_to;
        let ticket = draw.below(total);
        let road = here.roads[here.roads.partition_point(|road| road.up_to <= ticket)];
        let closer = |road: &Road| self.places[&road.target].distance < here.distance;
        if left > self.places[&road.target].distance || closer(&road) {
            return Some(road);
        }
        let roads: Vec<_> = here.roads.iter().copied().filter(closer).collect();
        roads.get(draw.below(roads.len())).copied().or(Some(road))
    }
}

/// The places from which edges lead to each place.
pub(crate) type Incoming = Table<PlaceId, Vec<PlaceId>>;

/// Turns the edges of an explored automaton round.
pub(crate) fn incoming(explored: &Explored) -> Incoming {
    let mut incoming = Table::filled(Vec::new(), explored.places.len());
    for place in explored.places.ids() {
        for &(_, target) in explored.edges(place) {
            if incoming[target].last() != Some(&place) {
                incoming[target].push(place);
            }
        }
    }
    incoming
}

/// How far it is from each place to a winning one.
fn distances(
    explored: &Explored,
    incoming: &Incoming,
    wins: impl Fn(PlaceId) -> bool,
) -> IndexMap<PlaceId, usize> {
    let winners = explored.places.ids().filter(|&place| wins(place));
    let mut distances: IndexMap<_, _> = winners.map(|place| (place, 0)).collect();
    let mut at = 0;
    while let Some((&place, &distance)) = distances.get_index(at) {
        at += 1;
        for &source in &incoming[place] {
            distances.entry(source).or_insert(distance + 1);
        }
    }
    distances
}

fn weight(kind: CharKind) -> usize {
    match kind {
        CharKind::Lower => 24,
        CharKind::Digit => 16,
        CharKind::Upper => 12,
        CharKind::Punctuation => 8,
        CharKind::Space => 6,
        CharKind::Wide => 4,
        CharKind::LineEnd | CharKind::Tab | CharKind::Astral => 2,
        CharKind::Combining | CharKind::Odd => 1,
    }
}

/// The kinds of characters that a class offers, each with where its characters are among the picks.
/// The odd is left out if there is anything else.
fn kinds(palette: &Palette, class: ClassId) -> impl Iterator<Item = (CharKind, usize, usize)> + '_ {
    let picks = palette.all(class);
    let first = picks.first().map_or(CharKind::Odd, |pick| pick.kind);
    let range = move |kind| {
        let begin = picks.partition_point(|pick| pick.kind < kind);
        (kind, begin, picks.partition_point(|pick| pick.kind <= kind))
    };
    CharKind::ALL
        .into_iter()
        .filter(move |&kind| kind == first || kind < CharKind::Combining)
        .map(range)
        .filter(|(_, begin, end)| begin < end)
}

fn weight_of_class(palette: &Palette, class: ClassId) -> usize {
    kinds(palette, class).map(|(kind, ..)| weight(kind)).sum()
}

fn pick(palette: &Palette, class: ClassId, draw: &mut Draw) -> char {
    let mut ticket = draw.below(weight_of_class(palette, class));
    for (kind, begin, end) in kinds(palette, class) {
        if ticket < weight(kind) {
            return palette.all(class)[begin + draw.below(end - begin)].c;
        }
        ticket -= weight(kind);
    }
    unreachable!("invariant: the ticket is below the sum of the weights")
}

//! Random lexemes of one outcome: walks over the explored automaton that never leave the states from
//! which the outcome can still be won, and that tend to be short.
//!
//! Every text is right by construction. Cost: a backward search per outcome, once; then a draw and a
//! binary search per character.

use gramercy_base::{IndexMap, Table};
use gramercy_regular::ClassId;

use crate::alphabet::{CharKind, Palette, Pick};
use crate::dfa::{Cell, Dfa, OutcomeId};
use crate::explore::{Explored, ExploredId};
use gramercy_base::Draw;

/// How much longer than necessary a lexeme is at most.
const MAX_EXTRA: usize = 24;

/// The ways to one outcome.
#[derive(Clone, Debug)]
pub(crate) struct Walker {
    /// Where every match begins; `None` if the outcome cannot be reached from there.
    start: Option<usize>,
    /// What leads on from each place towards the outcome.
    crossings: Vec<Crossing>,
}

#[derive(Clone, Debug)]
struct Crossing {
    cell: Cell,
    wins: bool,
    /// How many characters are missing at least.
    distance: usize,
    /// How many can come at most before it is won for the last time.
    longest: usize,
    /// Where to go, with running sums of weights.
    roads: Box<[Road]>,
}

#[derive(Clone, Copy, Debug)]
struct Road {
    up_to: usize,
    class: ClassId,
    /// The crossing that it leads to.
    target: usize,
}

impl Walker {
    /// The ways from the start of a mode to an outcome.
    pub(crate) fn new(
        dfa: &Dfa,
        explored: &Explored,
        incoming: &Incoming,
        samplers: &ClassSamplers,
        outcome: OutcomeId,
    ) -> Self {
        let wins = |place: ExploredId| dfa.winner(explored.places[place].state) == Some(outcome);
        let start = explored.start();
        let distances = distances(explored, incoming, wins);
        let mut crossings = Vec::with_capacity(distances.len());
        for (&place, &distance) in &distances {
            let mut up_to = 0;
            let mut roads = Vec::new();
            for (class, target) in explored.edges(place) {
                let (class, weight) = (*class, samplers.weight(*class));
                if weight > 0
                    && let Some(target) = distances.get_index_of(target)
                {
                    up_to += weight;
                    roads.push(Road { up_to, class, target });
                }
            }
            let wins = wins(place) && place != start;
            let cell = dfa.cell(explored.places[place].state);
            crossings.push(Crossing { cell, wins, distance, longest: 0, roads: roads.into() });
        }
        measure_longest(&mut crossings);
        Self { start: distances.get_index_of(&start), crossings }
    }

    /// Appends a lexeme to `text` and gives the state after it; `None` if there is none. It has at least
    /// `least` characters, if there are such lexemes.
    pub(crate) fn draw(
        &self,
        samplers: &ClassSamplers,
        least: usize,
        draw: &mut Draw,
        text: &mut String,
    ) -> Option<Cell> {
        let mut extra = 0;
        while extra < MAX_EXTRA && draw.below(5) > 0 {
            extra += 1;
        }
        let mut here = &self.crossings[self.start?];
        let mut left = least.max(here.distance) + extra;
        let mut missing = least;
        // A lexeme goes on until it wins, and perhaps until it wins again.
        loop {
            missing = missing.min(here.longest);
            if here.wins && missing == 0 && (left == 0 || draw.below(4) == 0) {
                break;
            }
            // Where there is no choice, nothing is drawn.
            let road = match here.roads[..] {
                [] => break,
                [only] => only,
                _ => self.road(here, left, missing, draw),
            };
            text.push(samplers.pick(road.class, draw));
            here = &self.crossings[road.target];
            (left, missing) = (left.saturating_sub(1), missing.saturating_sub(1));
        }
        here.wins.then_some(here.cell)
    }

    /// Any road while there is time, then one that leads closer; always one after which what is missing
    /// can come.
    fn road(&self, here: &Crossing, left: usize, missing: usize, draw: &mut Draw) -> Road {
        let total = here.roads.last().map_or(0, |last| last.up_to);
        let point = draw.below(total);
        let road = here.roads[here.roads.partition_point(|road| road.up_to <= point)];
        let is_fit = |road: &Road| {
            let Crossing { distance, longest, .. } = self.crossings[road.target];
            let is_long_enough = longest.saturating_add(1) >= missing;
            is_long_enough && (missing > 0 || left > distance || distance < here.distance)
        };
        if is_fit(&road) {
            return road;
        }
        let closer = |road: &Road| self.crossings[road.target].distance < here.distance;
        let is_better = |road: &Road| if missing > 0 { is_fit(road) } else { closer(road) };
        let roads: Vec<_> = here.roads.iter().copied().filter(is_better).collect();
        roads.get(draw.below(roads.len())).copied().unwrap_or(road)
    }
}

/// Finds out how long lexemes can become: without end where there is a way round.
fn measure_longest(crossings: &mut [Crossing]) {
    let mut incoming = vec![Vec::new(); crossings.len()];
    for (at, crossing) in crossings.iter().enumerate() {
        crossing.roads.iter().for_each(|road| incoming[road.target].push(at));
    }
    let mut open: Vec<usize> = crossings.iter().map(|crossing| crossing.roads.len()).collect();
    let mut ends: Vec<usize> = (0..open.len()).filter(|&at| open[at] == 0).collect();
    while let Some(end) = ends.pop() {
        for &before in &incoming[end] {
            crossings[before].longest = crossings[before].longest.max(crossings[end].longest + 1);
            open[before] -= 1;
            if open[before] == 0 {
                ends.push(before);
            }
        }
    }
    for (crossing, open) in crossings.iter_mut().zip(open) {
        if open > 0 {
            crossing.longest = usize::MAX;
        }
    }
}

/// The places from which edges lead to each place.
pub(crate) type Incoming = Table<ExploredId, Vec<ExploredId>>;

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
    wins: impl Fn(ExploredId) -> bool,
) -> IndexMap<ExploredId, usize> {
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

/// What characters are drawn from, a class at a time: first a kind by its weight, then one of the kind.
#[derive(Clone, Debug)]
pub(crate) struct ClassSamplers {
    samplers: Table<ClassId, ClassSampler>,
}

#[derive(Clone, Debug, Default)]
struct ClassSampler {
    /// The kinds, with running sums of weights and where the characters of each end.
    kinds: Box<[(usize, usize)]>,
    chars: Box<[char]>,
}

impl ClassSamplers {
    pub(crate) fn new(palette: &Palette) -> Self {
        Self { samplers: palette.iter().map(ClassSampler::new).collect() }
    }

    /// How likely a class is, compared with others; 0 if it offers nothing.
    fn weight(&self, class: ClassId) -> usize {
        self.samplers[class].kinds.last().map_or(0, |(up_to, _)| *up_to)
    }

    fn pick(&self, class: ClassId, draw: &mut Draw) -> char {
        let ClassSampler { kinds, chars } = &self.samplers[class];
        if let [only] = chars[..] {
            return only;
        }
        let point = draw.below(self.weight(class));
        let kind = kinds.partition_point(|(up_to, _)| *up_to <= point);
        let first = kind.checked_sub(1).map_or(0, |before| kinds[before].1);
        chars[first + draw.below(kinds[kind].1 - first)]
    }
}

impl ClassSampler {
    /// The odd is left out if there is anything else.
    fn new(picks: &[Pick]) -> Self {
        let Some(first) = picks.first() else { return Self::default() };
        let pleasant = |pick: &&Pick| pick.kind < CharKind::Combining || pick.kind == first.kind;
        let (mut kinds, mut chars, mut last) = (Vec::<(usize, usize)>::new(), Vec::new(), None);
        for pick in picks.iter().filter(pleasant) {
            if last != Some(pick.kind) {
                let so_far = kinds.last().map_or(0, |(up_to, _)| *up_to);
                kinds.push((so_far + weight(pick.kind), 0));
                last = Some(pick.kind);
            }
            chars.push(pick.c);
            kinds.last_mut().expect("just pushed").1 = chars.len();
        }
        Self { kinds: kinds.into(), chars: chars.into() }
    }
}

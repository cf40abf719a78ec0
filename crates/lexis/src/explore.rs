//! All states of a mode's automaton, as far as a bound allows, with the cheapest text to each: what
//! can be won at all, and by which lexeme.
//!
//! Dijkstra's algorithm over classes of characters; the price of a class is that of its most
//! pleasant character. Recursive rules have infinitely many states and are followed a few levels
//! deep. Cost: states times the classes that lead on from them, each step made once.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use gramercy_base::{IndexMap, LimitReached, Map, Table};
use gramercy_grammar::ModeId;
use gramercy_regular::ClassId;

use crate::alphabet::Palette;
use crate::automaton::Lexer;
use crate::dfa::{Dfa, DfaStateId, OutcomeId};

gramercy_base::define_id!(pub(crate) struct PlaceId, "an explored state");

/// States of one mode that are explored at most. The largest lexers in use have a few thousand.
const MAX_PLACES: usize = 30_000;
/// How often a call may be open within itself.
const MAX_NESTING: usize = 2;
/// Steps that are made at most, over all places of a mode.
const MAX_STEPS: usize = 3_000_000;

/// An explored state.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) state: DfaStateId,
    /// The price of the cheapest text that leads here.
    pub(crate) cost: u64,
    /// The last step of that text; the start has none.
    parent: Option<(PlaceId, ClassId)>,
    /// The edges, if they were made: a range in the common list.
    edges: (usize, usize),
    /// What wins if the input ends here and a rule asks for that.
    pub(crate) at_end: Option<OutcomeId>,
}

/// Where an outcome can be had most cheaply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Won {
    pub(crate) place: PlaceId,
    pub(crate) when: When,
}

/// Whether an outcome wins anywhere or at the end of input only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    Anywhere,
    AtEnd,
}

/// The explored part of a mode's automaton.
#[derive(Clone, Debug)]
pub(crate) struct Explored {
    pub(crate) places: Table<PlaceId, Place>,
    edges: Vec<(ClassId, PlaceId)>,
    index: Map<DfaStateId, PlaceId>,
    /// What can be won by reading something, in the order of the prices.
    pub(crate) won: IndexMap<OutcomeId, Won>,
    /// What wins without reading anything.
    pub(crate) won_by_nothing: Option<OutcomeId>,
    /// Whether nothing was left out.
    pub(crate) complete: bool,
}

impl Explored {
    /// Explores a mode.
    ///
    /// # Errors
    /// If not even the start fits in the automaton's limit.
    pub(crate) fn new(
        lexer: &Lexer,
        dfa: &mut Dfa,
        mode: ModeId,
        palette: &Palette,
    ) -> Result<Self, LimitReached> {
        let start = dfa.start(lexer, mode)?;
        let mut exploring = Exploring::new(start, dfa.winner(start));
        exploring.run(lexer, dfa, palette);
        Ok(exploring.explored)
    }

    /// The edges of a place, ascending by class; none if they were not made.
    pub(crate) fn edges(&self, place: PlaceId) -> &[(ClassId, PlaceId)] {
        let (first, end) = self.places[place].edges;
        &self.edges[first..end]
    }

    /// The place of a state, if it was explored.
    pub(crate) fn place_of(&self, state: DfaStateId) -> Option<PlaceId> {
        self.index.get(&state).copied()
    }

    /// The cheapest text that leads to a place.
    pub(crate) fn text(&self, palette: &Palette, place: PlaceId) -> String {
        let mut chars = Vec::new();
        let mut at = place;
        while let Some((parent, class)) = self.places[at].parent {
            chars.push(palette.best(class).expect("invariant: only usable classes are edges").c);
            at = parent;
        }
        chars.iter().rev().collect()
    }
}

struct Exploring {
    explored: Explored,
    queue: BinaryHeap<Reverse<(u64, PlaceId)>>,
    steps: usize,
}

impl Exploring {
    fn new(start: DfaStateId, won_by_nothing: Option<OutcomeId>) -> Self {
        let explored = Explored {
            places: Table::new(),
            edges: Vec::new(),
            index: Map::default(),
            won: IndexMap::default(),
            won_by_nothing,
            complete: true,
        };
        let mut this = Self { explored, queue: BinaryHeap::new(), steps: 0 };
        this.find(start, 0, None);
        this
    }

    fn run(&mut self, lexer: &Lexer, dfa: &mut Dfa, palette: &Palette) {
        while let Some(Reverse((cost, place))) = self.queue.pop() {
            if self.explored.places[place].cost < cost {
                continue;
            }
            if self.steps > MAX_STEPS || self.expand(lexer, dfa, palette, place).is_err() {
                self.explored.complete = false;
                return;
            }
        }
    }

    /// A place's price is final: notes what wins there and follows its edges.
    fn expand(
        &mut self,
        lexer: &Lexer,
        dfa: &mut Dfa,
        palette: &Palette,
        place: PlaceId,
    ) -> Result<(), LimitReached> {
        let Place { state, cost, parent, .. } = self.explored.places[place];
        if let Some(outcome) = dfa.winner(state)
            && parent.is_some()
        {
            self.win(outcome, Won { place, when: When::Anywhere });
        }
        if let Some(end) = dfa.step_eof(lexer, state)?
            && let Some(outcome) = dfa.winner(end)
        {
            self.explored.places[place].at_end = Some(outcome);
            self.win(outcome, Won { place, when: When::AtEnd });
        }
        if dfa.nesting(state) > MAX_NESTING {
            self.explored.complete = false;
            return Ok(());
        }
        let first = self.explored.edges.len();
        for class in dfa.live_classes(lexer, state).iter() {
            let Some(pick) = palette.best(class) else { continue };
            self.steps += 1;
            let Some(next) = dfa.step(lexer, state, class)? else { continue };
            if let Some(target) = self.find(next, cost + pick.cost(), Some((place, class))) {
                self.explored.edges.push((class, target));
            }
        }
        self.explored.places[place].edges = (first, self.explored.edges.len());
        Ok(())
    }

    /// What wins anywhere is better than what wins at the end only.
    fn win(&mut self, outcome: OutcomeId, won: Won) {
        let known = self.explored.won.entry(outcome).or_insert(won);
        if known.when == When::AtEnd && won.when == When::Anywhere {
            *known = won;
        }
    }

    /// The place of a state, found for the first time or at a better price, unless there is no room.
    fn find(
        &mut self,
        state: DfaStateId,
        cost: u64,
        parent: Option<(PlaceId, ClassId)>,
    ) -> Option<PlaceId> {
        let Explored { places, index, complete, .. } = &mut self.explored;
        if let Some(&known) = index.get(&state) {
            if cost < places[known].cost {
                (places[known].cost, places[known].parent) = (cost, parent);
                self.queue.push(Reverse((cost, known)));
            }
            return Some(known);
        }
        if places.len() >= MAX_PLACES {
            *complete = false;
            return None;
        }
        let place = places.push(Place { state, cost, parent, edges: (0, 0), at_end: None });
        index.insert(state, place);
        self.queue.push(Reverse((cost, place)));
        Some(place)
    }
}

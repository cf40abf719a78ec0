//! All states of a mode's automaton, as far as a bound allows, with the cheapest text to each: what
//! can be won at all, and by which lexeme.
//!
//! Dijkstra's algorithm over classes of characters; the price of a class is that of its most
//! pleasant character. Recursive rules have infinitely many states and are followed a few levels
//! deep. Cost: states times the classes that lead on from them, each step made once.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use gramercy_base::{Id, IndexMap, IndexSet, LimitReached, Map, Set, Table};
use gramercy_grammar::{ModeId, RuleId};
use gramercy_regular::ClassId;

use crate::alphabet::Palette;
use crate::automaton::Lexer;
use crate::dfa::{Dfa, DfaStateId, OutcomeId};

gramercy_base::define_id!(pub(crate) struct ExploredId, "an explored state");

/// The most states of one mode that are explored without an open call of a recursive rule in another. The largest
/// lexers in use have some ten thousand: keywords that ignore case, beside identifiers.
const MAX_PLACES: usize = 200_000;
/// How often a call may be open at once, and the most states that are explored in which one is open twice: recursive
/// rules have no end of them. They are counted apart, so that a recursive rule hides nothing of the others.
const MAX_NESTING: usize = 2;
const MAX_NESTED_PLACES: usize = 3_000;
/// How much the automaton may grow while one mode is explored, in configurations.
const MAX_GROWTH: usize = 1_000_000;

/// An explored state.
#[derive(Clone, Debug)]
pub(crate) struct ExploredState {
    pub(crate) state: DfaStateId,
    /// The price of the cheapest text that leads here.
    pub(crate) cost: u64,
    /// The last step of that text; the start has none.
    parent: Option<(ExploredId, ClassId)>,
    /// The edges, if they were made: a range in the common list.
    edges: (usize, usize),
}

/// Where an outcome can be had most cheaply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Won {
    pub(crate) place: ExploredId,
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
    pub(crate) places: Table<ExploredId, ExploredState>,
    edges: Vec<(ClassId, ExploredId)>,
    index: Map<DfaStateId, ExploredId>,
    /// What can be won by reading something, in the order of the prices.
    pub(crate) won: IndexMap<OutcomeId, Won>,
    /// What wins without reading anything.
    pub(crate) won_by_nothing: Option<OutcomeId>,
    /// The rules that might win in states that were left out.
    beyond: IndexSet<RuleId>,
    /// Whether everything that can win at all was found.
    pub(crate) all_found: bool,
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
        let mut exploring = Exploring::new(start, dfa);
        exploring.run(lexer, dfa, palette);
        let mut explored = exploring.explored;
        let won: Set<_> = explored.won.keys().map(|&outcome| dfa.outcome(outcome).rule).collect();
        let known = |rule: &RuleId| won.contains(rule) && lexer.has_one_outcome(*rule);
        explored.all_found = explored.beyond.iter().all(known);
        Ok(explored)
    }

    /// What can win, by reading something or not.
    pub(crate) fn outcomes(&self) -> impl Iterator<Item = OutcomeId> + '_ {
        self.won.keys().copied().chain(self.won_by_nothing)
    }

    /// Whether no state was left out.
    pub(crate) fn is_whole(&self) -> bool {
        self.beyond.is_empty()
    }

    /// Where every match begins.
    pub(crate) fn start(&self) -> ExploredId {
        ExploredId::from_index(0)
    }

    /// The edges of a place, ascending by class; none if they were not made.
    pub(crate) fn edges(&self, place: ExploredId) -> &[(ClassId, ExploredId)] {
        let (first, end) = self.places[place].edges;
        &self.edges[first..end]
    }

    /// The cheapest text that leads to a place.
    pub(crate) fn text(&self, palette: &Palette, place: ExploredId) -> String {
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
    queue: BinaryHeap<Reverse<(u64, ExploredId)>>,
    /// How many of the places have a call open twice.
    nested: usize,
    max_size: usize,
}

impl Exploring {
    fn new(start: DfaStateId, dfa: &Dfa) -> Self {
        let explored = Explored {
            places: Table::new(),
            edges: Vec::new(),
            index: Map::default(),
            won: IndexMap::default(),
            won_by_nothing: dfa.winner(start),
            beyond: IndexSet::default(),
            all_found: true,
        };
        let max_size = dfa.size() + MAX_GROWTH;
        let mut this = Self { explored, queue: BinaryHeap::new(), nested: 0, max_size };
        this.find(dfa, start, 0, None);
        this
    }

    fn run(&mut self, lexer: &Lexer, dfa: &mut Dfa, palette: &Palette) {
        while let Some(Reverse((cost, place))) = self.queue.pop() {
            if self.explored.places[place].cost < cost {
                continue;
            }
            let state = self.explored.places[place].state;
            let room = dfa.size() <= self.max_size && dfa.nesting(state) <= MAX_NESTING;
            self.note_winners(lexer, dfa, place);
            if !room || self.expand(lexer, dfa, palette, place).is_err() {
                self.explored.beyond.extend(dfa.alive_rules(lexer, state));
            }
        }
    }

    /// Notes what wins at a place whose price is final.
    fn note_winners(&mut self, lexer: &Lexer, dfa: &mut Dfa, place: ExploredId) {
        let ExploredState { state, parent, .. } = self.explored.places[place];
        if let Some(outcome) = dfa.winner(state)
            && parent.is_some()
        {
            self.win(outcome, Won { place, when: When::Anywhere });
        }
        if let Ok(Some(end)) = dfa.step_eof(lexer, state)
            && let Some(outcome) = dfa.winner(end)
        {
            self.win(outcome, Won { place, when: When::AtEnd });
        }
    }

    /// Follows the edges of a place whose price is final.
    fn expand(
        &mut self,
        lexer: &Lexer,
        dfa: &mut Dfa,
        palette: &Palette,
        place: ExploredId,
    ) -> Result<(), LimitReached> {
        let ExploredState { state, cost, .. } = self.explored.places[place];
        let first = self.explored.edges.len();
        for class in dfa.live_classes(lexer, state).iter() {
            let Some(pick) = palette.best(class) else { continue };
            let Some(next) = dfa.step(lexer, state, class)? else { continue };
            match self.find(dfa, next, cost + pick.cost(), Some((place, class))) {
                Some(target) => self.explored.edges.push((class, target)),
                None => self.explored.beyond.extend(dfa.alive_rules(lexer, next)),
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
        dfa: &Dfa,
        state: DfaStateId,
        cost: u64,
        parent: Option<(ExploredId, ClassId)>,
    ) -> Option<ExploredId> {
        let Explored { places, index, .. } = &mut self.explored;
        if let Some(&known) = index.get(&state) {
            if cost < places[known].cost {
                (places[known].cost, places[known].parent) = (cost, parent);
                self.queue.push(Reverse((cost, known)));
            }
            return Some(known);
        }
        let is_nested = dfa.nesting(state) > 1;
        let is_full = match is_nested {
            true => self.nested >= MAX_NESTED_PLACES,
            false => places.len() - self.nested >= MAX_PLACES,
        };
        if is_full {
            return None;
        }
        self.nested += usize::from(is_nested);
        let place = places.push(ExploredState { state, cost, parent, edges: (0, 0) });
        index.insert(state, place);
        self.queue.push(Reverse((cost, place)));
        Some(place)
    }
}

//! From a stack of modes to a token: which matches lead there, hidden ones included, and what can be
//! put between two tokens.
//!
//! A *route* is the cheapest sequence of pieces that ends in a visible token of the type wanted:
//! hidden matches that change modes where they must, matches that are kept by `more`, then the one
//! that makes the token. One search from a stack finds the routes to all tokens (Dijkstra over stacks
//! and begun tokens, by the prices of lexemes). Stacks can grow without bound, so the search has one;
//! whether a token exists beyond it is decided by [`reach`](crate::reach). A match that reads nothing wins
//! only where nothing else does, so what comes after it must not begin with what its mode could match.
//!
//! Cost: stacks met by hidden matches, mostly one, times what can be matched there; kept per stack.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use gramercy_base::{IndexMap, LimitReached, Map};
use gramercy_grammar::{ModeId, TerminalId};

use crate::automaton::Lexer;
use crate::dfa::Dfa;
use crate::explore::When;
use crate::lexemes::{Book, Lexeme, LexemeId, ModeOutcomeId};
use crate::reach::Begun;
use crate::spell::{Spelled, spell};
use crate::stacks::{StackId, Stacks};

/// Positions that one search goes through at most.
const MAX_POSITIONS: usize = 200;
/// How much deeper than where it began a search lets a stack grow.
const MAX_GROWTH: usize = 4;
/// Routes to one token that are kept, each to another stack or with another last piece.
const MAX_ROUTES: usize = 6;
/// Ways to separate tokens that are kept.
const MAX_SEPARATORS: usize = 8;
/// What another piece costs: as much as two characters.
const PIECE: u64 = 2 * 1000 * 256;

/// How a token, or a separator, is put together.
#[derive(Clone, Debug)]
pub(crate) struct Route {
    /// What comes first: hidden pieces, and pieces that are kept by `more`.
    pub(crate) lead: Box<[ModeOutcomeId]>,
    /// What ends it.
    pub(crate) last: Last,
    /// The stack after it.
    pub(crate) next: StackId,
    pub(crate) cost: u64,
    /// How many of the first pieces are hidden, so that the token begins after them.
    pub(crate) hidden: usize,
}

/// The end of a route.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Last {
    /// Any lexeme of a piece.
    ModeOutcome(ModeOutcomeId),
    /// One of these spellings, of one or more pieces each: lexemes of a pool.
    Spelled(Vec<Box<[LexemeId]>>),
}

/// What can come next, from one stack.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ways {
    /// The routes to each token, the cheapest first.
    pub(crate) routes: IndexMap<TerminalId, Vec<Route>>,
    /// Hidden texts that leave the stack as it is, the best first.
    pub(crate) separators: Vec<Box<[LexemeId]>>,
    /// Hidden matches that lead back to the stack, the cheapest first.
    pub(crate) cycles: Vec<Box<[ModeOutcomeId]>>,
    /// Whether no token was missed because of a bound.
    pub(crate) complete: bool,
}

/// Lexemes that a user gave, by token.
pub(crate) type Pools = IndexMap<TerminalId, Vec<Box<str>>>;

/// Everything that a search works with.
pub(crate) struct Tools<'t> {
    pub(crate) lexer: &'t Lexer,
    pub(crate) dfa: &'t mut Dfa,
    pub(crate) book: &'t mut Book,
    pub(crate) stacks: &'t mut Stacks,
    pub(crate) pools: &'t Pools,
}

/// A lexer between two matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Position {
    stack: StackId,
    begun: Begun,
    /// The mode in which a match that read nothing was the last one.
    passed: Option<ModeId>,
}

/// The cheapest way to a position: the piece that led there, from where, and at which price.
#[derive(Clone, Copy, Debug)]
struct Arrival {
    cost: u64,
    from: Option<(Position, ModeOutcomeId)>,
}

impl Ways {
    /// Everything that can come next from a stack.
    pub(crate) fn new(tools: &mut Tools<'_>, stack: StackId) -> Result<Self, LimitReached> {
        let mut search = Search {
            origin: stack,
            arrivals: Map::default(),
            queue: BinaryHeap::new(),
            ways: Ways { complete: true, ..Ways::default() },
            cycles: Vec::new(),
        };
        search.run(tools)?;
        search.finish(tools)
    }
}

struct Search {
    origin: StackId,
    arrivals: Map<Position, Arrival>,
    queue: BinaryHeap<Reverse<(u64, Position)>>,
    ways: Ways,
    /// Hidden ways back to where the search began, by price.
    cycles: Vec<(u64, Box<[ModeOutcomeId]>)>,
}

impl Search {
    fn run(&mut self, tools: &mut Tools<'_>) -> Result<(), LimitReached> {
        let start = Position { stack: self.origin, begun: Begun::Nothing, passed: None };
        let depth = tools.stacks.depth(self.origin);
        self.arrive(start, Arrival { cost: 0, from: None });
        let mut visited = 0;
        while let Some(Reverse((cost, position))) = self.queue.pop() {
            let arrival = self.arrivals[&position];
            if arrival.cost < cost {
                continue;
            }
            visited += 1;
            if visited > MAX_POSITIONS {
                self.ways.complete = false;
                break;
            }
            if position.begun == Begun::Nothing {
                self.pools(tools, position, arrival)?;
            }
            self.pieces(tools, position, arrival, depth)?;
        }
        Ok(())
    }

    fn arrive(&mut self, position: Position, arrival: Arrival) {
        let known = self.arrivals.get(&position);
        if known.is_none_or(|known| arrival.cost < known.cost) {
            self.arrivals.insert(position, arrival);
            self.queue.push(Reverse((arrival.cost, position)));
        }
    }

    /// Follows every piece that can be matched at a position.
    fn pieces(
        &mut self,
        tools: &mut Tools<'_>,
        position: Position,
        arrival: Arrival,
        origin_depth: usize,
    ) -> Result<(), LimitReached> {
        let mode = tools.stacks.mode(position.stack);
        let of_mode = tools.book.mode(tools.lexer, tools.dfa, mode)?;
        // A visible token without text could be anywhere; it is not written.
        let nothing = of_mode.explored.won_by_nothing;
        let hidden = |outcome| tools.dfa.outcome(outcome).effect.visible_token(None).is_none();
        self.ways.complete &= of_mode.explored.all_found && nothing.is_none_or(hidden);
        for piece in of_mode.pieces.clone() {
            let (outcome, price) =
                (tools.book.pieces[piece].outcome, tools.book.pieces[piece].cost);
            let lexeme = tools.book.pieces[piece].shortest;
            let Lexeme { text, when, .. } = &tools.book.lexemes[lexeme];
            let (reads, when) = (!text.is_empty(), *when);
            if let Some(passed) = position.passed
                && reads
                && !tools.book.can_follow(tools.lexer, tools.dfa, passed, piece)?
            {
                continue;
            }
            let effect = &tools.dfa.outcome(outcome).effect;
            let Some(next) = tools.stacks.after(position.stack, effect) else { continue };
            let cost = arrival.cost.saturating_add(price).saturating_add(PIECE);
            if let Some(token) = effect.visible_token(position.begun.channel()) {
                if !tools.pools.contains_key(&token) {
                    self.route(position, token, Last::ModeOutcome(piece), next, cost);
                }
                continue;
            }
            if when == When::AtEnd {
                continue;
            }
            let begun = position.begun.after(effect);
            if next == self.origin && begun == Begun::Nothing {
                let mut cycle = self.lead(position);
                cycle.push(piece);
                self.cycles.push((cost, cycle.into()));
            }
            if next != position.stack && tools.stacks.depth(next) > origin_depth + MAX_GROWTH {
                self.ways.complete = false;
                continue;
            }
            let from = Some((position, piece));
            let passed = if reads { None } else { position.passed.or(Some(mode)) };
            self.arrive(Position { stack: next, begun, passed }, Arrival { cost, from });
        }
        Ok(())
    }

    /// Tries the lexemes of the pools at a position.
    fn pools(
        &mut self,
        tools: &mut Tools<'_>,
        position: Position,
        arrival: Arrival,
    ) -> Result<(), LimitReached> {
        for (&token, texts) in tools.pools {
            let mut by_next: IndexMap<StackId, Vec<Box<[LexemeId]>>> = IndexMap::default();
            for text in texts {
                let spelled = spell(tools, position.stack, text)?;
                if let Some(Spelled { token: Some(found), next, lexemes }) = spelled
                    && found == token
                {
                    by_next.entry(next).or_default().push(lexemes);
                }
            }
            for (next, spellings) in by_next {
                let cost = arrival.cost.saturating_add(PIECE);
                self.route(position, token, Last::Spelled(spellings), next, cost);
            }
        }
        Ok(())
    }

    /// Keeps a route if no cheaper one of its kind with the same end leads to the same stack.
    fn route(&mut self, from: Position, token: TerminalId, last: Last, next: StackId, cost: u64) {
        let (lead, hidden) = (self.lead(from).into(), self.hidden(from));
        let routes = self.ways.routes.entry(token).or_default();
        let new = Route { lead, last, next, cost, hidden };
        let same = |route: &&mut Route| {
            let direct = route.lead.is_empty() == new.lead.is_empty();
            route.next == next && route.last == new.last && direct
        };
        match routes.iter_mut().find(same) {
            Some(known) if known.cost <= cost => {}
            Some(known) => *known = new,
            None => routes.push(new),
        }
    }

    /// The pieces that lead to a position.
    fn lead(&self, mut position: Position) -> Vec<ModeOutcomeId> {
        let mut pieces = Vec::new();
        while let Some((from, piece)) = self.arrivals[&position].from {
            pieces.push(piece);
            position = from;
        }
        pieces.reverse();
        pieces
    }

    /// How many of the pieces that lead to a position are hidden, not kept.
    fn hidden(&self, mut position: Position) -> usize {
        while position.begun != Begun::Nothing
            && let Some((from, _)) = self.arrivals[&position].from
        {
            position = from;
        }
        self.lead(position).len()
    }

    /// Sorts what was found and spells the separators.
    fn finish(mut self, tools: &mut Tools<'_>) -> Result<Ways, LimitReached> {
        for routes in self.ways.routes.values_mut() {
            routes.sort_by_key(|route| route.cost);
            let dropped = routes.split_off(routes.len().min(MAX_ROUTES));
            let kept = |lost: &Route| routes.iter().any(|route| route.next == lost.next);
            self.ways.complete &= dropped.iter().all(kept);
        }
        let separators = &mut self.ways.separators;
        for blank in BLANKS {
            if tools.book.alphabet.allows(blank)
                && let Some(spelled) = spell(tools, self.origin, blank)?
                && let Spelled { token: None, next, lexemes } = spelled
                && next == self.origin
            {
                separators.push(lexemes);
            }
        }
        self.cycles.sort();
        let hidden: Vec<Box<[LexemeId]>> = self
            .cycles
            .iter()
            .map(|(_, pieces)| pieces.iter().map(|&piece| tools.book.pieces[piece].shortest))
            .map(Iterator::collect)
            .collect();
        // A comment may need the end of its line.
        let line_end = separators.iter().find(|known| text(tools.book, known) == "\n").cloned();
        let ended = hidden.iter().filter_map(|one| Some([&**one, line_end.as_deref()?].concat()));
        for lexemes in hidden.iter().cloned().chain(ended.map(Vec::into)) {
            let own = text(tools.book, &lexemes);
            if !own.trim().is_empty()
                && separators.iter().all(|known| text(tools.book, known) != own)
                || separators.is_empty() && !own.is_empty()
            {
                separators.push(lexemes);
            }
        }
        separators.truncate(MAX_SEPARATORS);
        self.ways.cycles = self.cycles.into_iter().map(|(_, pieces)| pieces).collect();
        Ok(self.ways)
    }
}

fn text(book: &Book, lexemes: &[LexemeId]) -> String {
    lexemes.iter().map(|&lexeme| &*book.lexemes[lexeme].text).collect()
}

/// What separates tokens in most languages, the best first.
pub(crate) const BLANKS: [&str; 3] = [" ", "\n", "\t"];

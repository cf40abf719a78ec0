//! Text in the making, and the boundaries in it: whether the lexer will cut it where it was put
//! together.
//!
//! After every piece the automaton stands in a state; the boundary is safe once the automaton, fed
//! with what follows, has died before it met a winner again. Mostly the first character decides, and
//! the cell of that state and that character's class in the automaton's table is the verdict. Pieces
//! whose automaton lives on are watched until it dies. Cost: a look-up per piece and, where that does
//! not decide, one per character and watched piece; pieces in the same state are watched as one.

use gramercy_base::LimitReached;
use gramercy_base::named::{Choice, Named, choice};

use crate::automaton::Lexer;
use crate::dfa::{Cell, Dfa, OutcomeId};

/// What is put between tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Spacing {
    /// Nothing, unless the tokens would be read as others.
    #[default]
    Minimal,
    /// A space, where the lexer skips it.
    Space,
    /// A line break, where the lexer skips it.
    Newline,
}

impl Named for Spacing {
    const CHOICES: &'static [Choice<Self>] = &[
        choice(Self::Minimal, "minimal", "nothing, unless the tokens would be read as others"),
        choice(Self::Space, "space", "a space, where the lexer skips it"),
        choice(Self::Newline, "newline", "a line break, where the lexer skips it"),
    ];
}

/// A text that grows at its end.
#[derive(Clone, Debug, Default)]
pub(crate) struct Draft {
    pub(crate) text: String,
    /// The states of the pieces that could still become longer.
    alive: Vec<Cell>,
    /// The piece that is right only if the text ends after it.
    must_end: Option<(Cell, OutcomeId)>,
    /// Whether pieces before the last one could still become longer.
    is_watched: bool,
    /// The watched states of earlier marks.
    history: Vec<Cell>,
}

/// A place to go back to. Marks are used up in the reverse order of their making.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    text: usize,
    history: usize,
    alive: usize,
    must_end: Option<(Cell, OutcomeId)>,
}

impl Draft {
    pub(crate) fn clear(&mut self) {
        self.text.clear();
        self.alive.clear();
        self.history.clear();
        self.must_end = None;
        self.is_watched = false;
    }

    /// Whether pieces before the last one could still become longer.
    pub(crate) fn is_watched(&self) -> bool {
        self.is_watched
    }

    /// Remembers this place.
    #[inline]
    pub(crate) fn mark(&mut self) -> Mark {
        let (text, history) = (self.text.len(), self.history.len());
        self.history.extend_from_slice(&self.alive);
        Mark { text, history, alive: self.alive.len(), must_end: self.must_end }
    }

    /// Goes back to a place; later marks are gone.
    pub(crate) fn reset(&mut self, mark: Mark) {
        self.text.truncate(mark.text);
        self.history.truncate(mark.history + mark.alive);
        self.alive.clear();
        self.alive.extend_from_slice(&self.history[mark.history..]);
        self.must_end = mark.must_end;
    }

    /// Goes back to a place and forgets its mark.
    pub(crate) fn release(&mut self, mark: Mark) {
        self.reset(mark);
        self.history.truncate(mark.history);
    }

    /// Appends a piece, after which the automaton is in state `end`; whether all boundaries before
    /// it hold. If not, the draft is to be [reset](Self::reset).
    #[inline]
    pub(crate) fn append(
        &mut self,
        lexer: &Lexer,
        dfa: &mut Dfa,
        text: &str,
        end: Cell,
    ) -> Result<bool, LimitReached> {
        if self.must_end.is_some() || !self.feed(lexer, dfa, text)? {
            return Ok(false);
        }
        self.text.push_str(text);
        self.is_watched = !self.alive.is_empty();
        self.watch(end);
        Ok(true)
    }

    /// As [`append`](Self::append), for a piece that wins only if the text ends after it.
    pub(crate) fn append_last(
        &mut self,
        lexer: &Lexer,
        dfa: &mut Dfa,
        text: &str,
        end: Cell,
        outcome: OutcomeId,
    ) -> Result<bool, LimitReached> {
        // A piece that must not become longer may be in the very state in which this one must.
        let fits =
            self.must_end.is_none() && self.feed(lexer, dfa, text)? && !self.alive.contains(&end);
        self.text.push_str(text);
        self.watch(end);
        self.must_end = Some((end, outcome));
        Ok(fits)
    }

    /// Whether all boundaries hold if the text ends here.
    pub(crate) fn can_end(&self, lexer: &Lexer, dfa: &mut Dfa) -> Result<bool, LimitReached> {
        for &cell in &self.alive {
            let last = dfa.step_cell(lexer, cell, lexer.class_count())?;
            let winner = dfa.winner_of(last).map(|winner| (cell, winner.outcome));
            if winner.is_some() && winner != self.must_end {
                return Ok(false);
            }
        }
        Ok(true)
    }

    #[inline]
    fn watch(&mut self, end: Cell) {
        if !end.is_end() && !self.alive.contains(&end) {
            self.alive.push(end);
        }
    }

    /// Feeds a text to the watched automata; whether none of them wins again.
    #[inline]
    fn feed(&mut self, lexer: &Lexer, dfa: &mut Dfa, text: &str) -> Result<bool, LimitReached> {
        let mut at = 0;
        while at < self.alive.len() {
            match run_on(lexer, dfa, self.alive[at], text)? {
                Fate::Dead => _ = self.alive.swap_remove(at),
                Fate::Wins => return Ok(false),
                Fate::Alive(cell) => {
                    self.alive[at] = cell;
                    at += 1;
                }
            }
        }
        if self.alive.len() > 1 {
            self.alive.sort_unstable();
            self.alive.dedup();
        }
        Ok(true)
    }
}

/// What becomes of a watched automaton.
pub(crate) enum Fate {
    Dead,
    Wins,
    Alive(Cell),
}

/// Feeds a text to the automaton in a state.
#[inline]
pub(crate) fn run_on(
    lexer: &Lexer,
    dfa: &mut Dfa,
    from: Cell,
    text: &str,
) -> Result<Fate, LimitReached> {
    let mut cell = from;
    for c in text.chars() {
        cell = dfa.step_cell(lexer, cell, lexer.table.get(c.into()))?;
        if cell == Cell::DEAD {
            return Ok(Fate::Dead);
        }
        if cell.wins() {
            return Ok(Fate::Wins);
        }
    }
    Ok(Fate::Alive(cell))
}

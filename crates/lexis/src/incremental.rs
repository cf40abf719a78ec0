//! From text to tokens, a character at a time: the lexer can stop anywhere, be remembered, and go on from there.
//!
//! [`Scan`] has the whole text at hand; here characters are fed one by one. The lexer knows that a
//! match is over when no rule can go on, so a token comes when the character after it was fed, or as soon as
//! nothing can follow. Tokens and errors are those of [`Scan`]. What is remembered is the text of the
//! match under way and the stack of modes.
//!
//! A character costs a step of the automaton; where the lexer looked ahead for a longer match and found none, what it
//! read after the match is read again, so the worst case is quadratic in the longest look-ahead.

use gramercy_base::{Id, LimitReached};
use gramercy_grammar::{ChannelId, ModeId};

use crate::automaton::Lexer;
use crate::dfa::{Cell, Dfa, OutcomeId};
use crate::effect::{Emission, is_visible};
use crate::scan::{LexicalError, MAX_EMPTY_MATCHES, Scan, Token};

/// What a lexer knows in the middle of a text. Only meaningful with the lexer that made it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScanState {
    /// What was fed and belongs to no match yet.
    pending: String,
    /// Where that begins.
    start: usize,
    /// How much of it the automaton has read.
    read: usize,
    /// The automaton's state; unknown before the first step.
    cell: Cell,
    /// The state of the longest match so far, dead if there is none, and where it ends in the pending text.
    last: Cell,
    end: usize,
    /// The stack of modes, the current one last.
    modes: Vec<ModeId>,
    /// Where the token begins whose parts were kept by `more`, if there are any.
    kept_from: Option<usize>,
    /// The channel that these parts named.
    channel: Option<ChannelId>,
    /// The stacks before the matches here that read nothing.
    empty_matches: Vec<Vec<ModeId>>,
}

impl Default for ScanState {
    fn default() -> Self {
        Self {
            pending: String::new(),
            start: 0,
            read: 0,
            cell: Cell::UNKNOWN,
            last: Cell::DEAD,
            end: 0,
            modes: vec![ModeId::from_index(0)],
            kept_from: None,
            channel: None,
            empty_matches: Vec::new(),
        }
    }
}

impl ScanState {
    /// How many bytes were fed.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.start + self.pending.len()
    }

    /// Where the match begins that is under way.
    #[must_use]
    pub fn match_start(&self) -> usize {
        self.start
    }

    /// The text of the match that is under way.
    #[must_use]
    pub fn pending(&self) -> &str {
        &self.pending
    }

    /// The stack of modes, the current one last.
    #[must_use]
    pub fn modes(&self) -> &[ModeId] {
        &self.modes
    }

    /// Whether this state and another make the same tokens of every text that follows.
    #[must_use]
    pub fn has_same_future(&self, other: &Self) -> bool {
        self.pending == other.pending
            && self.modes == other.modes
            && self.channel == other.channel
            && self.kept_from.is_some() == other.kept_from.is_some()
    }
}

/// A lexer in the middle of a text.
#[derive(Debug)]
pub struct Incremental<'s> {
    lexer: &'s Lexer,
    dfa: &'s mut Dfa,
    state: ScanState,
}

impl<'s> Incremental<'s> {
    /// A lexer at the beginning of a text.
    #[must_use]
    pub fn new(lexer: &'s Lexer, dfa: &'s mut Dfa) -> Self {
        Self::with_state(lexer, dfa, ScanState::default())
    }

    /// A lexer that goes on from a state.
    #[must_use]
    pub fn with_state(lexer: &'s Lexer, dfa: &'s mut Dfa, state: ScanState) -> Self {
        Self { lexer, dfa, state }
    }

    /// What it knows here.
    #[must_use]
    pub fn state(&self) -> &ScanState {
        &self.state
    }

    /// Goes on from another state.
    pub fn resume(&mut self, state: &ScanState) {
        self.state.clone_from(state);
    }

    /// Gives the state back.
    #[must_use]
    pub fn into_state(self) -> ScanState {
        self.state
    }

    /// Feeds a character. Tokens that are complete go to `emit`, on whatever channel, until it says that it has
    /// seen enough; then the state is that after the last token it took.
    ///
    /// # Errors
    /// If no rule matches, or see [`LexicalError`].
    pub fn feed(
        &mut self,
        c: char,
        emit: &mut dyn FnMut(Token) -> bool,
    ) -> Result<(), LexicalError> {
        self.state.pending.push(c);
        while let Some(next) = self.state.pending[self.state.read..].chars().next() {
            if self.step(next)? {
                continue;
            }
            if !self.end_match(emit)? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Ends the text.
    ///
    /// # Errors
    /// As [`feed`](Self::feed).
    pub fn finish(&mut self, emit: &mut dyn FnMut(Token) -> bool) -> Result<(), LexicalError> {
        let ScanState { pending, start, modes, kept_from, channel, .. } = &self.state;
        let is_empty_text = *start == 0 && pending.is_empty();
        if pending.is_empty() && kept_from.is_none() && !is_empty_text {
            return Ok(());
        }
        // What is left is read as a text of its own: it may end where more text would go on.
        let mut scan = Scan::within(self.lexer, self.dfa, pending, modes.clone());
        let (offset, kept_from) = (*start, *kept_from);
        if kept_from.is_some() {
            scan.keep(*channel);
        }
        let mut is_first = true;
        loop {
            match scan.next_token() {
                Ok(None) => return Ok(()),
                Ok(Some(token)) => {
                    let kept = kept_from.filter(|_| is_first && scan.continues_kept());
                    is_first = false;
                    let start = kept.unwrap_or(token.start + offset);
                    if !emit(Token { start, end: token.end + offset, ..token }) {
                        return Ok(());
                    }
                }
                Err(error) => return Err(error.moved_by(offset)),
            }
        }
    }

    /// Reads the next pending character; `false` if the match is over: no rule can take the character, or it was
    /// taken and nothing can follow it.
    fn step(&mut self, c: char) -> Result<bool, LexicalError> {
        let state = &mut self.state;
        if state.cell == Cell::UNKNOWN {
            let mode = *state.modes.last().expect("invariant: there is a mode");
            let first = self.dfa.start(self.lexer, mode)?;
            state.cell = self.dfa.cell(first);
            state.last = if state.cell.wins() { state.cell } else { Cell::DEAD };
            (state.read, state.end) = (0, 0);
        }
        let column = self.lexer.table.get(c.into());
        let next = self.dfa.step_cell(self.lexer, state.cell, column)?;
        if next == Cell::DEAD {
            return Ok(false);
        }
        state.read += c.len_utf8();
        state.cell = next;
        if next.wins() {
            (state.last, state.end) = (next, state.read);
        }
        Ok(!next.is_end())
    }

    /// Takes the longest match off the pending text; `false` if nobody wants more tokens.
    fn end_match(&mut self, emit: &mut dyn FnMut(Token) -> bool) -> Result<bool, LexicalError> {
        let ScanState { start, read, last, end, .. } = self.state;
        let Some(winner) = self.dfa.winner_of(last) else {
            return Err(LexicalError::NoMatch { start, end: start + read });
        };
        let outcome = winner.outcome;
        let effect = &self.dfa.outcome(outcome).effect;
        let emission = effect.emission;
        let state = &mut self.state;
        state.channel = effect.channel_after(state.channel);
        let before = (end == 0).then(|| state.modes.clone());
        if effect.change_modes(&mut state.modes).is_err() {
            return Err(LexicalError::PoppedEmptyStack { start, outcome });
        }
        match before {
            None => state.empty_matches.clear(),
            Some(before) => state.check_progress(before, outcome)?,
        }
        state.pending.drain(..end);
        state.start += end;
        (state.read, state.cell) = (0, Cell::UNKNOWN);
        let token_start = state.kept_from.unwrap_or(start);
        match emission {
            Emission::More => {
                state.kept_from = Some(token_start);
                Ok(true)
            }
            Emission::Skip => {
                (state.kept_from, state.channel) = (None, None);
                Ok(true)
            }
            Emission::Token(terminal) => {
                let visible = is_visible(state.channel);
                (state.kept_from, state.channel) = (None, None);
                let end = state.start;
                Ok(emit(Token { terminal, start: token_start, end, outcome, visible }))
            }
        }
    }
}

impl ScanState {
    /// Notes a match that read nothing: one that comes back to modes that were met here would do so forever.
    fn check_progress(
        &mut self,
        before: Vec<ModeId>,
        outcome: OutcomeId,
    ) -> Result<(), LexicalError> {
        self.empty_matches.push(before);
        let comes_back = self.empty_matches.contains(&self.modes)
            || self.empty_matches.len() > MAX_EMPTY_MATCHES;
        match comes_back {
            true => Err(LexicalError::EmptyMatch { at: self.start, outcome }),
            false => Ok(()),
        }
    }
}

impl LexicalError {
    /// The same error in a text of which this many bytes come before.
    fn moved_by(self, bytes: usize) -> Self {
        match self {
            LexicalError::NoMatch { start, end } => {
                LexicalError::NoMatch { start: start + bytes, end: end + bytes }
            }
            LexicalError::EmptyMatch { at, outcome } => {
                LexicalError::EmptyMatch { at: at + bytes, outcome }
            }
            LexicalError::PoppedEmptyStack { start, outcome } => {
                LexicalError::PoppedEmptyStack { start: start + bytes, outcome }
            }
            limit @ LexicalError::Limit(LimitReached { .. }) => limit,
        }
    }
}

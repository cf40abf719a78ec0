//! From text to tokens: longest match, again and again.
//!
//! A byte costs two look-ups. Where lexers look far beyond the end of a match for a longer one that
//! does not come (`'a' | 'a'* 'b'` on `aaa…`), [`failures`](crate::failures) keeps the time linear.

use gramercy_base::{Id, LimitReached};
use gramercy_grammar::{ModeId, TerminalId};

use crate::automaton::Lexer;
use crate::dfa::{Cell, Dfa, OutcomeId};
use crate::effect::{Emission, is_visible};
use crate::failures::Failures;

/// A token that the lexer made, on any channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its type.
    pub terminal: TerminalId,
    /// The first byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// The outcome of its last match.
    pub outcome: OutcomeId,
    /// Whether the parser sees it.
    pub visible: bool,
}

/// Where and why the lexer cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LexicalError {
    /// No rule matches here.
    NoMatch {
        /// Where the match begins that cannot be made.
        start: usize,
        /// Where the last rule gave up: the first byte that no rule can take.
        end: usize,
    },
    /// A rule matched without reading anything, and would do so forever.
    EmptyMatch {
        /// Where.
        at: usize,
        /// By what.
        outcome: OutcomeId,
    },
    /// A mode was popped that was never pushed.
    PoppedEmptyStack {
        /// Where the match begins.
        start: usize,
        /// By what.
        outcome: OutcomeId,
    },
    /// The automaton grew beyond its limit.
    Limit(LimitReached),
}

impl From<LimitReached> for LexicalError {
    fn from(limit: LimitReached) -> Self {
        LexicalError::Limit(limit)
    }
}

/// Matches in a row that read nothing: so many may change modes on the way to one that reads. ANTLR
/// goes on forever.
const MAX_EMPTY_MATCHES: usize = 1000;

/// A scan of one text. The caller asks for one token after the other.
#[derive(Debug)]
pub struct Scan<'s> {
    lexer: &'s Lexer,
    dfa: &'s mut Dfa,
    text: &'s str,
    at: usize,
    modes: Vec<ModeId>,
    finished: bool,
    empty_matches: usize,
    failures: Failures,
}

/// One match of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Match {
    pub(crate) end: usize,
    pub(crate) outcome: OutcomeId,
}

impl<'s> Scan<'s> {
    /// At the beginning of a text.
    #[must_use]
    pub fn new(lexer: &'s Lexer, dfa: &'s mut Dfa, text: &'s str) -> Self {
        Self {
            lexer,
            dfa,
            text,
            at: 0,
            modes: vec![ModeId::from_index(0)],
            finished: false,
            empty_matches: 0,
            failures: Failures::default(),
        }
    }

    /// The next token on any channel; `None` at the end of the text.
    ///
    /// # Errors
    /// If no rule matches, or see [`LexicalError`].
    pub fn next_token(&mut self) -> Result<Option<Token>, LexicalError> {
        while !self.finished {
            if let Some(token) = self.one_token()? {
                return Ok(Some(token));
            }
        }
        Ok(None)
    }

    /// The next token that the parser sees; `None` at the end of the text.
    ///
    /// # Errors
    /// As [`next_token`](Self::next_token).
    pub fn next_visible(&mut self) -> Result<Option<Token>, LexicalError> {
        while !self.finished {
            if let Some(token) = self.one_token()?
                && token.visible
            {
                return Ok(Some(token));
            }
        }
        Ok(None)
    }

    /// The byte offset up to which the text was read.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.at
    }

    /// The mode stack; the last is the current mode.
    #[must_use]
    pub fn modes(&self) -> &[ModeId] {
        &self.modes
    }

    /// Matches until a token is made or the text so far is dropped.
    #[inline]
    fn one_token(&mut self) -> Result<Option<Token>, LexicalError> {
        let (start, mut channel) = (self.at, None);
        loop {
            let Some(Match { end, outcome }) = self.longest_match()? else {
                if self.at < self.text.len() {
                    let end = self.gives_up_at()?;
                    return Err(LexicalError::NoMatch { start: self.at, end });
                }
                // An unfinished `more` at the end of input is dropped silently.
                self.finished = true;
                return Ok(None);
            };
            let emission = self.commit(end, outcome)?;
            channel = self.dfa.outcome(outcome).effect.channel_after(channel);
            match emission {
                Emission::Token(terminal) => {
                    let visible = is_visible(channel);
                    return Ok(Some(Token { terminal, start, end, outcome, visible }));
                }
                Emission::Skip => return Ok(None),
                Emission::More => {}
            }
        }
    }

    /// Moves behind a match and changes the modes.
    #[inline]
    fn commit(&mut self, end: usize, outcome: OutcomeId) -> Result<Emission, LexicalError> {
        let effect = &self.dfa.outcome(outcome).effect;
        if end == self.at {
            self.commit_empty(outcome)?;
        } else {
            self.empty_matches = 0;
            if !effect.mode_changes.is_empty() && effect.change_modes(&mut self.modes).is_err() {
                return Err(LexicalError::PoppedEmptyStack { start: self.at, outcome });
            }
        }
        self.at = end;
        self.finished = end == self.text.len();
        Ok(self.dfa.outcome(outcome).effect.emission)
    }

    /// A match that reads nothing is good only for changing modes, or at the end of input.
    #[cold]
    fn commit_empty(&mut self, outcome: OutcomeId) -> Result<(), LexicalError> {
        let effect = &self.dfa.outcome(outcome).effect;
        let before = self.modes.clone();
        if effect.change_modes(&mut self.modes).is_err() {
            return Err(LexicalError::PoppedEmptyStack { start: self.at, outcome });
        }
        let ends = self.at == self.text.len() && effect.emission != Emission::More;
        self.empty_matches += 1;
        if !ends && (self.modes == before || self.empty_matches > MAX_EMPTY_MATCHES) {
            return Err(LexicalError::EmptyMatch { at: self.at, outcome });
        }
        Ok(())
    }

    /// The longest match here, if any rule matches.
    #[inline]
    fn longest_match(&mut self) -> Result<Option<Match>, LimitReached> {
        let mode = *self.modes.last().expect("invariant: there is a mode");
        let mut run = Run::new(self.lexer, self.dfa, mode, self.at)?;
        if self.failures.reach_beyond(self.at) {
            run.carefully(self.lexer, self.dfa, self.text, &self.failures)?;
        } else {
            run.until_death(self.lexer, self.dfa, self.text)?;
        }
        if Failures::are_worth_keeping(run.end, run.at) {
            self.failures.keep(self.lexer, self.dfa, self.text, &run)?;
        }
        Ok(run.found(self.dfa))
    }

    /// The first byte from here on that no rule can take.
    fn gives_up_at(&mut self) -> Result<usize, LimitReached> {
        let mode = *self.modes.last().expect("invariant: there is a mode");
        let mut state = self.dfa.start(self.lexer, mode)?;
        for (offset, c) in self.text[self.at..].char_indices() {
            match self.dfa.step_char(self.lexer, state, c)? {
                None => return Ok(self.at + offset),
                Some(next) => state = next,
            }
        }
        Ok(self.text.len())
    }
}

/// An attempt at a match: the automaton runs until no rule can go on, and remembers where it could
/// have stopped last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    /// The state at `at`.
    pub(crate) cell: Cell,
    /// Where the automaton is, and in the end, how far it looked.
    pub(crate) at: usize,
    /// The state in which it could have stopped last, if in any.
    pub(crate) last: Option<Cell>,
    /// Where that was.
    pub(crate) end: usize,
}

impl Run {
    pub(crate) fn new(
        lexer: &Lexer,
        dfa: &mut Dfa,
        mode: ModeId,
        at: usize,
    ) -> Result<Self, LimitReached> {
        let start = dfa.start(lexer, mode)?;
        let cell = dfa.cell(start);
        Ok(Self { cell, at, last: cell.wins().then_some(cell), end: at })
    }

    /// The match, once the run is over.
    #[inline]
    pub(crate) fn found(&self, dfa: &Dfa) -> Option<Match> {
        let state = dfa.state_of(self.last?)?;
        Some(Match { end: self.end, outcome: dfa.winner(state)? })
    }

    /// Runs until no rule can go on.
    #[inline]
    pub(crate) fn until_death(
        &mut self,
        lexer: &Lexer,
        dfa: &mut Dfa,
        text: &str,
    ) -> Result<(), LimitReached> {
        let bytes = text.as_bytes();
        loop {
            while let Some(&byte) = bytes.get(self.at) {
                let next = dfa.peek(self.cell, usize::from(lexer.table.bytes[usize::from(byte)]));
                if next.is_special() {
                    break;
                }
                self.at += 1;
                self.enter(next);
            }
            if !self.unusual_step(lexer, dfa, text)? {
                return Ok(());
            }
        }
    }

    /// As [`until_death`](Self::until_death), but stops where an earlier run showed that nothing more
    /// is to be found.
    #[cold]
    pub(crate) fn carefully(
        &mut self,
        lexer: &Lexer,
        dfa: &mut Dfa,
        text: &str,
        failures: &Failures,
    ) -> Result<(), LimitReached> {
        while self.unusual_step(lexer, dfa, text)? {
            if failures.contain(self.cell, self.at) {
                return Ok(());
            }
        }
        Ok(())
    }

    /// A step of any kind; whether the automaton lives on.
    pub(crate) fn unusual_step(
        &mut self,
        lexer: &Lexer,
        dfa: &mut Dfa,
        text: &str,
    ) -> Result<bool, LimitReached> {
        let Some(c) = text[self.at..].chars().next() else {
            let next = dfa.step_cell(lexer, self.cell, lexer.class_count())?;
            if next != Cell::DEAD {
                self.enter(next);
            }
            return Ok(false);
        };
        let next = dfa.step_cell(lexer, self.cell, lexer.table.get(c.into()))?;
        if next == Cell::DEAD {
            return Ok(false);
        }
        self.at += c.len_utf8();
        self.enter(next);
        Ok(true)
    }

    #[inline]
    fn enter(&mut self, next: Cell) {
        self.cell = next;
        if next.wins() {
            self.last = Some(next);
            self.end = self.at;
        }
    }
}

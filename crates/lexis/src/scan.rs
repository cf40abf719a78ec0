//! From text to tokens: longest match, again and again.
//!
//! A byte costs two look-ups. Where lexers look far beyond the end of a match for a longer one that
//! does not come (`'a' | 'a'* 'b'` on `aaa…`), [`failures`](crate::failures) keeps the time linear.

use gramercy_base::{Id, LimitReached};
use gramercy_grammar::{ChannelId, ModeId, TerminalId};

use crate::automaton::Lexer;
use crate::dfa::{Cell, Dfa, Outcome, OutcomeId};
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

/// A match, whatever becomes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Match {
    /// The first byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// What it is.
    pub outcome: OutcomeId,
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

impl LexicalError {
    /// Where the token begins that cannot be made.
    #[must_use]
    pub fn byte(&self) -> Option<usize> {
        match *self {
            LexicalError::NoMatch { start, .. } | LexicalError::PoppedEmptyStack { start, .. } => {
                Some(start)
            }
            LexicalError::EmptyMatch { at, .. } => Some(at),
            LexicalError::Limit(_) => None,
        }
    }
}

impl From<LimitReached> for LexicalError {
    fn from(limit: LimitReached) -> Self {
        LexicalError::Limit(limit)
    }
}

/// The most matches in a row that read nothing: they may push modes before one that reads. ANTLR
/// goes on forever.
pub(crate) const MAX_EMPTY_MATCHES: usize = 1000;

/// A scan of one text. The caller asks for one token after the other.
#[derive(Debug)]
pub struct Scan<'s> {
    lexer: &'s Lexer,
    dfa: &'s mut Dfa,
    text: &'s str,
    at: usize,
    modes: Vec<ModeId>,
    /// Where matches begin in the current mode; unknown before the first.
    start: Cell,
    /// Before this place, something must be looked up before or while matching.
    careful_until: usize,
    finished: bool,
    /// The stacks before the matches in a row that read nothing, and where that was.
    empty_matches: (Vec<Vec<ModeId>>, usize),
    failures: Failures,
    /// The channel that parts of the first token named before this text.
    kept_channel: Option<ChannelId>,
    /// Whether the first token has such parts.
    continues: bool,
}

/// Which tokens are asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    All,
    Visible,
}

impl<'s> Scan<'s> {
    /// At the beginning of a text.
    #[must_use]
    pub fn new(lexer: &'s Lexer, dfa: &'s mut Dfa, text: &'s str) -> Self {
        Self::within(lexer, dfa, text, vec![ModeId::from_index(0)])
    }

    /// At the beginning of a text that is read in these modes, the last of which is the current one.
    #[must_use]
    pub fn with_modes(
        lexer: &'s Lexer,
        dfa: &'s mut Dfa,
        text: &'s str,
        modes: Vec<ModeId>,
    ) -> Self {
        Self::within(lexer, dfa, text, modes)
    }

    /// The rule that matched and what it does.
    #[must_use]
    pub fn outcome(&self, id: OutcomeId) -> &Outcome {
        self.dfa.outcome(id)
    }

    /// At a place with these modes, the last of which is the current one.
    pub(crate) fn within(
        lexer: &'s Lexer,
        dfa: &'s mut Dfa,
        text: &'s str,
        modes: Vec<ModeId>,
    ) -> Self {
        Self {
            lexer,
            dfa,
            text,
            at: 0,
            modes,
            start: Cell::UNKNOWN,
            careful_until: usize::MAX,
            finished: false,
            empty_matches: (Vec::new(), 0),
            failures: Failures::default(),
            kept_channel: None,
            continues: false,
        }
    }

    /// Goes on with a token whose parts before this text were kept by `more` and named a channel, or none.
    pub(crate) fn keep(&mut self, channel: Option<ChannelId>) {
        (self.kept_channel, self.continues) = (channel, true);
    }

    /// Whether the first token goes on with parts that were kept before this text.
    pub(crate) fn continues_kept(&self) -> bool {
        self.continues
    }

    /// The next token on any channel; `None` at the end of the text.
    ///
    /// # Errors
    /// If no rule matches, or see [`LexicalError`].
    pub fn next_token(&mut self) -> Result<Option<Token>, LexicalError> {
        self.next(Wanted::All)
    }

    /// The next token that the parser sees; `None` at the end of the text.
    ///
    /// # Errors
    /// As [`next_token`](Self::next_token).
    pub fn next_visible(&mut self) -> Result<Option<Token>, LexicalError> {
        self.next(Wanted::Visible)
    }

    /// The next match, of whatever kind: tokens on any channel, skipped text, and the parts that `more`
    /// puts together; `None` at the end of the text.
    ///
    /// # Errors
    /// As [`next_token`](Self::next_token).
    pub fn next_match(&mut self) -> Result<Option<Match>, LexicalError> {
        if self.finished {
            return Ok(None);
        }
        let start = self.at;
        let (last, end) = self.longest_match()?;
        let Some(winner) = self.dfa.winner_of(last) else { return self.no_match().map(|_| None) };
        let outcome = winner.outcome;
        let emission = match winner.plain {
            Some(emission) if end > start => emission,
            _ => self.not_plain(end, outcome, &mut None)?,
        };
        self.at = end;
        self.finished = end == self.text.len() && emission != Emission::More;
        Ok(Some(Match { start, end, outcome }))
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

    #[inline(always)]
    fn next(&mut self, wanted: Wanted) -> Result<Option<Token>, LexicalError> {
        let (mut start, mut channel) = (self.at, self.kept_channel.take());
        while !self.finished {
            let (last, end) = self.longest_match()?;
            let Some(winner) = self.dfa.winner_of(last) else { return self.no_match() };
            let outcome = winner.outcome;
            let emission = match winner.plain {
                Some(emission) if end > self.at => emission,
                _ => self.not_plain(end, outcome, &mut channel)?,
            };
            self.at = end;
            self.finished = end == self.text.len();
            match emission {
                Emission::Token(terminal) if wanted == Wanted::All || is_visible(channel) => {
                    let visible = is_visible(channel);
                    return Ok(Some(Token { terminal, start, end, outcome, visible }));
                }
                Emission::Token(_) | Emission::Skip => {
                    (start, channel) = (end, None);
                    self.continues = false;
                }
                // What was begun may end without reading any more.
                Emission::More => self.finished = false,
            }
        }
        Ok(None)
    }

    /// An unfinished `more` at the end of input is dropped silently; else the text is at fault.
    #[cold]
    fn no_match(&mut self) -> Result<Option<Token>, LexicalError> {
        if self.at < self.text.len() {
            let end = self.gives_up_at()?;
            return Err(LexicalError::NoMatch { start: self.at, end });
        }
        self.finished = true;
        Ok(None)
    }

    /// What a match does beside making a token on the channel named before: it may name a channel and
    /// change modes. One that reads nothing is good only for that, or at the end of input.
    #[inline(never)]
    fn not_plain(
        &mut self,
        end: usize,
        outcome: OutcomeId,
        channel: &mut Option<ChannelId>,
    ) -> Result<Emission, LexicalError> {
        let effect = &self.dfa.outcome(outcome).effect;
        let emission = effect.emission;
        *channel = effect.channel_after(*channel);
        let before = (end == self.at).then(|| self.modes.clone());
        if !effect.mode_changes.is_empty() {
            if effect.change_modes(&mut self.modes).is_err() {
                return Err(LexicalError::PoppedEmptyStack { start: self.at, outcome });
            }
            self.start = self.start_of_match()?;
        }
        let Some(before) = before else { return Ok(emission) };
        let ends = self.at == self.text.len() && emission != Emission::More;
        if !ends && self.comes_back(before) {
            return Err(LexicalError::EmptyMatch { at: self.at, outcome });
        }
        Ok(emission)
    }

    /// Notes a match that read nothing. The place and the modes decide on all that follows, so modes
    /// that were met here before come back forever.
    fn comes_back(&mut self, before: Vec<ModeId>) -> bool {
        let (met, at) = &mut self.empty_matches;
        if *at != self.at {
            (*at, *met) = (self.at, Vec::new());
        }
        met.push(before);
        met.contains(&self.modes) || met.len() > MAX_EMPTY_MATCHES
    }

    fn start_of_match(&mut self) -> Result<Cell, LimitReached> {
        let mode = *self.modes.last().expect("invariant: there is a mode");
        let start = self.dfa.start(self.lexer, mode)?;
        Ok(self.dfa.cell(start))
    }

    /// The longest match here: the state in which it ends, dead if there is none, and where it ends.
    #[inline(always)]
    fn longest_match(&mut self) -> Result<(Cell, usize), LexicalError> {
        if self.at >= self.careful_until
            && let Some(found) = self.plain_match()
        {
            return Ok(found);
        }
        let run = self.unusual_match()?;
        Ok((run.last, run.end))
    }

    /// The longest match, if the table alone knows it and the automaton dies right after it: nearly
    /// every match is such. Nothing is to be remembered on the way, so a byte costs two look-ups.
    #[inline(always)]
    fn plain_match(&self) -> Option<(Cell, usize)> {
        let (mut cell, mut end) = (self.start, self.at);
        for &byte in &self.text.as_bytes()[self.at..] {
            let column = usize::from(self.lexer.table.bytes[usize::from(byte)]);
            let next = self.dfa.peek(cell, column);
            if next.is_end() {
                return match next {
                    Cell::DEAD => cell.wins().then_some((cell, end)),
                    _ if next.is_special() => None,
                    _ => Some((next, end + 1)),
                };
            }
            (cell, end) = (next, end + 1);
        }
        None
    }

    /// As [`longest_match`](Self::longest_match), where the table was not enough.
    #[inline(never)]
    fn unusual_match(&mut self) -> Result<Run, LexicalError> {
        if self.start == Cell::UNKNOWN {
            self.start = self.start_of_match()?;
            self.careful_until = 0;
        }
        let mut run = Run::new(self.start, self.at);
        if self.at < self.careful_until {
            run.carefully(self.lexer, self.dfa, self.text, &self.failures)?;
        } else {
            run.until_death(self.lexer, self.dfa, self.text)?;
        }
        if Failures::are_worth_keeping(run.end, run.at) {
            self.failures.keep(self.lexer, self.dfa, self.text, run)?;
            self.careful_until = self.failures.until();
        }
        Ok(run)
    }

    /// The first byte from here on that no rule can take.
    fn gives_up_at(&mut self) -> Result<usize, LimitReached> {
        let mut run = Run::new(self.start, self.at);
        while run.any_step(self.lexer, self.dfa, self.text)? {}
        Ok(run.at)
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
    /// The state in which it could have stopped last; dead if in none.
    pub(crate) last: Cell,
    /// Where that was, or where the run began.
    pub(crate) end: usize,
}

impl Run {
    #[inline]
    pub(crate) fn new(start: Cell, at: usize) -> Self {
        let last = if start.wins() { start } else { Cell::DEAD };
        Self { cell: start, at, last, end: at }
    }

    /// Runs on until no rule can go on.
    fn until_death(
        &mut self,
        lexer: &Lexer,
        dfa: &mut Dfa,
        text: &str,
    ) -> Result<(), LimitReached> {
        while self.any_step(lexer, dfa, text)?
            && self.rush(lexer, dfa, text.as_bytes()) != Cell::DEAD
        {}
        Ok(())
    }

    /// Makes the steps that need nothing but the table. Returns the cell that ends it: dead, or to be
    /// looked at more closely.
    fn rush(&mut self, lexer: &Lexer, dfa: &Dfa, bytes: &[u8]) -> Cell {
        let Run { mut cell, mut last, mut end, at } = *self;
        let (mut here, mut stop) = (at, Cell::UNKNOWN);
        for &byte in &bytes[at..] {
            let next = dfa.peek(cell, usize::from(lexer.table.bytes[usize::from(byte)]));
            if next.is_end() {
                stop = next;
                break;
            }
            here += 1;
            cell = next;
            if next.wins() {
                (last, end) = (next, here);
            }
        }
        if !stop.is_special() {
            here += 1;
            (cell, last, end, stop) = (stop, stop, here, Cell::DEAD);
        }
        *self = Run { cell, last, end, at: here };
        stop
    }

    /// As [`until_death`](Self::until_death), but stops where an earlier run showed that nothing more
    /// is to be found.
    #[cold]
    fn carefully(
        &mut self,
        lexer: &Lexer,
        dfa: &mut Dfa,
        text: &str,
        failures: &Failures,
    ) -> Result<(), LimitReached> {
        while self.any_step(lexer, dfa, text)? && !failures.contain(self.cell, self.at) {}
        Ok(())
    }

    /// A step of any kind; whether the automaton lives on.
    pub(crate) fn any_step(
        &mut self,
        lexer: &Lexer,
        dfa: &mut Dfa,
        text: &str,
    ) -> Result<bool, LimitReached> {
        let next_char = text[self.at..].chars().next();
        let column = next_char.map_or(lexer.class_count(), |c| lexer.table.get(c.into()));
        let next = dfa.step_cell(lexer, self.cell, column)?;
        if next == Cell::DEAD {
            return Ok(false);
        }
        self.at += next_char.map_or(0, char::len_utf8);
        self.cell = next;
        if next.wins() {
            (self.last, self.end) = (next, self.at);
        }
        Ok(next_char.is_some())
    }
}

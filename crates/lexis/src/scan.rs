//! From text to tokens: longest match, again and again.
//!
//! Linear in the text for lexers whose automaton dies soon after the last match it can make, as
//! real ones do; a lexer may look ahead to the end for every token (`'a' | 'a'* 'b'` on `aaa…`).

use gramercy_base::{Id, LimitReached};
use gramercy_grammar::{ModeId, TerminalId};

use crate::automaton::Lexer;
use crate::dfa::{Dfa, OutcomeId};
use crate::effect::Emission;

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
        /// Where the token begins that cannot be made.
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

/// A scan of one text. The caller asks for one token after the other.
#[derive(Debug)]
pub struct Scan<'s> {
    lexer: &'s Lexer,
    dfa: &'s mut Dfa,
    text: &'s str,
    at: usize,
    modes: Vec<ModeId>,
    finished: bool,
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
        Self { lexer, dfa, text, at: 0, modes: vec![ModeId::from_index(0)], finished: false }
    }

    /// The next token on any channel; `None` at the end of the text.
    ///
    /// # Errors
    /// If no rule matches, or see [`LexicalError`].
    pub fn next_token(&mut self) -> Result<Option<Token>, LexicalError> {
        let mut start = self.at;
        while !self.finished {
            let mode = *self.modes.last().expect("invariant: there is a mode");
            let Some(found) = longest_match(self.lexer, self.dfa, self.text, self.at, mode)? else {
                if self.at == self.text.len() {
                    // An unfinished `more` at the end of input is dropped silently.
                    self.finished = true;
                    return Ok(None);
                }
                let end = gives_up_at(self.lexer, self.dfa, self.text, self.at, mode)?;
                return Err(LexicalError::NoMatch { start: self.at, end });
            };
            if found.end == self.at && self.at < self.text.len() {
                return Err(LexicalError::EmptyMatch { at: self.at, outcome: found.outcome });
            }
            let begun = self.at;
            self.at = found.end;
            self.finished = self.at == self.text.len();
            let effect = &self.dfa.outcome(found.outcome).effect;
            if effect.change_modes(&mut self.modes).is_err() {
                let outcome = found.outcome;
                return Err(LexicalError::PoppedEmptyStack { start: begun, outcome });
            }
            match effect.emission {
                Emission::Token(terminal) => {
                    let visible = effect.visible_token().is_some();
                    let (end, outcome) = (found.end, found.outcome);
                    return Ok(Some(Token { terminal, start, end, outcome, visible }));
                }
                Emission::Skip => start = self.at,
                Emission::More => {}
            }
        }
        Ok(None)
    }

    /// The next token that the parser sees; `None` at the end of the text.
    ///
    /// # Errors
    /// As [`next_token`](Self::next_token).
    pub fn next_visible(&mut self) -> Result<Option<Token>, LexicalError> {
        loop {
            match self.next_token()? {
                Some(token) if !token.visible => {}
                other => return Ok(other),
            }
        }
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
}

/// The longest match at a place, if any rule matches there.
#[inline]
pub(crate) fn longest_match(
    lexer: &Lexer,
    dfa: &mut Dfa,
    text: &str,
    at: usize,
    mode: ModeId,
) -> Result<Option<Match>, LimitReached> {
    let bytes = text.as_bytes();
    let (mut state, mut end) = (dfa.start(lexer, mode)?, at);
    let mut found = dfa.winner(state).map(|outcome| Match { end, outcome });
    loop {
        let class = match bytes.get(end) {
            None => {
                if let Some(last) = dfa.step_eof(lexer, state)?
                    && let Some(outcome) = dfa.winner(last)
                {
                    found = Some(Match { end, outcome });
                }
                return Ok(found);
            }
            Some(&byte) if byte < 0x80 => {
                end += 1;
                usize::from(lexer.ascii[usize::from(byte)])
            }
            Some(_) => {
                let c = text[end..].chars().next().expect("invariant: not at the end");
                end += c.len_utf8();
                lexer.class_of(c as u32)
            }
        };
        match dfa.step(lexer, state, class)? {
            None => return Ok(found),
            Some(next) => state = next,
        }
        if let Some(outcome) = dfa.winner(state) {
            found = Some(Match { end, outcome });
        }
    }
}

/// The first byte from `at` on that no rule can take.
fn gives_up_at(
    lexer: &Lexer,
    dfa: &mut Dfa,
    text: &str,
    at: usize,
    mode: ModeId,
) -> Result<usize, LimitReached> {
    let mut state = dfa.start(lexer, mode)?;
    for (offset, c) in text[at..].char_indices() {
        match dfa.step(lexer, state, lexer.class_of(c as u32))? {
            None => return Ok(at + offset),
            Some(next) => state = next,
        }
    }
    Ok(text.len())
}

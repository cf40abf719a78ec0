//! What a lexer did with a text, match by match: which rule won, and which came second.
//!
//! The same automaton as in [`gramercy_lexis::scan`], walked without its shortcuts, so that every
//! rule that matched on the way is seen. Linear in what the automaton looks at, which a lexer that
//! looks far ahead may make quadratic in the text.

use gramercy_base::LimitReached;
use gramercy_grammar::{ChannelId, ModeId, RuleId};
use gramercy_lexis::{Dfa, DfaStateId, Emission, Lexer};

/// One match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LexerMatch {
    /// The first byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// The mode in which it was made.
    pub mode: ModeId,
    /// The rule that won.
    pub rule: RuleId,
    /// What became of the text.
    pub emission: Emission,
    /// The channel that was named, by this match or by those that it goes on with.
    pub channel: Option<ChannelId>,
    /// The rule that would have won without this one.
    pub second: Option<RunnerUp>,
}

/// A rule that came second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunnerUp {
    /// The rule.
    pub rule: RuleId,
    /// One past the last byte that it matched.
    pub end: usize,
}

/// The matches of a text, up to the first place at which there is none.
#[derive(Debug)]
pub struct Matches<'m> {
    lexer: &'m Lexer,
    dfa: &'m mut Dfa,
    text: &'m str,
    at: usize,
    modes: Vec<ModeId>,
    channel: Option<ChannelId>,
}

impl<'m> Matches<'m> {
    /// At the beginning of a text.
    #[must_use]
    pub fn new(lexer: &'m Lexer, dfa: &'m mut Dfa, text: &'m str) -> Self {
        Self {
            lexer,
            dfa,
            text,
            at: 0,
            modes: vec![gramercy_base::Id::from_index(0)],
            channel: None,
        }
    }

    /// The next match; `None` at the end, or where nothing matches.
    ///
    /// # Errors
    /// If the automaton grows beyond its limit.
    pub fn next_match(&mut self) -> Result<Option<LexerMatch>, LimitReached> {
        let start = self.at;
        let mode = *self.modes.last().expect("invariant: there is a mode");
        let Some((end, state, second)) = self.longest(mode)? else { return Ok(None) };
        // Matches that read nothing are of no interest to people, and may never end.
        if end == start {
            return Ok(None);
        }
        let winner = self.dfa.winner(state).expect("invariant: the match ends where a rule does");
        let outcome = self.dfa.outcome(winner);
        let channel = outcome.effect.channel_after(self.channel);
        let emission = outcome.effect.emission;
        let made = LexerMatch { start, end, mode, rule: outcome.rule, emission, channel, second };
        if outcome.effect.change_modes(&mut self.modes).is_err() {
            self.at = self.text.len();
            return Ok(None);
        }
        self.at = end;
        self.channel = if emission == Emission::More { channel } else { None };
        Ok(Some(made))
    }

    /// The longest match: its end, its state, and the rule that came second.
    fn longest(
        &mut self,
        mode: ModeId,
    ) -> Result<Option<(usize, DfaStateId, Option<RunnerUp>)>, LimitReached> {
        if self.at == self.text.len() {
            return Ok(None);
        }
        let mut state = Some(self.dfa.start(self.lexer, mode)?);
        let mut ends: Vec<(usize, DfaStateId)> = Vec::new();
        let mut at = self.at;
        let mut rest = self.text[at..].chars();
        while let Some(here) = state {
            if self.dfa.winner(here).is_some() {
                ends.push((at, here));
            }
            state = match rest.next() {
                Some(c) => {
                    at += c.len_utf8();
                    self.dfa.step_char(self.lexer, here, c)?
                }
                None => {
                    let behind = self.dfa.step_eof(self.lexer, here)?;
                    ends.extend(behind.map(|state| (at, state)));
                    None
                }
            };
        }
        ends.retain(|&(_, state)| self.dfa.winner(state).is_some());
        let Some(&(end, state)) = ends.last() else { return Ok(None) };
        let winner = self.dfa.matching_rules(self.lexer, state).first().copied();
        let second = ends.iter().rev().find_map(|&(end, state)| {
            let rules = self.dfa.matching_rules(self.lexer, state);
            let other = rules.into_iter().find(|&rule| Some(rule) != winner);
            other.filter(|_| end > self.at).map(|rule| RunnerUp { rule, end })
        });
        Ok(Some((end, state, second)))
    }
}

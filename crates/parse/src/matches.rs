//! What a lexer did with a text, match by match: which rule won, and which came second.
//!
//! Matches are those of [`gramercy_lexis::scan`]; from where each begins, the same automaton is walked
//! again without shortcuts, so that every rule that matched on the way is seen. Linear in what the automaton looks at, which a lexer that
//! looks far ahead may make quadratic in the text.

use gramercy_base::LimitReached;
use gramercy_grammar::{ChannelId, ModeId, RuleId};
use gramercy_lexis::{Dfa, DfaStateId, Emission, Lexer, LexicalError, Match, Scan};

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
    /// What the lexer matches, and in which mode: those that read nothing are among them.
    found: std::vec::IntoIter<(Match, ModeId)>,
    channel: Option<ChannelId>,
}

impl<'m> Matches<'m> {
    /// Those of a text.
    ///
    /// # Errors
    /// If the automaton grows beyond its limit.
    pub fn new(lexer: &'m Lexer, dfa: &'m mut Dfa, text: &'m str) -> Result<Self, LimitReached> {
        let mut scan = Scan::new(lexer, dfa, text);
        let mut found = Vec::new();
        loop {
            let mode = *scan.modes().last().expect("invariant: there is a mode");
            match scan.next_match() {
                Ok(Some(made)) => found.push((made, mode)),
                Err(LexicalError::Limit(limit)) => return Err(limit),
                Ok(None) | Err(_) => break,
            }
        }
        Ok(Self { lexer, dfa, text, found: found.into_iter(), channel: None })
    }

    /// The next match; `None` at the end, or where nothing matches.
    ///
    /// # Errors
    /// If the automaton grows beyond its limit.
    pub fn next_match(&mut self) -> Result<Option<LexerMatch>, LimitReached> {
        let Some((Match { start, end, outcome }, mode)) = self.found.next() else {
            return Ok(None);
        };
        let rule = self.dfa.outcome(outcome).rule;
        let second = self.second(mode, start, rule)?;
        let effect = &self.dfa.outcome(outcome).effect;
        let (emission, channel) = (effect.emission, effect.channel_after(self.channel));
        self.channel = if emission == Emission::More { channel } else { None };
        Ok(Some(LexerMatch { start, end, mode, rule, emission, channel, second }))
    }

    /// The longest match of another rule that reads something.
    fn second(
        &mut self,
        mode: ModeId,
        start: usize,
        winner: RuleId,
    ) -> Result<Option<RunnerUp>, LimitReached> {
        let ends = self.ends(mode, start)?;
        Ok(ends.iter().rev().filter(|&&(end, _)| end > start).find_map(|&(end, state)| {
            let rules = self.dfa.matching_rules(self.lexer, state);
            let rule = rules.into_iter().find(|&rule| rule != winner)?;
            Some(RunnerUp { rule, end })
        }))
    }

    /// Where matches can end that begin here, and in which states.
    fn ends(
        &mut self,
        mode: ModeId,
        start: usize,
    ) -> Result<Vec<(usize, DfaStateId)>, LimitReached> {
        let mut state = Some(self.dfa.start(self.lexer, mode)?);
        let mut ends = Vec::new();
        let mut at = start;
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
        Ok(ends)
    }
}

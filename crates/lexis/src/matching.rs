//! How the lexer reads the texts of one token rule: character by character, in the rule's own mode.

use gramercy_base::LimitReached;
use gramercy_grammar::{ModeId, RuleId};
use gramercy_regular::CharSet;

use crate::alphabet::{self, Alphabet};
use crate::automaton::Lexer;
use crate::dfa::{Dfa, DfaStateId};

/// Reads texts of one token rule.
#[derive(Debug)]
pub struct Matching<'m> {
    pub(crate) lexer: &'m Lexer,
    pub(crate) dfa: &'m mut Dfa,
    pub(crate) alphabet: &'m Alphabet,
    pub(crate) rule: RuleId,
    pub(crate) mode: ModeId,
}

impl Matching<'_> {
    /// The state in front of a text.
    ///
    /// # Errors
    /// If the limit on states is reached, here and below.
    pub fn start(&mut self) -> Result<DfaStateId, LimitReached> {
        self.dfa.start(self.lexer, self.mode)
    }

    /// The state after one more character; `None` if no rule goes on.
    ///
    /// # Errors
    /// As [`Matching::start`].
    pub fn step(&mut self, from: DfaStateId, c: char) -> Result<Option<DfaStateId>, LimitReached> {
        self.dfa.step_char(self.lexer, from, c)
    }

    /// The state after a text; `None` if no rule goes so far.
    ///
    /// # Errors
    /// As [`Matching::start`].
    pub fn behind(&mut self, text: &str) -> Result<Option<DfaStateId>, LimitReached> {
        let mut state = self.start()?;
        for c in text.chars() {
            match self.step(state, c)? {
                Some(next) => state = next,
                None => return Ok(None),
            }
        }
        Ok(Some(state))
    }

    /// Whether the rule can win with a text that leads to a state: where the input ends, or unless that is
    /// needed, where something follows that ends the match.
    ///
    /// # Errors
    /// As [`Matching::start`].
    pub fn can_win(&mut self, state: DfaStateId, at_end: bool) -> Result<bool, LimitReached> {
        let wins = self.wins(state);
        let wins_at_end = match self.dfa.step_eof(self.lexer, state)? {
            Some(end) if self.dfa.winner(end).is_some() => self.wins(end),
            _ => wins,
        };
        Ok(wins_at_end || wins && !at_end && self.can_end(state)?)
    }

    fn wins(&self, state: DfaStateId) -> bool {
        let winner = self.dfa.winner(state);
        winner.is_some_and(|outcome| self.dfa.outcome(outcome).rule == self.rule)
    }

    /// Whether some ASCII character after a state ends the match.
    ///
    /// # Errors
    /// As [`Matching::start`].
    pub fn can_end(&mut self, state: DfaStateId) -> Result<bool, LimitReached> {
        for c in (0..128_u8).map(char::from) {
            if self.step(state, c)?.is_none() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A character of a set for each class that the lexer tells apart, the most pleasant that may be used,
    /// with its cost; the cheapest first.
    #[must_use]
    pub fn characters(&self, set: &CharSet) -> Vec<(char, u64)> {
        let of_class = |(_, class): (_, &CharSet)| {
            let members = class.intersection(set);
            alphabet::best(&members, self.alphabet)
        };
        let picks = self.lexer.classes.iter().filter_map(of_class);
        let mut found: Vec<_> = picks.map(|pick| (pick.c, pick.cost())).collect();
        found.sort_unstable_by_key(|&(c, cost)| (cost, c));
        found
    }
}

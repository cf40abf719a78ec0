//! Which tokens the lexer can make in its modes, whatever the lexemes: decided before anything is written.

use std::sync::Arc;

use gramercy_base::{IdSet, IndexSet, LimitReached, Map, Table};
use gramercy_grammar::{ModeId, TerminalId, TerminalKind};

use super::super::{LexemePart, Modes, Unwritable, Writable};
use super::LexedWriter;
use crate::dfa::OutcomeId;
use crate::inventory::who_makes_what;
use crate::reach::{Begun, Possible, reach};
use crate::stacks::{StackId, Stacks};

/// Stacks that a lexer may be in at once.
const MAX_STACKS: usize = 8;

/// The stacks that a lexer may be in, and whether these are all.
pub(super) type ModeSet = (Box<[StackId]>, bool);

#[derive(Clone, Debug)]
pub(super) struct ModeSets {
    pub(super) sets: IndexSet<ModeSet>,
    answers: Map<(Modes, TerminalId), Writable>,
    pub(super) parts: Map<(Modes, Option<TerminalId>), Arc<[LexemePart]>>,
}

impl Default for ModeSets {
    fn default() -> Self {
        let initial: ModeSet = ([Stacks::initial()].into(), true);
        Self {
            sets: IndexSet::from_iter([initial]),
            answers: Map::default(),
            parts: Map::default(),
        }
    }
}

impl LexedWriter<'_> {
    /// The first token that no text has after those before it, whatever their lexemes.
    pub(super) fn impossible(&mut self, tokens: &[TerminalId]) -> Option<Unwritable> {
        let mut modes = Modes::ONLY;
        for (token_index, &token) in tokens.iter().enumerate() {
            match self.can_write(modes, token) {
                Writable::Yes(behind) => modes = behind,
                Writable::Impossible(obstacle) => {
                    return Some(Unwritable { token_index, obstacle });
                }
                Writable::Unknown => return None,
            }
        }
        None
    }

    pub(in crate::write) fn can_write(&mut self, modes: Modes, token: TerminalId) -> Writable {
        if let Some(known) = self.modes.answers.get(&(modes, token)) {
            return known.clone();
        }
        let answer = self.decide(modes, token).unwrap_or(Writable::Unknown);
        self.modes.answers.insert((modes, token), answer.clone());
        answer
    }

    pub(in crate::write) fn current(&self, modes: Modes) -> Vec<ModeId> {
        let (stacks, _) = &self.modes.sets[modes.0 as usize];
        stacks.iter().map(|&stack| self.stacks.mode(stack)).collect()
    }

    fn decide(&mut self, modes: Modes, token: TerminalId) -> Result<Writable, LimitReached> {
        let (stacks, all) = self.modes.sets[modes.0 as usize].clone();
        let mut next = IndexSet::default();
        let mut complete = all;
        for &stack in &stacks {
            let here = self.here(stack)?;
            complete &= here.ways.complete;
            for (_, routes) in here.ways.routes.iter().filter(|(of, _)| self.is_meant(token, **of))
            {
                next.extend(routes.iter().map(|route| route.next));
            }
        }
        if next.is_empty() {
            let mode = self.stacks.mode(stacks[0]);
            return match complete || (all && self.is_unreachable(&stacks, token)?) {
                true => Ok(Writable::Impossible(self.not_possible(token, mode))),
                false => Ok(Writable::Unknown),
            };
        }
        next.sort_unstable();
        complete &= next.len() <= MAX_STACKS;
        next.truncate(MAX_STACKS);
        let (index, _) = self.modes.sets.insert_full((next.into_iter().collect(), complete));
        Ok(Writable::Yes(Modes(u32::try_from(index).expect("invariant: sets are bounded"))))
    }

    /// Whether `concrete` is a token that a terminal stands for.
    pub(super) fn is_meant(&self, terminal: TerminalId, concrete: TerminalId) -> bool {
        match &self.grammar.terminals()[terminal].kind {
            TerminalKind::AnyTokenBut(not) => !not.contains(&concrete),
            _ => terminal == concrete,
        }
    }

    /// Whether no hidden matches whatever lead from any of these stacks to a token.
    fn is_unreachable(
        &mut self,
        stacks: &[StackId],
        token: TerminalId,
    ) -> Result<bool, LimitReached> {
        let Some(outcomes) = self.outcomes()? else { return Ok(false) };
        let possible = self.possible(&outcomes);
        Ok(stacks.iter().all(|&stack| {
            let hidden = |effect: &crate::effect::Effect, begun: Begun| {
                effect.visible_token(begun.channel()).is_none()
            };
            let reached = reach(&self.stacks.modes(stack), &possible, hidden);
            reached.iter().all(|(mode, begun)| {
                let made = possible[*mode].iter();
                made.filter_map(|(_, effect)| effect.visible_token(begun.channel()))
                    .all(|made| !self.is_meant(token, made))
            })
        }))
    }

    /// What can win in each mode; `None` if not all of it was found.
    fn outcomes(&mut self) -> Result<Option<Table<ModeId, Vec<OutcomeId>>>, LimitReached> {
        let mut outcomes = Table::with_capacity(self.lexer.modes.len());
        for mode in self.lexer.modes.ids() {
            let explored = &self.book.mode(&self.lexer, &mut self.dfa, mode)?.explored;
            if !explored.all_found {
                return Ok(None);
            }
            outcomes.push(explored.outcomes().collect());
        }
        Ok(Some(outcomes))
    }

    fn possible(&self, outcomes: &Table<ModeId, Vec<OutcomeId>>) -> Possible<'_> {
        outcomes.map(|_, of_mode| {
            of_mode.iter().map(|&outcome| (outcome, &self.dfa.outcome(outcome).effect)).collect()
        })
    }

    pub(in crate::write) fn never_made(&mut self) -> Result<IdSet<TerminalId>, LimitReached> {
        let (grammar, terminals) = (self.grammar, self.grammar.terminals());
        let mut never = IdSet::new(grammar.syntax_terminals());
        let Some(outcomes) = self.outcomes()? else { return Ok(never) };
        let (_, made_in) = who_makes_what(grammar, &self.possible(&outcomes));
        // Given texts may have characters that the alphabet does not allow.
        let is_made =
            |token: TerminalId| !made_in[token].is_empty() || self.pools.contains_key(&token);
        for terminal in terminals.ids().take(grammar.syntax_terminals()) {
            let is_possible = match &terminals[terminal].kind {
                TerminalKind::Token { .. } => is_made(terminal),
                TerminalKind::AnyTokenBut(not) => {
                    terminals.ids().any(|token| !not.contains(&token) && is_made(token))
                }
                _ => true,
            };
            if !is_possible {
                never.insert(terminal);
            }
        }
        Ok(never)
    }
}

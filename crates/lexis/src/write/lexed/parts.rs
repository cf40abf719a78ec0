//! Which rules match something of what is written for a token: all of it, a part that `more` keeps, or a
//! text before it that the parser does not see.
//!
//! Found along the routes to the token and the hidden ways back to the same modes: their own pieces, and
//! what can be matched between two of them and changes nothing. What stands beside a match is taken as
//! short as possible. Cost: the routes times what can be matched along them; kept for each modes and token.

use std::ops::Range;
use std::sync::Arc;

use gramercy_base::{IndexMap, LimitReached};
use gramercy_grammar::{RuleId, TerminalId};

use super::super::{LexemePart, Modes};
use super::LexedWriter;
use crate::explore::When;
use crate::lexemes::ModeOutcomeId;
use crate::reach::Begun;
use crate::routes::Last;
use crate::stacks::StackId;

/// The first part that was found of each rule, hidden and not.
type Parts = IndexMap<(RuleId, bool), LexemePart>;

impl LexedWriter<'_> {
    pub(in crate::write) fn parts(
        &mut self,
        modes: Modes,
        token: Option<TerminalId>,
    ) -> Result<Arc<[LexemePart]>, LimitReached> {
        if let Some(known) = self.modes.parts.get(&(modes, token)) {
            return Ok(Arc::clone(known));
        }
        let mut parts = Parts::default();
        let (stacks, _) = self.modes.sets[modes.0 as usize].clone();
        for stack in stacks {
            let here = self.here(stack)?;
            let is_meant = |of| token.is_some_and(|token| self.is_meant(token, of));
            let meant = here.ways.routes.iter().filter(|(of, _)| is_meant(**of));
            let routes: Vec<_> = meant.flat_map(|(_, routes)| routes).collect();
            if token.is_some() && routes.is_empty() {
                continue;
            }
            for route in routes {
                let Last::ModeOutcome(last) = route.last else { continue };
                let pieces: Vec<ModeOutcomeId> = route.lead.iter().copied().chain([last]).collect();
                let hidden = route.hidden;
                // The writer puts these before the token, so each can be put there once more.
                for at in 0..hidden {
                    self.note((&pieces, at..at + 1), at, true, &mut parts);
                }
                self.along(stack, &pieces, hidden..pieces.len(), false, &mut parts)?;
            }
            for pieces in &here.ways.cycles {
                self.along(stack, pieces, 0..pieces.len(), true, &mut parts)?;
            }
        }
        let parts: Arc<[LexemePart]> = parts.into_values().collect();
        self.modes.parts.insert((modes, token), Arc::clone(&parts));
        Ok(parts)
    }

    /// Notes the pieces of a range, from a stack before the first piece on, and what can be between them.
    fn along(
        &mut self,
        mut stack: StackId,
        pieces: &[ModeOutcomeId],
        range: Range<usize>,
        is_hidden: bool,
        parts: &mut Parts,
    ) -> Result<(), LimitReached> {
        let mut begun = Begun::Nothing;
        for (at, &piece) in pieces.iter().enumerate() {
            if at > range.start {
                for between in self.changing_nothing(stack, begun)? {
                    let with: Vec<ModeOutcomeId> =
                        [&pieces[..at], &[between], &pieces[at..]].concat();
                    self.note((&with, range.start..range.end + 1), at, is_hidden, parts);
                }
            }
            if at >= range.start {
                self.note((pieces, range.clone()), at, is_hidden, parts);
            }
            let effect = &self.dfa.outcome(self.book.pieces[piece].outcome).effect;
            let Some(next) = self.stacks.after(stack, effect) else { break };
            (stack, begun) = (next, begun.after(effect));
        }
        Ok(())
    }

    /// Notes the part that the rule of a piece has in what a range of pieces is the text of.
    fn note(
        &self,
        (pieces, range): (&[ModeOutcomeId], Range<usize>),
        at: usize,
        is_hidden: bool,
        parts: &mut Parts,
    ) {
        let rule = self.dfa.outcome(self.book.pieces[pieces[at]].outcome).rule;
        let text = |pieces: &[ModeOutcomeId]| -> Box<str> {
            let shortest =
                |&piece: &ModeOutcomeId| &*self.book.lexemes[self.book.pieces[piece].shortest].text;
            pieces.iter().map(shortest).collect()
        };
        parts.entry((rule, is_hidden)).or_insert_with(|| {
            let (before, after) =
                (text(&pieces[range.start..at]), text(&pieces[at + 1..range.end]));
            LexemePart { rule, is_hidden, before, after }
        });
    }

    /// The pieces after which the lexer is where it was before.
    fn changing_nothing(
        &mut self,
        stack: StackId,
        begun: Begun,
    ) -> Result<Vec<ModeOutcomeId>, LimitReached> {
        let mode = self.stacks.mode(stack);
        let mut pieces = self.book.mode(&self.lexer, &mut self.dfa, mode)?.pieces.clone();
        pieces.retain(|&piece| {
            let effect = &self.dfa.outcome(self.book.pieces[piece].outcome).effect;
            let when = self.book.lexemes[self.book.pieces[piece].shortest].when;
            effect.visible_token(begun.channel()).is_none()
                && when == When::Anywhere
                && begun.after(effect) == begun
                && self.stacks.after(stack, effect) == Some(stack)
        });
        Ok(pieces)
    }
}

//! What the lexer can make where, for searches that choose tokens from left to right.

use std::sync::{Mutex, MutexGuard, PoisonError};

use gramercy_analysis::{First, Nullable, Productive};
use gramercy_base::{IdSet, Map};
use gramercy_grammar::{Bnf, NonterminalId, RuleId, Symbol, TerminalId};
use gramercy_language::Language;
use gramercy_lexis::Obstacle::NoSeparator;
use gramercy_lexis::{Choice, LexemePart, Modes, Unwritable, Writable, Writer};

use super::skeleton::{Item, Skeleton};
use crate::obstacle::Inseparable;

/// Knows which tokens the lexer can make where. Shared by all who search, which is rare.
#[derive(Debug)]
pub struct Guide<'g> {
    knowledge: Mutex<Knowledge<'g>>,
    bnf: &'g Bnf,
    nullable: Nullable,
    first: First,
    never: Option<Never>,
}

/// The tokens that no text has, and what derives anything without them.
pub(super) type Never = (IdSet<TerminalId>, Productive);

/// What was asked before.
#[derive(Debug)]
pub(super) struct Knowledge<'g> {
    pub(super) writer: Writer<'g>,
    /// Whether a nonterminal can begin with a token that can be made.
    begins: Map<(NonterminalId, Modes), bool>,
    /// Whether two tokens are inseparable at the beginning of a text.
    inseparable: Map<Inseparable, bool>,
}

impl<'g> Guide<'g> {
    /// Knows what a writer knows, and which tokens no text has, if there are any.
    #[must_use]
    pub fn new(language: &'g Language, writer: Writer<'g>, never: Option<Never>) -> Self {
        let nullable = Nullable::of(language.bnf());
        let first = First::of(language.bnf(), language.productive(), &nullable);
        let knowledge =
            Mutex::new(Knowledge { writer, begins: Map::default(), inseparable: Map::default() });
        Self { knowledge, bnf: language.bnf(), nullable, first, never }
    }

    /// Whether some of these tokens are in no text.
    pub fn are_hopeless(&self, tokens: &[TerminalId]) -> bool {
        let never = self.never.as_ref();
        never.is_some_and(|(never, _)| tokens.iter().any(|&token| never.contains(token)))
    }

    /// Whether no text has a tree with all that is fixed.
    pub fn is_hopeless(&self, skeleton: &Skeleton) -> bool {
        let Some((never, productive)) = &self.never else { return false };
        skeleton.items().iter().any(|item| match *item {
            Item::Free(Symbol::Terminal(token), _) | Item::Matched(token, _) => {
                never.contains(token)
            }
            Item::Free(Symbol::Nonterminal(id), _) => !productive.contains(id),
            Item::Production(_) | Item::Nothing(_) => false,
        })
    }

    /// What some rule can match of one of some tokens, or before it, or where they end.
    pub fn part(
        &self,
        tokens: &[TerminalId],
        at: usize,
        is_wanted: impl Fn(&LexemePart) -> bool,
    ) -> Option<LexemePart> {
        let knowledge = &mut *self.knowledge();
        let start = knowledge.writer.start_modes();
        let mut before = tokens[..at].iter();
        let modes = before.try_fold(start, |modes, &token| knowledge.behind(modes, token))?;
        let parts = knowledge.writer.parts(modes, tokens.get(at).copied());
        parts.iter().find(|part| is_wanted(part)).cloned()
    }

    /// Shows what rules can match of each of some tokens and before it, and then where they end; as far as
    /// the tokens can be made.
    pub fn parts_along(&self, tokens: &[TerminalId], mut show: impl FnMut(usize, &[LexemePart])) {
        let knowledge = &mut *self.knowledge();
        let mut modes = knowledge.writer.start_modes();
        for (at, &token) in tokens.iter().enumerate() {
            let Some(behind) = knowledge.behind(modes, token) else { return };
            show(at, &knowledge.writer.parts(modes, Some(token)));
            modes = behind;
        }
        show(tokens.len(), &knowledge.writer.parts(modes, None));
    }

    /// The neighbours among some tokens that nothing separates at the beginning of a text, or else the first that
    /// nothing separates where they stand.
    pub fn inseparable(&self, tokens: &[TerminalId]) -> Vec<Inseparable> {
        let knowledge = &mut *self.knowledge();
        let pairs = tokens.windows(2).map(|pair| (pair[0], pair[1]));
        let found: Vec<_> = pairs.filter(|&pair| knowledge.is_inseparable(pair)).collect();
        match found.is_empty() {
            true => Vec::from_iter(knowledge.not_separated(tokens)),
            false => found,
        }
    }

    /// The writer that it asks.
    pub fn writer(&self) -> Writer<'g> {
        self.knowledge().writer.clone()
    }

    /// The modes at the beginning of a text.
    pub fn start_modes(&self) -> Modes {
        self.knowledge().writer.start_modes()
    }

    /// The modes after a token, if it is known to be possible.
    pub fn behind(&self, modes: Modes, token: TerminalId) -> Option<Modes> {
        self.knowledge().behind(modes, token)
    }

    /// Whether the lexer has several modes.
    pub fn has_modes(&self) -> bool {
        let lexicon = self.knowledge().writer.grammar().lexicon();
        lexicon.is_some_and(|lexicon| lexicon.modes.len() > 1)
    }

    pub(super) fn knowledge(&self) -> MutexGuard<'_, Knowledge<'g>> {
        self.knowledge.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether symbols can begin with a token that can be made, or be nothing.
    pub(super) fn can_begin(
        &self,
        symbols: &[Symbol],
        modes: Modes,
        knowledge: &mut Knowledge<'_>,
    ) -> bool {
        for &symbol in symbols {
            let (begins, vanishes) = match symbol {
                Symbol::Terminal(token) => (knowledge.behind(modes, token).is_some(), false),
                Symbol::Nonterminal(id) => {
                    (self.begins(id, modes, knowledge), self.nullable.contains(id))
                }
            };
            if begins || !vanishes {
                return begins;
            }
        }
        true
    }

    fn begins(&self, id: NonterminalId, modes: Modes, knowledge: &mut Knowledge<'_>) -> bool {
        if let Some(&known) = knowledge.begins.get(&(id, modes)) {
            return known;
        }
        let row = self.first.sets().iter_row(id);
        let mut tokens = row.filter_map(|of| of.terminal(self.bnf));
        let begins = tokens.any(|token| knowledge.behind(modes, token).is_some());
        knowledge.begins.insert((id, modes), begins);
        begins
    }
}

impl Knowledge<'_> {
    /// The modes after a token, if a rule can match something of it or before it.
    pub(super) fn behind_match(
        &mut self,
        modes: Modes,
        token: TerminalId,
        rule: RuleId,
    ) -> Option<Modes> {
        let parts = self.writer.parts(modes, Some(token));
        let behind = self.behind(modes, token)?;
        parts.iter().any(|part| part.rule == rule).then_some(behind)
    }

    fn is_inseparable(&mut self, pair: Inseparable) -> bool {
        if let Some(&known) = self.inseparable.get(&pair) {
            return known;
        }
        let is_inseparable = self.not_separated(&[pair.0, pair.1]).is_some();
        self.inseparable.insert(pair, is_inseparable);
        is_inseparable
    }

    /// The neighbours that stand in the way of writing some tokens, because nothing separates them.
    fn not_separated(&mut self, tokens: &[TerminalId]) -> Option<Inseparable> {
        match self.writer.write(tokens, &Choice::default()) {
            Err(Unwritable { obstacle: NoSeparator { left, right, .. }, .. }) => {
                Some((left?, right?))
            }
            _ => None,
        }
    }

    /// The modes after a token, if it is known to be possible.
    pub(super) fn behind(&mut self, modes: Modes, token: TerminalId) -> Option<Modes> {
        match self.writer.can_write(modes, token) {
            Writable::Yes(behind) => Some(behind),
            Writable::Impossible(_) | Writable::Unknown => None,
        }
    }
}

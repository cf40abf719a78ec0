//! Where a text can stand after what a symbol derives, given where it stands before it: with these sets a
//! search sees dead ends before it walks into them. Where a text stands is told by the modes of the lexer, and
//! by the last token if some other token must not follow it directly ([`Position`]).
//!
//! For a nonterminal at some level below what is fixed, they are the union over its productions,
//! each one level deeper; from [`MAX_LEVEL`] on, and when too many are kept, only the cheapest tree
//! counts. So the recursion is as deep as there are levels, and everything that is said can be reached.
//! A set is found once for each nonterminal, level and modes before it; a search that needs too many is
//! made with nothing known beforehand, so that it hangs on no other.

use std::ops::Range;

use gramercy_base::Map;
use gramercy_grammar::{NonterminalId, RuleId, Symbol, TerminalId};
use gramercy_language::Language;

use super::guide::{Guide, Knowledge};
use super::inseparable::{InseparablePairs, Position};
use crate::candidate::Candidate;
use crate::cheapest::CheapestTrees;

/// How deep below what is fixed there is a choice.
pub(super) const MAX_LEVEL: u32 = 10;
/// How many sets are kept at most.
const MAX_SETS: usize = 1 << 18;

/// The sets that are known, for one table of cheapest trees.
#[derive(Debug)]
pub struct Exits {
    known: Map<(NonterminalId, u32, Position), Range<usize>>,
    sets: Vec<Position>,
    most: usize,
}

impl Default for Exits {
    fn default() -> Self {
        Self::with_room(MAX_SETS)
    }
}

impl Exits {
    /// Keeps at most a number of them.
    pub(super) fn with_room(most: usize) -> Self {
        Self { known: Map::default(), sets: Vec::new(), most }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Whether some sets may lack what is not by the cheapest tree.
    pub(super) fn is_full(&self) -> bool {
        self.known.len() >= self.most
    }

    /// Forgets all sets.
    pub fn clear(&mut self) {
        self.known.clear();
        self.sets.clear();
    }
}

/// The reader that looks ahead.
pub(super) struct Lookout<'l, 'g> {
    pub(super) language: &'l Language,
    pub(super) guide: &'l Guide<'g>,
    pub(super) cheapest: &'l CheapestTrees<'l>,
    pub(super) knowledge: &'l mut Knowledge<'g>,
    pub(super) exits: &'l mut Exits,
    pub(super) inseparable: &'l InseparablePairs,
}

impl Lookout<'_, '_> {
    /// Where the text can stand after a token, if the token can follow there.
    pub(super) fn step(&mut self, from: Position, token: TerminalId) -> Option<Position> {
        self.inseparable.step(from, token, self.knowledge.behind(from.modes, token)?)
    }

    /// Where the text can stand after a token where a rule matches something.
    pub(super) fn step_match(
        &mut self,
        from: Position,
        token: TerminalId,
        rule: RuleId,
    ) -> Option<Position> {
        let behind = self.knowledge.behind_match(from.modes, token, rule)?;
        self.inseparable.step(from, token, behind)
    }

    /// Where the text can stand after a symbol, if it stands at some of `before` in front of it.
    pub(super) fn behind(
        &mut self,
        symbol: Symbol,
        level: u32,
        before: &[Position],
    ) -> Vec<Position> {
        let mut behind = Vec::new();
        for &from in before {
            match symbol {
                Symbol::Terminal(token) => behind.extend(self.step(from, token)),
                Symbol::Nonterminal(id) => {
                    let exits = self.exits_of(id, level, from);
                    behind.extend_from_slice(&self.exits.sets[exits]);
                }
            }
        }
        behind.sort_unstable();
        behind.dedup();
        behind
    }

    /// Like [`Self::behind`], for a token where a rule matches something.
    pub(super) fn behind_match(
        &mut self,
        token: TerminalId,
        rule: RuleId,
        before: &[Position],
    ) -> Vec<Position> {
        let step = |&from: &Position| self.step_match(from, token, rule);
        let mut behind: Vec<Position> = before.iter().filter_map(step).collect();
        behind.sort_unstable();
        behind.dedup();
        behind
    }

    fn exits_of(&mut self, id: NonterminalId, level: u32, from: Position) -> Range<usize> {
        let key = (id, level.min(MAX_LEVEL), from);
        if let Some(known) = self.exits.known.get(&key) {
            return known.clone();
        }
        let mut exits = Vec::new();
        if level >= MAX_LEVEL || self.exits.is_full() {
            exits.extend(self.behind_cheapest(id, from, &mut Candidate::default()));
        } else {
            let cfg = self.cheapest.cfg();
            for &production in cfg.productions_of(id) {
                let rhs = cfg.rhs(production);
                if self.language.productive().has_production(production)
                    && self.guide.can_begin(rhs, from.modes, self.knowledge)
                {
                    let one_deeper = |before: Vec<Position>, &symbol: &Symbol| {
                        self.behind(symbol, level + 1, &before)
                    };
                    exits.extend(rhs.iter().fold(vec![from], one_deeper));
                }
            }
            exits.sort_unstable();
            exits.dedup();
        }
        let first = self.exits.sets.len();
        self.exits.sets.append(&mut exits);
        let exits = first..self.exits.sets.len();
        self.exits.known.insert(key, exits.clone());
        exits
    }

    /// Appends the cheapest tree of a nonterminal; where the text stands after it, if the lexer can make its
    /// tokens.
    pub(super) fn behind_cheapest(
        &mut self,
        id: NonterminalId,
        from: Position,
        candidate: &mut Candidate,
    ) -> Option<Position> {
        let first = candidate.tokens.len();
        self.cheapest.production(id)?;
        self.cheapest.close(Symbol::Nonterminal(id), candidate);
        let mut tokens = candidate.tokens[first..].iter();
        tokens.try_fold(from, |from, &token| self.step(from, token))
    }
}

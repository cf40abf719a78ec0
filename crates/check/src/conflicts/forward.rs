//! The search for a common end.
//!
//! After the conflict, each reading has a list of symbols to derive. If both lists derive the same
//! string, the input before the conflict followed by this string has two readings. The question is
//! undecidable in general, so the search has a budget. It works on the first symbols of the two
//! lists: equal symbols may be matched, terminals must be; a nonterminal is expanded by each of its
//! productions that is compatible with the first sets of the other list.
//!
//! As in the unifying counterexamples of Isradisaikul, Myers, PLDI 2015, section 5, matched
//! nonterminals are not expanded. Pairs of lists are visited in the order of expansions made and
//! symbols left; each pair and each production that is tried costs a unit of work.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use gramercy_analysis::TerminalOrEnd;
use gramercy_base::{Id, IdSet, Set, Table, bits};
use gramercy_grammar::ProductionId;
use gramercy_lr::{Label, LabelId};

use super::beginnings::Beginnings;
use super::machine::Machine;
use super::work::Work;

gramercy_base::define_id!(struct PairId, "a pair of lists of symbols");

/// A step toward a common end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Move {
    /// The first symbols of both lists are equal.
    Match,
    /// The first symbol of one list is expanded.
    Expand(usize, ProductionId),
}

/// The symbols to derive, in reverse order.
type Lists = [Vec<LabelId>; 2];

struct Pair {
    lists: Lists,
    /// Whether the conflict's token is already read.
    has_read: bool,
    expansions: u64,
    before: Option<(PairId, Move)>,
}

/// A search for a string that two lists derive.
pub(crate) struct Forward<'m> {
    machine: &'m Machine<'m>,
    /// The conflict's token: the first token of the string.
    next: LabelId,
    /// If the second side shifts the token, the symbols that begin with it; before the shift, that
    /// side must not reduce.
    shifting: Option<&'m Beginnings>,
    pairs: Table<PairId, Pair>,
    seen: Set<(Lists, bool)>,
    queue: BinaryHeap<Reverse<(u64, PairId)>>,
}

impl<'m> Forward<'m> {
    pub(crate) fn new(
        machine: &'m Machine<'m>,
        next: LabelId,
        shifting: Option<&'m Beginnings>,
    ) -> Self {
        let (pairs, seen, queue) = (Table::new(), Set::default(), BinaryHeap::new());
        Self { machine, next, shifting, pairs, seen, queue }
    }

    /// The moves to a common end of two lists, if one is found.
    pub(crate) fn common_end(
        mut self,
        lists: [&[LabelId]; 2],
        work: &mut Work,
    ) -> Option<Vec<Move>> {
        let lists = lists.map(|list| list.iter().rev().copied().collect());
        self.push(Pair { lists, has_read: false, expansions: 0, before: None });
        while let Some(Reverse((_, id))) = self.queue.pop() {
            if self.pairs[id].lists.iter().all(Vec::is_empty) && self.pairs[id].has_read {
                return Some(self.moves(id));
            }
            self.try_match(id);
            let tried = self.try_expansions(id);
            if !work.spend(1 + tried) {
                return None;
            }
        }
        None
    }

    fn moves(&self, mut id: PairId) -> Vec<Move> {
        let mut moves = Vec::new();
        while let Some((before, step)) = self.pairs[id].before {
            moves.push(step);
            id = before;
        }
        moves.reverse();
        moves
    }

    fn try_match(&mut self, id: PairId) {
        let Pair { lists, has_read, expansions, .. } = &self.pairs[id];
        let [Some(&first), Some(&second)] = [lists[0].last(), lists[1].last()] else {
            return;
        };
        if first != second || !(*has_read || self.begins(first)) {
            return;
        }
        let mut lists = lists.clone();
        lists.iter_mut().for_each(|list| _ = list.pop());
        let (expansions, before) = (*expansions, Some((id, Move::Match)));
        self.push(Pair { lists, has_read: true, expansions, before });
    }

    /// Whether a common first symbol begins with the conflict's token.
    fn begins(&self, label: LabelId) -> bool {
        match (self.machine.label(label), self.shifting) {
            (Label::Nonterminal(id), Some(beginnings)) => beginnings.contains(id),
            _ => self.machine.can_begin(label, self.next),
        }
    }

    /// Expands the first symbols and returns the number of productions that were tried.
    fn try_expansions(&mut self, id: PairId) -> usize {
        let mut tried = 0;
        for side in 0..2 {
            let Some(&first) = self.pairs[id].lists[side].last() else {
                continue;
            };
            let Label::Nonterminal(first) = self.machine.label(first) else {
                continue;
            };
            let productions = self.machine.cfg.productions_of(first);
            productions.iter().for_each(|&production| self.expand(id, side, production));
            tried += productions.len();
        }
        tried
    }

    fn expand(&mut self, id: PairId, side: usize, production: ProductionId) {
        let Pair { lists, has_read, expansions, .. } = &self.pairs[id];
        let rhs = self.machine.cfg.rhs(production);
        let must_shift = side == 1 && self.shifting.is_some() && !has_read;
        if must_shift && rhs.is_empty() {
            return;
        }
        let mut lists = lists.clone();
        lists[side].pop();
        let labels = self.machine.automaton.labels();
        lists[side].extend(rhs.iter().rev().map(|&symbol| labels.symbol(symbol)));
        let (has_read, expansions) = (*has_read, expansions + 1);
        if self.can_agree(&lists, has_read) {
            let before = Some((id, Move::Expand(side, production)));
            self.push(Pair { lists, has_read, expansions, before });
        }
    }

    /// Whether two lists can derive a common string, judged by their first sets.
    fn can_agree(&self, lists: &Lists, has_read: bool) -> bool {
        let [(first, first_empty), (second, second_empty)] =
            [&lists[0], &lists[1]].map(|list| self.firsts(list));
        if has_read {
            return (first_empty && second_empty)
                || bits::intersects(first.words(), second.words());
        }
        let next = self.machine.automaton.labels().as_input(self.next);
        let next = next.expect("invariant: the conflict is on an input");
        first.contains(next) && second.contains(next)
    }

    /// The first set of a list, and whether it is nullable.
    fn firsts(&self, list: &[LabelId]) -> (IdSet<TerminalOrEnd>, bool) {
        let mut firsts = IdSet::new(TerminalOrEnd::count(self.machine.cfg));
        for &label in list.iter().rev() {
            match self.machine.label(label) {
                Label::Nonterminal(id) => {
                    firsts.union_with(self.machine.first.sets().row(id));
                }
                Label::Terminal(_) | Label::End => {
                    firsts.insert(TerminalOrEnd::from_index(label.index()));
                }
            }
            if !self.machine.is_nullable(label) {
                return (firsts, false);
            }
        }
        (firsts, true)
    }

    fn push(&mut self, pair: Pair) {
        if self.seen.insert((pair.lists.clone(), pair.has_read)) {
            let left = pair.lists.iter().map(Vec::len).sum::<usize>() as u64;
            let cost = pair.expansions + left;
            let id = self.pairs.push(pair);
            self.queue.push(Reverse((cost, id)));
        }
    }
}

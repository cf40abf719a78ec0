//! No sentence goes on like this after the same beginning: the path-sensitive analysis of Rossouw and Fischer (JSS
//! 2024, section 6.1.1).
//!
//! The *left frontier* of a place is the set of vertices of the LR-graph at the ends of all valid paths that read
//! what is before the place. `F(q)` is the set of tokens that label the next terminal push edge after `q`, with any
//! reductions in between; a pop edge leads to all its targets, whatever lies on the stack, so `F` says more than can
//! really come. Let `E(u)` be the union of `F` over the left frontier of `u`. After the beginning `u`, putting in
//! `d` before `b` leaves the language if `d` is not in `E(u)` or `b` is not in `E(u d)`; deleting leaves it if what
//! comes next is not in `E(u)`. `F` and `E` hold the end `$` too.
//!
//! Example: Figure 1(a) there, `D: "[" D "]" D | ;` and the word `[]`. At its end the frontier is the states after
//! `]` and after the two places where `D` is complete, and `E` is all of `[`, `]` and `$`. So inserting `]` at the
//! end passes as possible, though `[]]` is no sentence: the exact check finds it.
//!
//! Over LR(0) states `F` can hold neighbours that no sentence has, so what [`Pairs`] finds is added.
//!
//! Cost: the frontier of each place, and of each token that can come there.

use gramercy_base::{IdSet, Table};
use gramercy_grammar::TerminalId;
use gramercy_lr::{Label, LrGraph, StateId};
use gramercy_parse::Parser;
use gramercy_parse::tables::InputId;

use super::Check;
use crate::check::pairs::Pairs;
use crate::reader::Reader;
use crate::vocabulary::{Vocabulary, inputs_of};

/// The path-sensitive check.
#[derive(Debug)]
pub struct Prefix<'r> {
    vocabulary: Vocabulary,
    pairs: Pairs,
    reader: Reader<'r>,
    follow: Table<StateId, Follow>,
    base: Vec<TerminalId>,
    inputs: Vec<InputId>,
}

/// The tokens on the next terminal push edge, and whether that can be the end.
pub type Follow = (IdSet<TerminalId>, bool);

impl<'r> Prefix<'r> {
    /// A check that reads with `reader`.
    #[must_use]
    pub fn new(vocabulary: Vocabulary, pairs: Pairs, reader: Reader<'r>) -> Self {
        let mut follow = follow_sets(reader.parser());
        for state in follow.ids() {
            vocabulary.expand(&mut follow[state].0);
        }
        Self { vocabulary, pairs, reader, follow, base: Vec::new(), inputs: Vec::new() }
    }

    /// What can come after what was read, as far as this check knows.
    fn possible(&mut self) -> Follow {
        let mut all = (IdSet::new(self.reader.parser().cfg().terminal_count()), false);
        for state in self.reader.viable_states() {
            let (tokens, end) = &self.follow[state];
            all.0.union_with(tokens.words());
            all.1 |= end;
        }
        all
    }

    fn has(possible: &Follow, token: Option<TerminalId>) -> bool {
        match token {
            Some(token) => possible.0.contains(token),
            None => possible.1,
        }
    }

    /// The tokens whose change into them at a place, with `next` after, is not possible.
    fn misfits(
        &mut self,
        place: usize,
        next: Option<TerminalId>,
        negative: &mut IdSet<TerminalId>,
    ) {
        assert!(self.reader.go_to(place), "invariant: the base is a sentence");
        let possible = self.possible();
        let here = self.reader.checkpoint();
        let all: Vec<TerminalId> = self.vocabulary.all().iter().collect();
        for token in all {
            let is_possible = possible.0.contains(token) && {
                self.reader.resume(&here);
                let input = self.reader.parser().input_of_token(token);
                self.reader.read([input]).is_none() && Self::has(&self.possible(), next)
            };
            if !is_possible {
                negative.insert(token);
            }
        }
        self.reader.resume(&here);
    }
}

impl Check for Prefix<'_> {
    fn begin(&mut self, tokens: &[TerminalId]) {
        self.pairs.begin(tokens);
        self.base.clear();
        self.base.extend_from_slice(tokens);
        inputs_of(self.reader.parser(), tokens, &mut self.inputs);
        self.reader.begin(&self.inputs);
    }

    fn insertions(&mut self, place: usize, negative: &mut IdSet<TerminalId>) {
        self.pairs.insertions(place, negative);
        let next = self.base.get(place).copied();
        self.misfits(place, next, negative);
    }

    fn substitutions(&mut self, place: usize, negative: &mut IdSet<TerminalId>) {
        self.pairs.substitutions(place, negative);
        let next = self.base.get(place + 1).copied();
        self.misfits(place, next, negative);
        negative.remove(self.base[place]);
    }

    fn is_negative(&mut self, place: usize, removed: usize, inserted: &[TerminalId]) -> bool {
        if self.pairs.is_negative(place, removed, inserted) {
            return true;
        }
        if inserted.is_empty() && removed == 0 {
            return false;
        }
        let next = self.base.get(place + removed).copied();
        assert!(self.reader.go_to(place), "invariant: the base is a sentence");
        for &token in inserted {
            let input = self.reader.parser().input_of_token(token);
            if self.reader.read([input]).is_some() {
                return true;
            }
        }
        !Self::has(&self.possible(), next)
    }
}

/// `F(q)` for every state: a fixpoint along reductions.
#[must_use]
pub fn follow_sets(parser: &Parser) -> Table<StateId, Follow> {
    let (cfg, automaton) = (parser.cfg(), parser.automaton());
    let labels = automaton.labels();
    let nothing = (IdSet::new(cfg.terminal_count()), false);
    let mut follow = Table::filled(nothing, automaton.state_count());
    for state in automaton.states() {
        for step in automaton.transitions(state) {
            match labels.label(step.label) {
                Label::Terminal(terminal) => _ = follow[state].0.insert(terminal),
                Label::End => follow[state].1 = true,
                Label::Nonterminal(_) => {}
            }
        }
    }
    // A reduction leads from the source of a pop edge to where its left-hand side is pushed.
    let graph = LrGraph::new(cfg, automaton);
    let goto = |state, production| automaton.step(state, labels.nonterminal(cfg.lhs(production)));
    let reductions = graph.pop_edges().filter_map(|edge| {
        let target = goto(edge.target, edge.production)?;
        (target != edge.source).then_some((edge.source, target))
    });
    let mut reductions: Vec<(StateId, StateId)> = reductions.collect();
    reductions.sort_unstable();
    reductions.dedup();
    loop {
        let mut has_changed = false;
        for &(from, to) in reductions.iter().rev() {
            let (tokens, end) = follow[to].clone();
            has_changed |= follow[from].0.union_with(tokens.words()) | (end & !follow[from].1);
            follow[from].1 |= end;
        }
        if !has_changed {
            return follow;
        }
    }
}

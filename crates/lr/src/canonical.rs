//! Canonical LR(1): item sets with lookaheads (Knuth, Information and Control 1965).
//!
//! A kernel is a sorted list of items with one set of lookaheads each. Its closure is computed over
//! *nonterminals*: every production A → B γ is an edge from A to B that generates first(γ) and, if
//! γ is nullable, passes on the lookaheads of A. One set per nonterminal grows by a worklist until
//! nothing is new; the items with the dot at the left follow from the nonterminals. Sets are
//! interned, so kernels are compared by small ids.
//!
//! Example: `S: C C; C: c C | d;`. In the initial state, C comes from S → • C C and has the
//! lookaheads first(C) = {c, d}; after the first C, it comes from S → C • C and has {$}. Therefore
//! the states after c, after d and after c C exist twice: 11 states, where LR(0) has 8.
//!
//! An item with empty lookaheads, because the symbols after it derive nothing, is kept. So merging
//! the states by their items always gives exactly the states of LR(0).

use gramercy_analysis::{Rows, TerminalOrEnd};
use gramercy_base::{BitMatrix, LimitReached, Limits, Table, bits};
use gramercy_grammar::{Cfg, NonterminalId};

use crate::Facts;
use crate::automaton::{Automaton, Construction, KernelItem};
use crate::collection::{Bounds, Closed, Closure, Collection, collect};
use crate::contexts::{LookaheadContext, LookaheadContexts, Sets};
use crate::intern::Interner;
use crate::items::Items;

/// The canonical LR(1) automaton of a grammar.
///
/// # Errors
/// If it has more states than the limits allow.
pub fn build(cfg: &Cfg, facts: &Facts<'_>, limits: &Limits) -> Result<Automaton, LimitReached> {
    let items = Items::of(cfg);
    let mut closure = Lr1Closure::new(cfg, facts, &items);
    let start = Some(closure.contexts.nothing);
    let bounds = Bounds::new(start, "states of the LR(1) automaton", limits);
    let Collection { kernels, transitions, reductions } =
        collect(cfg, &items, &mut closure, &bounds)?;
    let (construction, lookaheads) = (Construction::Canonical, closure.sets.into_rows());
    Ok(Automaton { construction, items, kernels, transitions, reductions, lookaheads })
}

struct Lr1Closure {
    sets: Sets,
    contexts: LookaheadContexts,
    /// For each nonterminal, the contexts of the nonterminals at the left of its productions.
    begins: Rows<NonterminalId, LookaheadContext>,
    grown: NonterminalLookaheads,
}

impl Lr1Closure {
    fn new(cfg: &Cfg, facts: &Facts<'_>, items: &Items) -> Self {
        let mut sets = Interner::new();
        let contexts = LookaheadContexts::new(cfg, facts, items, &mut sets);
        let mut begins = Rows::new();
        for nonterminal in cfg.nonterminals() {
            let firsts = cfg.productions_of(nonterminal).iter().map(|&id| items.first(id));
            let of_all = firsts.filter_map(|item| contexts.after_dot(item)).collect();
            begins.push(merged(of_all, &mut sets));
        }
        Self { sets, contexts, begins, grown: NonterminalLookaheads::new(cfg) }
    }
}

/// Merges the contexts of the same nonterminal.
fn merged(mut contexts: Vec<LookaheadContext>, sets: &mut Sets) -> Vec<LookaheadContext> {
    contexts.sort_by_key(|context| context.of);
    let groups = contexts.chunk_by(|a, b| a.of == b.of);
    groups
        .map(|group| {
            let mut generates = sets.row(group[0].generates).to_vec();
            for context in group {
                bits::union(&mut generates, sets.row(context.generates));
            }
            let passes = group.iter().any(|context| context.passes);
            LookaheadContext { of: group[0].of, generates: sets.intern(&generates).0, passes }
        })
        .collect()
}

impl Closure for Lr1Closure {
    fn close(&mut self, kernel: &[KernelItem], closed: &mut Vec<Closed>) {
        let Self { sets, contexts, begins, grown } = self;
        for &KernelItem { item, lookaheads } in kernel {
            if let Some(context) = contexts.after_dot(item) {
                let lookaheads = lookaheads.expect("invariant: every item has lookaheads");
                let mut new = grown.sets.union_row(context.of, sets.row(context.generates));
                if context.passes {
                    new |= grown.sets.union_row(context.of, sets.row(lookaheads));
                }
                grown.touch(context.of, new);
            }
        }
        grown.spread(begins, sets);
        for nonterminal in grown.seen.drain(..) {
            let row = grown.sets.row_mut(nonterminal);
            closed.push((nonterminal, Some(sets.intern(row).0)));
            row.fill(0);
            grown.states[nonterminal] = ClosureState::Unseen;
        }
    }
}

/// The lookaheads of the nonterminals in one closure. Scratch memory, empty between closures.
struct NonterminalLookaheads {
    sets: BitMatrix<NonterminalId, TerminalOrEnd>,
    states: Table<NonterminalId, ClosureState>,
    seen: Vec<NonterminalId>,
    work: Vec<NonterminalId>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ClosureState {
    Unseen,
    /// Not expanded yet.
    New,
    /// Expanded, but its set has grown, so it is expanded again.
    Again,
    Done,
}

impl NonterminalLookaheads {
    fn new(cfg: &Cfg) -> Self {
        let count = cfg.nonterminal_count();
        Self {
            sets: BitMatrix::new(count, TerminalOrEnd::count(cfg)),
            states: Table::filled(ClosureState::Unseen, count),
            seen: Vec::new(),
            work: Vec::new(),
        }
    }

    /// Records that a nonterminal is in the closure and whether its set has grown.
    #[inline]
    fn touch(&mut self, nonterminal: NonterminalId, new: bool) {
        let states = &mut self.states[nonterminal];
        match states {
            ClosureState::Unseen => {
                *states = ClosureState::New;
                self.seen.push(nonterminal);
                self.work.push(nonterminal);
            }
            ClosureState::Done if new => {
                *states = ClosureState::Again;
                self.work.push(nonterminal);
            }
            ClosureState::New | ClosureState::Again | ClosureState::Done => {}
        }
    }

    /// Expands nonterminals until no set grows.
    fn spread(&mut self, begins: &Rows<NonterminalId, LookaheadContext>, sets: &Sets) {
        while let Some(nonterminal) = self.work.pop() {
            let first_time = self.states[nonterminal] == ClosureState::New;
            self.states[nonterminal] = ClosureState::Done;
            for context in begins.row(nonterminal) {
                // The generated set is the same each time.
                let mut new =
                    first_time && self.sets.union_row(context.of, sets.row(context.generates));
                if context.passes {
                    new |= self.sets.union_rows(context.of, nonterminal);
                }
                self.touch(context.of, new);
            }
        }
    }
}

//! Canonical LR(1): item sets with look-aheads (Knuth, "On the translation of languages from left
//! to right", 1965).
//!
//! A kernel is a sorted list of items with one set of look-aheads each. Its closure is found over
//! *nonterminals*: every production A → B γ is an edge from A to B that generates first(γ) and,
//! where γ is nullable, lets A's own look-aheads through; one set per nonterminal grows by a
//! worklist until nothing is new, and the items with the dot at the left follow from the
//! nonterminals. Sets are interned, so kernels compare by small ids.
//!
//! An item whose look-aheads are empty, because what would follow it derives nothing, stays: so the
//! states, merged by their items, are always exactly those of LR(0).

use gramercy_analysis::{Rows, TerminalOrEnd};
use gramercy_base::{BitMatrix, LimitReached, Limits, Table, bits};
use gramercy_grammar::{Cfg, NonterminalId};

use crate::Facts;
use crate::automaton::{Automaton, Construction, KernelItem};
use crate::collection::{Closed, Closure, Collection, Plan, collect};
use crate::contexts::{Context, Contexts, Sets};
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
    let plan = Plan::new(start, "states of the LR(1) automaton", limits);
    let Collection { kernels, transitions, reductions } =
        collect(cfg, &items, &mut closure, &plan)?;
    let (construction, lookaheads) = (Construction::Canonical, closure.sets.into_rows());
    Ok(Automaton { construction, items, kernels, transitions, reductions, lookaheads })
}

struct Lr1Closure {
    sets: Sets,
    contexts: Contexts,
    /// For each nonterminal, those with which its productions begin.
    begins: Rows<NonterminalId, Context>,
    grown: Grown,
}

impl Lr1Closure {
    fn new(cfg: &Cfg, facts: &Facts<'_>, items: &Items) -> Self {
        let mut sets = Interner::new();
        let contexts = Contexts::new(cfg, facts, items, &mut sets);
        let mut begins = Rows::new();
        for nonterminal in cfg.nonterminals() {
            let firsts = cfg.productions_of(nonterminal).iter().map(|&id| items.first(id));
            let of_all = firsts.filter_map(|item| contexts.behind_dot(item)).collect();
            begins.push(merged(of_all, &mut sets));
        }
        Self { sets, contexts, begins, grown: Grown::new(cfg) }
    }
}

/// One context for each nonterminal that has several.
fn merged(mut contexts: Vec<Context>, sets: &mut Sets) -> Vec<Context> {
    contexts.sort_by_key(|context| context.of);
    let groups = contexts.chunk_by(|a, b| a.of == b.of);
    groups
        .map(|group| {
            let mut generates = sets.row(group[0].generates).to_vec();
            for context in group {
                bits::union(&mut generates, sets.row(context.generates));
            }
            let passes = group.iter().any(|context| context.passes);
            Context { of: group[0].of, generates: sets.intern(&generates).0, passes }
        })
        .collect()
}

impl Closure for Lr1Closure {
    fn close(&mut self, kernel: &[KernelItem], closed: &mut Vec<Closed>) {
        let Self { sets, contexts, begins, grown } = self;
        for &KernelItem { item, lookaheads } in kernel {
            if let Some(context) = contexts.behind_dot(item) {
                let lookaheads = lookaheads.expect("invariant: every item has look-aheads");
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
            grown.progress[nonterminal] = Progress::Unseen;
        }
    }
}

/// The look-aheads of the nonterminals in one closure. Scratch memory, empty between closures.
struct Grown {
    sets: BitMatrix<NonterminalId, TerminalOrEnd>,
    progress: Table<NonterminalId, Progress>,
    seen: Vec<NonterminalId>,
    work: Vec<NonterminalId>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    Unseen,
    /// To be expanded for the first time.
    New,
    /// Expanded, and to be expanded again because its set grew.
    Again,
    Done,
}

impl Grown {
    fn new(cfg: &Cfg) -> Self {
        let count = cfg.nonterminal_count();
        Self {
            sets: BitMatrix::new(count, TerminalOrEnd::count(cfg)),
            progress: Table::filled(Progress::Unseen, count),
            seen: Vec::new(),
            work: Vec::new(),
        }
    }

    /// Takes note of a nonterminal in the closure whose set may have grown.
    #[inline]
    fn touch(&mut self, nonterminal: NonterminalId, new: bool) {
        let progress = &mut self.progress[nonterminal];
        match progress {
            Progress::Unseen => {
                *progress = Progress::New;
                self.seen.push(nonterminal);
                self.work.push(nonterminal);
            }
            Progress::Done if new => {
                *progress = Progress::Again;
                self.work.push(nonterminal);
            }
            Progress::New | Progress::Again | Progress::Done => {}
        }
    }

    /// Expands nonterminals until no set grows.
    fn spread(&mut self, begins: &Rows<NonterminalId, Context>, sets: &Sets) {
        while let Some(nonterminal) = self.work.pop() {
            let first_time = self.progress[nonterminal] == Progress::New;
            self.progress[nonterminal] = Progress::Done;
            for context in begins.row(nonterminal) {
                // What is generated is the same each time.
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

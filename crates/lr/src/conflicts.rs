//! Where an automaton leaves a choice open. Nothing is resolved: conflicts are data (paper 003 §2).
//!
//! A *cell* is a state with what comes next in the input, a terminal or `$`. It is in shift/reduce
//! conflict if it has a shift (for `$`, acceptance) and a reduction, and in reduce/reduce conflict
//! if it has several reductions. Without look-aheads a reduction fills all cells of its state.
//! Counting takes some words per reduction; cells are listed on request.

use gramercy_analysis::TerminalOrEnd;
use gramercy_base::{Id, IdSet, bits};
use gramercy_grammar::{Cfg, ProductionId};

use crate::automaton::{Automaton, Reduction, StateId};

/// A cell with several actions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The state.
    pub state: StateId,
    /// What comes next in the input.
    pub next: TerminalOrEnd,
    /// The state to which reading it leads, if it can be read.
    pub shift: Option<StateId>,
    /// The productions that can be reduced, in file order.
    pub reductions: Vec<ProductionId>,
}

/// How many conflicts of one kind there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Shift/reduce: cells. Reduce/reduce: reductions beyond the first, summed over cells.
    pub conflicts: usize,
    /// States that have any.
    pub states: usize,
}

impl Count {
    fn add(&mut self, conflicts: usize) {
        self.conflicts += conflicts;
        self.states += usize::from(conflicts > 0);
    }
}

/// How many conflicts an automaton has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ConflictCounts {
    /// Between a shift and reductions.
    pub shift_reduce: Count,
    /// Among reductions.
    pub reduce_reduce: Count,
}

impl ConflictCounts {
    /// The counts of an automaton.
    #[must_use]
    pub fn of(cfg: &Cfg, automaton: &Automaton) -> Self {
        let mut counts = Self::default();
        let cells = Cells::new(cfg, automaton);
        for state in automaton.states().filter(|&state| !automaton.reductions(state).is_empty()) {
            let mut reduced = IdSet::<TerminalOrEnd>::new(cells.count);
            let mut reductions = 0;
            for reduction in automaton.reductions(state) {
                let before = cells.of(reduction);
                reductions += before.iter().map(|word| word.count_ones() as usize).sum::<usize>();
                reduced.union_with(before);
            }
            counts.reduce_reduce.add(reductions - reduced.len());
            reduced.intersect_with(cells.shifted(state).words());
            counts.shift_reduce.add(reduced.len());
        }
        counts
    }
}

/// All cells with several actions, by state, then by what comes next.
pub fn conflicts<'a>(
    cfg: &'a Cfg,
    automaton: &'a Automaton,
) -> impl Iterator<Item = Conflict> + 'a {
    let cells = Cells::new(cfg, automaton);
    automaton.states().flat_map(move |state| cells.conflicts(state))
}

struct Cells<'a> {
    automaton: &'a Automaton,
    count: usize,
    /// All that may come next.
    all: IdSet<TerminalOrEnd>,
}

impl<'a> Cells<'a> {
    fn new(cfg: &Cfg, automaton: &'a Automaton) -> Self {
        let count = TerminalOrEnd::count(cfg);
        Self { automaton, count, all: IdSet::all(count) }
    }

    /// The cells that a reduction fills in its state.
    fn of(&self, reduction: &Reduction) -> &[u64] {
        reduction.lookaheads.map_or(self.all.words(), |id| self.automaton.lookaheads(id))
    }

    /// The cells of a state that have a shift.
    fn shifted(&self, state: StateId) -> IdSet<TerminalOrEnd> {
        let labels = self.automaton.labels();
        let mut shifted = IdSet::new(self.count);
        for next in self.automaton.transitions(state).iter().map_while(|t| labels.as_input(t.label))
        {
            shifted.insert(next);
        }
        shifted
    }

    fn conflicts(&self, state: StateId) -> Vec<Conflict> {
        let mut found = Vec::new();
        if self.automaton.reductions(state).is_empty() {
            return found;
        }
        for next in (0..self.count).map(TerminalOrEnd::from_index) {
            let shift = self.automaton.step(state, self.automaton.labels().input(next));
            let reductions = self.reductions(state, next);
            if reductions.len() + usize::from(shift.is_some()) > 1 {
                found.push(Conflict { state, next, shift, reductions });
            }
        }
        found
    }

    fn reductions(&self, state: StateId, next: TerminalOrEnd) -> Vec<ProductionId> {
        let reductions = self.automaton.reductions(state).iter();
        let fitting = reductions.filter(|it| bits::contains(self.of(it), next.index()));
        fitting.map(|reduction| reduction.production).collect()
    }
}

//! The conflicts of an automaton. They are data; nothing is resolved (Rossouw, Fischer, JSS 2024,
//! section 2).
//!
//! A *cell* is a state with the next input, a terminal or `$`. A cell has a shift/reduce conflict
//! if it has a shift (for `$`, acceptance) and a reduction, and a reduce/reduce conflict if it has
//! several reductions. Without lookaheads, a reduction is in all cells of its state. Counting takes
//! some words per reduction; cells are listed on request.
//!
//! Example: `E: E + E | x;` has one LALR(1) conflict. In the state with E → E + E • and E → E • +
//! E, the cell for + has a shift and a reduction.

use gramercy_analysis::TerminalOrEnd;
use gramercy_base::{Id, IdSet, bits};
use gramercy_grammar::{Cfg, ProductionId};

use crate::automaton::{Automaton, Reduction, StateId};

/// A cell with several actions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The state.
    pub state: StateId,
    /// The next input.
    pub next: TerminalOrEnd,
    /// The next state if the input is shifted, if that is possible.
    pub shift: Option<StateId>,
    /// The productions that can be reduced, in file order.
    pub reductions: Vec<ProductionId>,
}

/// How many conflicts of one kind there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Shift/reduce: cells. Reduce/reduce: reductions beyond the first, summed over cells.
    pub conflicts: usize,
    /// States with such a conflict.
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
    /// Shift/reduce conflicts.
    pub shift_reduce: Count,
    /// Reduce/reduce conflicts.
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

/// All cells with several actions, by state, then by next input.
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
    /// All inputs.
    all: IdSet<TerminalOrEnd>,
}

impl<'a> Cells<'a> {
    fn new(cfg: &Cfg, automaton: &'a Automaton) -> Self {
        let count = TerminalOrEnd::count(cfg);
        Self { automaton, count, all: IdSet::all(count) }
    }

    /// The cells of a reduction in its state.
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

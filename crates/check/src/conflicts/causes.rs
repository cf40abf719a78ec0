//! Groups conflicts with the same cause.
//!
//! The cause of a shift/reduce conflict is a complete production and the kernel items of the state
//! that lead to the shift; the cause of a reduce/reduce conflict is two productions. The same cause
//! can occur in many states and before many tokens. Near-linear in the conflicts.

use gramercy_analysis::TerminalOrEnd;
use gramercy_base::{IndexMap, Map};
use gramercy_grammar::ProductionId;
use gramercy_lr::{Conflict, ItemId, Label, StateId};

use super::beginnings::{Before, Beginnings};
use super::machine::Machine;

/// A state with the next input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ConflictCell {
    pub(crate) state: StateId,
    pub(crate) next: TerminalOrEnd,
}

/// The alternative to a reduction.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Rival {
    /// Shift the next token; these items lead to it.
    Shift(Vec<ItemId>),
    /// Reduce another production.
    Reduce(ProductionId),
}

/// A cause of conflicts, and its cells.
#[derive(Clone, Debug)]
pub(crate) struct Cause {
    pub(crate) reduction: ProductionId,
    pub(crate) rival: Rival,
    pub(crate) cells: Vec<ConflictCell>,
}

/// The causes of conflicts, in the order of their first occurrence.
pub(crate) fn causes(machine: &Machine<'_>, conflicts: &[Conflict]) -> Vec<Cause> {
    let mut cells: IndexMap<(ProductionId, Rival), Vec<ConflictCell>> = IndexMap::default();
    let mut beginnings = Map::default();
    for conflict in conflicts {
        let cell = ConflictCell { state: conflict.state, next: conflict.next };
        if conflict.shift.is_some() {
            let rival = Rival::Shift(going_on(machine, cell, &mut beginnings));
            for &reduction in &conflict.reductions {
                cells.entry((reduction, rival.clone())).or_default().push(cell);
            }
        }
        if let [first, others @ ..] = &conflict.reductions[..] {
            for &other in others {
                cells.entry((*first, Rival::Reduce(other))).or_default().push(cell);
            }
        }
    }
    cells.into_iter().map(|((reduction, rival), cells)| Cause { reduction, rival, cells }).collect()
}

/// The kernel items of a state that lead to the shift of a token.
fn going_on(
    machine: &Machine<'_>,
    cell: ConflictCell,
    known: &mut Map<TerminalOrEnd, Option<Beginnings>>,
) -> Vec<ItemId> {
    let (automaton, items) = (&machine.automaton, machine.automaton.items());
    let next = automaton.labels().input(cell.next);
    let beginnings = known.entry(cell.next).or_insert_with(|| {
        let terminal = cell.next.terminal(machine.cfg)?;
        Some(Beginnings::of(machine, terminal, Before::Nothing))
    });
    let goes_on = |&item: &ItemId| match items.next(item) {
        Some(label) if label == next => true,
        Some(label) => match (automaton.labels().label(label), &beginnings) {
            (Label::Nonterminal(id), Some(beginnings)) => beginnings.contains(id),
            _ => false,
        },
        None => false,
    };
    automaton.kernel(cell.state).iter().map(|kernel| kernel.item).filter(goes_on).collect()
}

//! Facts about derivations that come from below: for every node a value that follows from those of
//! its parts, as the least fixpoint where derivations are cyclic.

use gramercy_base::Table;
use gramercy_parse::{Derivations, DerivedId};

/// Computes a value for every node. `update` makes a node's value from the others and says whether
/// it grew. Without cycles every node is updated once, children first.
pub(super) fn solve<T>(
    derivations: &Derivations,
    start: impl Fn() -> T,
    mut update: impl FnMut(&mut Table<DerivedId, T>, DerivedId) -> bool,
) -> Table<DerivedId, T> {
    let mut values: Table<DerivedId, T> = derivations.ids().map(|_| start()).collect();
    let order = derivations.children_first();
    loop {
        let mut grew = false;
        for &node in &order.nodes {
            grew |= update(&mut values, node);
        }
        if !(grew && order.is_cyclic) {
            return values;
        }
    }
}

//! Two derivations of an ambiguous input that differ.

use gramercy_base::{Id, IndexSet};

use super::Order;
use super::select::{OpenChild, OpenNode, PickId, Selection, Wanted, build};
use crate::budget::Budget;
use crate::derivations::{Derivations, DerivedId};

/// The preferred derivation and another one.
#[derive(Clone, Debug)]
pub struct Readings {
    /// The preferred one.
    pub preferred: Derivations,
    /// Another one, the same above the node in question and to its left.
    pub other: Derivations,
    /// The node at which they differ, in both of them.
    pub node: DerivedId,
}

/// A node of the other derivation: as preferred, or, below the node in question, as any.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    Preferred(PickId),
    Free(PickId),
}

pub(super) fn readings(order: &Order, derivations: &Derivations) -> Option<Readings> {
    let budget = &mut Budget::unlimited();
    let kept = Selection::new(order, Wanted::Preferred, derivations, budget).ok()?;
    let preferred = kept.tree();
    let free = Selection::new(order, Wanted::Any, derivations, budget).ok()?;
    let (pick, node, other) = first_choice(&kept, &free)?;
    let other = build(Key::Preferred(kept.root()), |&key| match key {
        Key::Preferred(here) if here == pick => Some(keyed(&other, Key::Free)),
        Key::Preferred(here) => {
            kept.way(here).map(|way| keyed(&kept.piece(here, way), Key::Preferred))
        }
        Key::Free(here) => free.way(here).map(|way| keyed(&free.piece(here, way), Key::Free)),
    });
    Some(Readings { preferred, other, node })
}

fn keyed(piece: &OpenNode<PickId>, key: fn(PickId) -> Key) -> OpenNode<Key> {
    let parts = piece.parts.iter().map(|part| match *part {
        OpenChild::Terminal(terminal, range) => OpenChild::Terminal(terminal, range),
        OpenChild::Node(pick) => OpenChild::Node(key(pick)),
    });
    let OpenNode { label, range, production, .. } = *piece;
    OpenNode { label, range, production, parts: parts.collect() }
}

/// The first node of the preferred tree, breadth first, that can be derived otherwise: itself, its
/// number in the tree, and how.
fn first_choice(
    kept: &Selection<'_>,
    free: &Selection<'_>,
) -> Option<(PickId, DerivedId, OpenNode<PickId>)> {
    let mut seen = IndexSet::default();
    seen.insert(kept.root());
    let mut at = 0;
    while let Some(&pick) = seen.get_index(at) {
        let chosen = kept.piece(pick, kept.way(pick)?);
        let ends = ends(kept, &chosen);
        let same = free.unbounded(kept.node(pick)).expect("invariant: nothing is out of bounds");
        let is_other = |piece: &OpenNode<PickId>| {
            piece.production != chosen.production || self::ends(free, piece) != ends
        };
        if let Some(other) = free.find_piece(same, is_other) {
            return Some((pick, DerivedId::from_index(at), other));
        }
        seen.extend(chosen.parts.iter().filter_map(|part| match *part {
            OpenChild::Node(below) => Some(below),
            OpenChild::Terminal(..) => None,
        }));
        at += 1;
    }
    None
}

/// Where the parts of a node end, which with its production tells it from every other.
fn ends(selection: &Selection<'_>, piece: &OpenNode<PickId>) -> Vec<u32> {
    let ends = piece.parts.iter().map(|part| match *part {
        OpenChild::Terminal(_, range) => range.end,
        OpenChild::Node(pick) => selection.range(pick).end,
    });
    ends.collect()
}

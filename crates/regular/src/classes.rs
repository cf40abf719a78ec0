//! The partition of the alphabet into classes: two code points are in the same class if every set
//! of an expression contains both or neither. Automata have edges over classes, so their size does
//! not depend on the number of characters in a set.
//!
//! One sweep over the ends of all ranges keeps the sets that contain the current code point as
//! bits; equal bits are the same class. Cost: ranges × sets / 64, plus sorting the ranges.
//!
//! Example: the sets [a-f] and [d-k] give the classes [a-c], [d-f], [g-k] and all other code
//! points.

use gramercy_base::{Id, Map, Table, bits, define_id};

use crate::CharSet;
use crate::chars::MAX;

define_id!(pub struct ClassId, "a class of the alphabet");
define_id!(pub struct SetId, "one of the sets that define the classes");

/// Disjoint, non-empty sets of code points in ascending order of their smallest one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Classes {
    sets: Table<ClassId, CharSet>,
    /// The ranges of all sets, ascending.
    ranges: Vec<(u32, u32, ClassId)>,
}

/// The classes of some sets, and for each set its classes.
pub struct Partition {
    /// The classes; their union is the whole alphabet.
    pub classes: Classes,
    /// The classes of each set, ascending.
    pub members: Table<SetId, Vec<ClassId>>,
}

impl Classes {
    /// Takes sets that are disjoint, not empty and in ascending order of their smallest member.
    pub(crate) fn new(sets: Table<ClassId, CharSet>) -> Self {
        let with_class = |(id, set): (ClassId, &CharSet)| {
            set.ranges().iter().map(|&(first, last)| (first, last, id)).collect::<Vec<_>>()
        };
        let mut ranges: Vec<_> = sets.iter().flat_map(with_class).collect();
        ranges.sort_unstable();
        debug_assert!(ranges.windows(2).all(|pair| pair[0].1 < pair[1].0), "classes are disjoint");
        Self { sets, ranges }
    }

    /// The number of classes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.sets.len()
    }

    /// Whether there is no class.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// The code points of a class.
    #[must_use]
    pub fn chars(&self, class: ClassId) -> &CharSet {
        &self.sets[class]
    }

    /// The code points of several classes.
    pub(crate) fn union(&self, classes: &[ClassId]) -> CharSet {
        match classes {
            [only] => self.sets[*only].clone(),
            _ => CharSet::from_ranges(
                classes.iter().flat_map(|&class| self.sets[class].ranges()).copied(),
            ),
        }
    }

    /// All classes with their code points, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (ClassId, &CharSet)> {
        self.sets.iter()
    }

    /// The class of a code point, if it is in any.
    #[must_use]
    pub fn get(&self, code: u32) -> Option<ClassId> {
        let at = self.ranges.partition_point(|&(_, last, _)| last < code);
        self.ranges.get(at).filter(|&&(first, ..)| first <= code).map(|&(.., class)| class)
    }
}

/// The coarsest partition of all code points such that each of `sets` is a union of classes.
pub fn partition<'a>(sets: impl IntoIterator<Item = &'a CharSet>) -> Partition {
    let sets: Table<SetId, &CharSet> = sets.into_iter().collect();
    let mut class_of: Map<Box<[u64]>, ClassId> = Map::default();
    let mut ranges: Table<ClassId, Vec<(u32, u32)>> = Table::new();
    let mut members: Table<SetId, Vec<ClassId>> = Table::filled(Vec::new(), sets.len());
    sweep(&sets, |holders, first, last| {
        let class = *class_of.entry(holders.into()).or_insert_with(|| {
            let class = ranges.push(Vec::new());
            bits::ones(holders).for_each(|set: SetId| members[set].push(class));
            class
        });
        ranges[class].push((first, last));
    });
    let sets = ranges.map(|_, ranges| CharSet::from_ranges(ranges.iter().copied()));
    Partition { classes: Classes::new(sets), members }
}

/// Visits, in ascending order, the longest ranges that no set divides, each with the sets that
/// contain it.
fn sweep(sets: &Table<SetId, &CharSet>, mut visit: impl FnMut(&[u64], u32, u32)) {
    let mut ends: Vec<(u32, SetId)> = Vec::new();
    for (id, set) in sets.iter() {
        ends.extend(set.ranges().iter().flat_map(|&(first, last)| [(first, id), (last + 1, id)]));
    }
    ends.sort_unstable();
    let mut holders = vec![0; sets.len().div_ceil(64)];
    let mut from = 0;
    for (at, set) in ends {
        if from < at {
            visit(&holders, from, at - 1);
            from = at;
        }
        holders[set.index() / 64] ^= 1 << (set.index() % 64);
    }
    if from <= MAX {
        visit(&holders, from, MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::partition;
    use crate::CharSet;
    use crate::chars::MAX;
    use gramercy_base::Id;

    fn check(sets: &[&[(u32, u32)]], classes: &[&[(u32, u32)]], members: &[&[usize]]) {
        let sets: Vec<_> =
            sets.iter().map(|set| CharSet::from_ranges(set.iter().copied())).collect();
        let found = partition(&sets);
        let found_classes: Vec<_> = found.classes.iter().map(|(_, set)| set.ranges()).collect();
        assert_eq!(found_classes, classes);
        let found_members: Vec<Vec<_>> =
            found.members.values().map(|all| all.iter().map(|id| id.index()).collect()).collect();
        assert_eq!(found_members, members);
        for (class, set) in found.classes.iter() {
            assert!(set.ranges().iter().all(|&(first, last)| {
                found.classes.get(first) == Some(class) && found.classes.get(last) == Some(class)
            }));
        }
    }

    #[test]
    fn no_set_leaves_one_class() {
        check(&[], &[&[(0, MAX)]], &[]);
        check(&[&[]], &[&[(0, MAX)]], &[&[]]);
        check(&[&[(0, MAX)]], &[&[(0, MAX)]], &[&[0]]);
    }

    #[test]
    fn overlaps_are_classes_of_their_own() {
        check(
            &[&[(10, 20)], &[(15, 30)]],
            &[&[(0, 9), (31, MAX)], &[(10, 14)], &[(15, 20)], &[(21, 30)]],
            &[&[1, 2], &[2, 3]],
        );
    }

    #[test]
    fn ranges_in_the_same_sets_are_one_class() {
        check(
            &[&[(1, 2), (5, 6)], &[(3, 4), (7, MAX)]],
            &[&[(0, 0)], &[(1, 2), (5, 6)], &[(3, 4), (7, MAX)]],
            &[&[1], &[2]],
        );
    }
}

//! Sets of code points as sorted ranges.
//!
//! Code points are plain `u32` up to U+10FFFF: grammars can name surrogates, and their languages
//! can contain them even though a Rust string cannot. All operations are linear in the number of
//! ranges.

/// The largest code point.
pub const MAX: u32 = 0x10_FFFF;

/// A set of code points: inclusive ranges, sorted, neither overlapping nor adjacent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CharSet {
    ranges: Vec<(u32, u32)>,
}

impl CharSet {
    /// The empty set.
    #[must_use]
    pub const fn empty() -> Self {
        Self { ranges: Vec::new() }
    }

    /// Every code point.
    #[must_use]
    pub fn any() -> Self {
        Self { ranges: vec![(0, MAX)] }
    }

    /// One character.
    #[must_use]
    pub fn single(c: char) -> Self {
        Self::range(c as u32, c as u32)
    }

    /// An inclusive range; empty if it is reversed.
    #[must_use]
    pub fn range(first: u32, last: u32) -> Self {
        Self::from_ranges([(first, last)])
    }

    /// The union of inclusive ranges in any order; reversed ones are empty.
    #[must_use]
    pub fn from_ranges(ranges: impl IntoIterator<Item = (u32, u32)>) -> Self {
        let mut ranges: Vec<_> = ranges.into_iter().filter(|(first, last)| first <= last).collect();
        ranges.sort_unstable();
        let mut merged: Vec<(u32, u32)> = Vec::with_capacity(ranges.len());
        for (first, last) in ranges {
            match merged.last_mut() {
                Some(previous) if first <= previous.1.saturating_add(1) => {
                    previous.1 = previous.1.max(last);
                }
                _ => merged.push((first, last)),
            }
        }
        Self { ranges: merged }
    }

    /// The ranges, ascending.
    #[must_use]
    pub fn ranges(&self) -> &[(u32, u32)] {
        &self.ranges
    }

    /// Whether no code point is in the set.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// How many code points are in the set.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ranges.iter().map(|(first, last)| (last - first) as usize + 1).sum()
    }

    /// Whether a code point is in the set.
    #[must_use]
    pub fn contains(&self, code: u32) -> bool {
        let at = self.ranges.partition_point(|&(_, last)| last < code);
        self.ranges.get(at).is_some_and(|&(first, _)| first <= code)
    }

    /// The union of both sets.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self::from_ranges(self.ranges.iter().chain(&other.ranges).copied())
    }

    /// The intersection of both sets.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        let (mut a, mut b) = (self.ranges.iter().peekable(), other.ranges.iter().peekable());
        let mut ranges = Vec::new();
        while let (Some(&&(a_first, a_last)), Some(&&(b_first, b_last))) = (a.peek(), b.peek()) {
            let (first, last) = (a_first.max(b_first), a_last.min(b_last));
            if first <= last {
                ranges.push((first, last));
            }
            if a_last < b_last {
                a.next()
            } else {
                b.next()
            };
        }
        Self { ranges }
    }

    /// All code points that are not in the set.
    #[must_use]
    pub fn complement(&self) -> Self {
        let mut ranges = Vec::with_capacity(self.ranges.len() + 1);
        let mut next = 0;
        for &(first, last) in &self.ranges {
            if next < first {
                ranges.push((next, first - 1));
            }
            next = last + 1;
        }
        if next <= MAX {
            ranges.push((next, MAX));
        }
        Self { ranges }
    }

    /// The code points of this set that are not in the other.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        self.intersection(&other.complement())
    }

    /// The Unicode scalar values in the set.
    #[must_use]
    pub fn without_surrogates(&self) -> Self {
        self.intersection(&Self { ranges: vec![(0, 0xD7FF), (0xE000, MAX)] })
    }

    /// The code points, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.ranges.iter().flat_map(|&(first, last)| first..=last)
    }

    /// The characters, ascending, without surrogates.
    pub fn chars(&self) -> impl Iterator<Item = char> + '_ {
        self.iter().filter_map(char::from_u32)
    }
}

impl FromIterator<char> for CharSet {
    fn from_iter<T: IntoIterator<Item = char>>(chars: T) -> Self {
        Self::from_ranges(chars.into_iter().map(|c| (c as u32, c as u32)))
    }
}

#[cfg(test)]
mod tests {
    use super::{CharSet, MAX};

    #[test]
    fn ranges_are_sorted_joined_and_reversed_ones_dropped() {
        let set = CharSet::from_ranges([(5, 7), (1, 2), (3, 3), (20, 10), (6, 9)]);
        assert_eq!(set.ranges(), [(1, 3), (5, 9)]);
        assert_eq!(set.len(), 8);
    }

    #[test]
    fn operations_agree_with_membership() {
        let a = CharSet::from_ranges([(0, 4), (10, 20), (MAX - 1, MAX)]);
        let b = CharSet::from_ranges([(3, 12), (20, 25)]);
        for code in (0..30).chain(MAX - 3..=MAX) {
            let (in_a, in_b) = (a.contains(code), b.contains(code));
            assert_eq!(a.union(&b).contains(code), in_a || in_b);
            assert_eq!(a.intersection(&b).contains(code), in_a && in_b);
            assert_eq!(a.difference(&b).contains(code), in_a && !in_b);
            assert_eq!(a.complement().contains(code), !in_a);
        }
        assert_eq!(a.complement().complement(), a);
        assert!(CharSet::any().complement().is_empty());
    }
}

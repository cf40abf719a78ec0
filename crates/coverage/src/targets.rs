//! Sets of targets: one bit each.

/// The rank of a target among those of its criterion.
pub type TargetId = u64;

/// A set of targets of one criterion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TargetSet {
    words: Vec<u64>,
    len: u64,
}

impl TargetSet {
    /// The empty set. It grows with the targets that are put in.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The empty set with room for this number of targets.
    #[must_use]
    pub fn with_room(targets: u64) -> Self {
        let words =
            usize::try_from(targets.div_ceil(64)).expect("invariant: targets fit in memory");
        Self { words: vec![0; words], len: 0 }
    }

    /// Adds a target; whether it is new.
    #[inline]
    pub fn insert(&mut self, target: TargetId) -> bool {
        let (word, bit) = place(target);
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        let new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        self.len += u64::from(new);
        new
    }

    /// Removes a target; whether it was there.
    pub fn remove(&mut self, target: TargetId) -> bool {
        let found = self.contains(target);
        if found {
            let (word, bit) = place(target);
            self.words[word] &= !bit;
            self.len -= 1;
        }
        found
    }

    /// Whether a target is in the set.
    #[inline]
    #[must_use]
    pub fn contains(&self, target: TargetId) -> bool {
        let (word, bit) = place(target);
        self.words.get(word).is_some_and(|word| word & bit != 0)
    }

    /// The number of targets in the set.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether no target is in the set.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds all of another set; how many are new.
    pub fn union_with(&mut self, other: &Self) -> u64 {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        let before = self.len;
        for (word, &other) in self.words.iter_mut().zip(&other.words) {
            self.len += u64::from((other & !*word).count_ones());
            *word |= other;
        }
        self.len - before
    }

    /// How many of another set are not in this one.
    #[must_use]
    pub fn missing_from(&self, other: &Self) -> u64 {
        let here = self.words.iter().copied().chain(std::iter::repeat(0));
        other
            .words
            .iter()
            .zip(here)
            .map(|(&other, here)| u64::from((other & !here).count_ones()))
            .sum()
    }

    /// The targets in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = TargetId> + '_ {
        self.words.iter().zip(0u64..).flat_map(|(&word, at)| {
            std::iter::successors((word != 0).then_some(word), |&rest| {
                let rest = rest & (rest - 1);
                (rest != 0).then_some(rest)
            })
            .map(move |rest| at * 64 + u64::from(rest.trailing_zeros()))
        })
    }

    /// Removes everything but keeps the memory.
    pub fn clear(&mut self) {
        self.words.fill(0);
        self.len = 0;
    }
}

impl Extend<TargetId> for TargetSet {
    fn extend<T: IntoIterator<Item = TargetId>>(&mut self, targets: T) {
        for target in targets {
            self.insert(target);
        }
    }
}

impl FromIterator<TargetId> for TargetSet {
    fn from_iter<T: IntoIterator<Item = TargetId>>(targets: T) -> Self {
        let mut set = Self::new();
        set.extend(targets);
        set
    }
}

#[inline]
fn place(target: TargetId) -> (usize, u64) {
    let word = usize::try_from(target / 64).expect("invariant: targets fit in memory");
    (word, 1 << (target % 64))
}

#[cfg(test)]
mod tests {
    use super::TargetSet;

    #[test]
    fn sets_of_different_room_are_joined_and_compared() {
        let mut small: TargetSet = [1, 5].into_iter().collect();
        let large: TargetSet = [5, 700].into_iter().collect();
        assert_eq!(small.missing_from(&large), 1);
        assert_eq!(small.union_with(&large), 1);
        assert_eq!(small.iter().collect::<Vec<_>>(), [1, 5, 700]);
        assert!(small.remove(700) && !small.remove(700) && !small.remove(10_000));
        assert_eq!(small.len(), 2);
    }
}

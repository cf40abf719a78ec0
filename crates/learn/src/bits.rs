//! Sets of inputs as words of bits: the rows of all tables in this crate.

/// The number of words for this many rows.
#[must_use]
pub fn words(rows: usize) -> usize {
    rows.div_ceil(64)
}

/// The set of all rows.
#[must_use]
pub fn all(rows: usize) -> Vec<u64> {
    let mut set = vec![u64::MAX; words(rows)];
    if !rows.is_multiple_of(64)
        && let Some(last) = set.last_mut()
    {
        *last = (1 << (rows % 64)) - 1;
    }
    set
}

/// Adds a row.
#[inline]
pub fn insert(set: &mut [u64], row: usize) {
    set[row / 64] |= 1 << (row % 64);
}

/// Whether a row is in the set.
#[inline]
#[must_use]
pub fn contains(set: &[u64], row: usize) -> bool {
    set[row / 64] >> (row % 64) & 1 == 1
}

/// The number of rows in the set.
#[inline]
#[must_use]
pub fn count(set: &[u64]) -> u32 {
    set.iter().map(|word| word.count_ones()).sum()
}

/// The number of rows in both sets.
#[inline]
#[must_use]
pub fn count_both(a: &[u64], b: &[u64]) -> u32 {
    a.iter().zip(b).map(|(a, b)| (a & b).count_ones()).sum()
}

/// The rows in both sets.
#[must_use]
pub fn both(a: &[u64], b: &[u64]) -> Vec<u64> {
    a.iter().zip(b).map(|(a, b)| a & b).collect()
}

/// The rows in `a` that are not in `b`.
#[must_use]
pub fn without(a: &[u64], b: &[u64]) -> Vec<u64> {
    a.iter().zip(b).map(|(a, b)| a & !b).collect()
}

/// The rows in ascending order.
pub fn ones(set: &[u64]) -> impl Iterator<Item = usize> + '_ {
    set.iter().enumerate().flat_map(|(at, &word)| {
        std::iter::successors((word != 0).then_some(word), |&rest| {
            let rest = rest & (rest - 1);
            (rest != 0).then_some(rest)
        })
        .map(move |rest| at * 64 + rest.trailing_zeros() as usize)
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn sets_have_exactly_the_rows_that_were_put_in() {
        for rows in [0, 1, 63, 64, 65, 130] {
            let all = super::all(rows);
            assert_eq!(super::count(&all) as usize, rows);
            assert_eq!(super::ones(&all).collect::<Vec<_>>(), (0..rows).collect::<Vec<_>>());
        }
        let mut set = vec![0; 3];
        super::insert(&mut set, 64);
        super::insert(&mut set, 130);
        assert_eq!(super::ones(&set).collect::<Vec<_>>(), [64, 130]);
        assert!(super::contains(&set, 130) && !super::contains(&set, 129));
    }
}

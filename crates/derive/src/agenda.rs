//! The targets that are still to be covered: one bit each, with summaries above.
//!
//! A bit of a summary tells whether a word of the level below has any bit, so the first target of a
//! range is found in a step a level, however empty the set has become. Paths that begin alike have
//! adjacent ranks, so "is something that begins like this still missing?" is one such question.
//! Memory is a bit a target and a sixty-fourth of that more; every operation takes as many steps as
//! the number of targets has digits to the base of 64.

use gramercy_coverage::{TargetId, TargetSet};

const BITS: usize = 64;

/// A set of targets below a fixed number.
#[derive(Clone, Debug)]
pub struct Agenda {
    /// The bits, then the summaries; the last level is one word.
    levels: Vec<Vec<u64>>,
    len: u64,
}

impl Agenda {
    /// No target, with room for this number.
    #[must_use]
    pub fn empty(targets: u64) -> Self {
        let mut levels = vec![vec![0; words_for(fit(targets))]];
        while let Some(last) = levels.last().filter(|last| last.len() > 1) {
            levels.push(vec![0; words_for(last.len())]);
        }
        Self { levels, len: 0 }
    }

    /// All targets of a criterion with this number of them.
    #[must_use]
    pub fn full(targets: u64) -> Self {
        let mut agenda = Self::empty(targets);
        let mut ones = fit(targets);
        for level in &mut agenda.levels {
            for (at, word) in level.iter_mut().enumerate() {
                let here = ones.saturating_sub(at * BITS).min(BITS);
                *word = if here == BITS { u64::MAX } else { (1 << here) - 1 };
            }
            ones = words_for(ones);
        }
        agenda.len = targets;
        agenda
    }

    /// The number of targets in it.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether no target is in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether a target is in it.
    #[inline]
    #[must_use]
    pub fn contains(&self, target: TargetId) -> bool {
        let at = fit(target);
        self.levels[0][at / BITS] & (1 << (at % BITS)) != 0
    }

    /// Puts a target in; whether it is new.
    pub fn insert(&mut self, target: TargetId) -> bool {
        if self.contains(target) {
            return false;
        }
        self.len += 1;
        let mut at = fit(target);
        for level in &mut self.levels {
            level[at / BITS] |= 1 << (at % BITS);
            at /= BITS;
        }
        true
    }

    /// Takes a target out; whether it was there.
    #[inline]
    pub fn remove(&mut self, target: TargetId) -> bool {
        if !self.contains(target) {
            return false;
        }
        self.len -= 1;
        let mut at = fit(target);
        for level in &mut self.levels {
            let word = &mut level[at / BITS];
            *word &= !(1 << (at % BITS));
            if *word != 0 {
                break;
            }
            at /= BITS;
        }
        true
    }

    /// Takes out everything that another set holds.
    pub fn remove_all(&mut self, targets: &TargetSet) {
        targets.iter().for_each(|target| {
            self.remove(target);
        });
    }

    /// The first target from `from` on and below `end`.
    #[inline]
    #[must_use]
    pub fn first_in(&self, from: TargetId, end: TargetId) -> Option<TargetId> {
        if from >= end {
            return None;
        }
        self.first_from(fit(from)).map(|at| at as TargetId).filter(|&found| found < end)
    }

    /// Up to the first level that has a bit further on, then down to that bit.
    fn first_from(&self, from: usize) -> Option<usize> {
        let mut at = from;
        for (height, level) in self.levels.iter().enumerate() {
            let rest = level.get(at / BITS)? & (u64::MAX << (at % BITS));
            if rest != 0 {
                let found = at / BITS * BITS + rest.trailing_zeros() as usize;
                let below = self.levels[..height].iter().rev();
                let down =
                    |at: usize, level: &Vec<u64>| at * BITS + level[at].trailing_zeros() as usize;
                return Some(below.fold(found, down));
            }
            at = at / BITS + 1;
        }
        None
    }

    /// The last target below `end`.
    #[inline]
    #[must_use]
    pub fn last_below(&self, end: TargetId) -> Option<TargetId> {
        let mut end = fit(end.min((self.levels[0].len() * BITS) as TargetId));
        for (height, level) in self.levels.iter().enumerate() {
            let is_top = height + 1 == self.levels.len();
            let rest = match end % BITS {
                // Everything lies in the words before; above the only word there are none.
                0 if is_top && end > 0 => level[0],
                0 => 0,
                bit => level[end / BITS] & !(u64::MAX << bit),
            };
            if rest != 0 {
                let at = (end - 1) / BITS;
                let below = self.levels[..height].iter().rev();
                return Some(
                    below
                        .fold(at * BITS + highest(rest), |at, level| at * BITS + highest(level[at]))
                        as TargetId,
                );
            }
            end /= BITS;
        }
        None
    }

    /// The targets in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = TargetId> + '_ {
        let next = |from: TargetId| self.first_in(from, TargetId::MAX);
        std::iter::successors(next(0), move |&last| next(last + 1))
    }
}

/// The highest bit of a word that has one.
fn highest(word: u64) -> usize {
    word.ilog2() as usize
}

fn words_for(bits: usize) -> usize {
    bits.div_ceil(BITS).max(1)
}

fn fit(target: TargetId) -> usize {
    usize::try_from(target).expect("invariant: targets fit in memory")
}

#[cfg(test)]
mod tests {
    use super::Agenda;
    use gramercy_base::Draw;

    /// Random insertions, removals and questions, beside a plain list of flags.
    fn check(targets: u64, seed: u64) {
        let mut draw = Draw::new([seed, targets, 0, 0]);
        let mut plain = vec![seed.is_multiple_of(2); usize::try_from(targets).expect("small")];
        let mut agenda =
            if seed.is_multiple_of(2) { Agenda::full(targets) } else { Agenda::empty(targets) };
        for _ in 0..4000 {
            let at = draw.below(plain.len());
            match draw.below(5) {
                0 => assert_eq!(agenda.insert(at as u64), !std::mem::replace(&mut plain[at], true)),
                1..=3 => {
                    assert_eq!(agenda.remove(at as u64), std::mem::replace(&mut plain[at], false));
                }
                _ => {
                    let end = at + draw.below(plain.len() - at + 1);
                    let first = plain[at..end].iter().position(|&is_in| is_in);
                    let found = agenda.first_in(at as u64, end as u64);
                    assert_eq!(found, first.map(|first| (at + first) as u64));
                    let last = plain[..end].iter().rposition(|&is_in| is_in);
                    assert_eq!(agenda.last_below(end as u64), last.map(|last| last as u64));
                }
            }
        }
        let last = plain.iter().rposition(|&is_in| is_in);
        assert_eq!(agenda.last_below(u64::MAX), last.map(|last| last as u64));
        assert_eq!(agenda.len(), plain.iter().filter(|&&is_in| is_in).count() as u64);
        assert_eq!(agenda.iter().count() as u64, agenda.len());
    }

    #[test]
    fn it_answers_as_a_list_of_flags_does() {
        for targets in [1, 63, 64, 65, 4096, 4097, 300_000] {
            (0..4).for_each(|seed| check(targets, seed));
        }
    }

    #[test]
    fn without_targets_it_is_empty() {
        let agenda = Agenda::full(0);
        assert!(agenda.is_empty() && agenda.first_in(0, 10).is_none());
    }
}

//! Leaves out tests that a suite can do without: set cover over what was made.
//!
//! A test that alone covers some target is in every choice, so those are taken first. The others are
//! chosen by the lazy greedy rule of [`select`](gramercy_coverage::select), and those that later ones
//! made needless are dropped again.
//!
//! Two bounds are proven. The greedy rule never takes more than 1 + ½ + … + 1/d times the fewest
//! possible, d being the most targets that one test adds. And for the suite in hand: when a test is
//! chosen that adds n targets, each of them gets the price 1/n, so prices add up to the tests chosen.
//! If no test's targets cost more than m together, every choice of c tests pays at most c·m, and
//! so at least (sum of prices)/m tests are needed, beside those that are in every choice. This is the
//! dual of the linear program, without solving one.
//!
//! Any criteria, several at once. What a test covers is kept as distances between ascending ranks, seven
//! bits a byte: mostly one or two bytes for each target of each test, 8 bytes a test, and while choosing
//! 12 bytes a target. A sentence of several trees covers what any of them does; what trees after the
//! first add is kept beside. A limit on the bytes is kept. The choice is near-linear in what is kept.

use gramercy_base::{LimitReached, Map};
use gramercy_coverage::select::{Selection, greedy};
use gramercy_coverage::{TargetId, TargetSet};

/// What the tests of a suite cover.
#[derive(Clone, Debug)]
pub struct Minimizer {
    /// Where the targets of each criterion begin among those of all.
    bases: Vec<TargetId>,
    targets: usize,
    given: TargetSet,
    /// Distances between the targets of each test.
    distances: Vec<u8>,
    /// For each test, where its distances end.
    ends: Vec<usize>,
    /// What tests cover by other trees alone.
    by_other_trees: Map<usize, Vec<TargetId>>,
    bytes: usize,
    most_bytes: usize,
}

/// The tests to keep, and how good the choice is.
#[derive(Clone, Debug, PartialEq)]
pub struct Minimized {
    /// The tests, by their numbers from 0, ascending.
    pub kept: Vec<usize>,
    /// No choice that covers the same has fewer.
    pub at_least: usize,
    /// Upper bound for the ratio of the greedy choice to the smallest one.
    pub bound: f64,
    /// Whether some targets are left out, because of the limit on tests.
    pub is_cut: bool,
}

impl Minimizer {
    /// No tests yet. For each criterion the number of its targets, and those that need no test.
    ///
    /// # Errors
    /// If the targets are too many to be held.
    pub fn new(criteria: &[(u64, TargetSet)], most_bytes: usize) -> Result<Self, LimitReached> {
        let (mut bases, mut sum) = (Vec::with_capacity(criteria.len()), 0u64);
        let mut given = TargetSet::new();
        for (targets, of) in criteria {
            bases.push(sum);
            given.extend(of.iter().map(|target| sum + target));
            sum = sum.saturating_add(*targets);
        }
        let targets = usize::try_from(sum).unwrap_or(usize::MAX);
        if targets.saturating_mul(BYTES_A_TARGET) > most_bytes {
            return Err(too_much(most_bytes));
        }
        Ok(Self {
            bases,
            targets,
            given,
            distances: Vec::new(),
            ends: Vec::new(),
            by_other_trees: Map::default(),
            bytes: targets * BYTES_A_TARGET,
            most_bytes,
        })
    }

    /// Notes what a test covers, the next one or one that is known and has another tree: criterion and
    /// target, both ascending.
    ///
    /// # Errors
    /// If that is more than the limit.
    pub fn add(&mut self, test: usize, covered: &[(usize, TargetId)]) -> Result<(), LimitReached> {
        let bases = &self.bases;
        let ranks = covered.iter().map(|&(criterion, target)| bases[criterion] + target);
        if test < self.ends.len() {
            let known: TargetSet = self.covered_by(test).collect();
            let new: Vec<TargetId> = ranks.filter(|&rank| !known.contains(rank)).collect();
            if !new.is_empty() {
                self.bytes += (2 + new.len()) * size_of::<TargetId>();
                self.by_other_trees.entry(test).or_default().extend(new);
            }
        } else {
            let (mut next, start) = (0, self.distances.len());
            for rank in ranks {
                push_number(rank - next, &mut self.distances);
                next = rank + 1;
            }
            self.ends.push(self.distances.len());
            self.bytes += self.distances.len() - start + size_of::<usize>();
        }
        if self.bytes > self.most_bytes { Err(too_much(self.most_bytes)) } else { Ok(()) }
    }

    /// The tests to keep: all that are needed, or those that cover the most, up to the limit.
    #[must_use]
    pub fn select(&self, limit: Option<usize>) -> Minimized {
        let forced = self.forced();
        let mut covered = self.given.clone();
        for &test in &forced {
            covered.extend(self.covered_by(test));
        }
        let mut costs = Costs(vec![0.0; self.targets]);
        let chosen = self.greedy(&mut covered, |covered, test| costs.pay(self, covered, test));
        let at_least = forced.len() + costs.at_least(self, chosen.chosen.len());
        let kept = self.without_needless(&forced, &chosen.chosen);
        let minimized = Minimized { kept, at_least, bound: chosen.bound, is_cut: false };
        match limit.filter(|&limit| limit < minimized.kept.len()) {
            None => minimized,
            Some(limit) => self.cut(&minimized, limit),
        }
    }

    /// Those that alone cover some target.
    fn forced(&self) -> Vec<usize> {
        let (mut once, mut more) = (TargetSet::new(), TargetSet::new());
        for target in (0..self.ends.len()).flat_map(|test| self.covered_by(test)) {
            if !self.given.contains(target) && !once.insert(target) {
                more.insert(target);
            }
        }
        let is_alone = |target: TargetId| once.contains(target) && !more.contains(target);
        (0..self.ends.len()).filter(|&test| self.covered_by(test).any(is_alone)).collect()
    }

    fn greedy(
        &self,
        covered: &mut TargetSet,
        mut take: impl FnMut(&TargetSet, usize),
    ) -> Selection {
        greedy(
            self.ends.len(),
            covered,
            |covered, test| self.gain(covered, test),
            |covered, test| {
                take(covered, test);
                covered.extend(self.covered_by(test));
            },
        )
    }

    fn gain(&self, covered: &TargetSet, test: usize) -> u64 {
        self.covered_by(test).filter(|&target| !covered.contains(target)).count() as u64
    }

    /// All of these but those that the others made needless, the last chosen first.
    fn without_needless(&self, forced: &[usize], chosen: &[usize]) -> Vec<usize> {
        let mut uses = vec![0u32; self.targets];
        for target in forced.iter().chain(chosen).flat_map(|&test| self.covered_by(test)) {
            uses[index(target)] += 1;
        }
        let mut kept = forced.to_vec();
        for &test in chosen.iter().rev() {
            let is_needed =
                |target: TargetId| uses[index(target)] == 1 && !self.given.contains(target);
            if self.covered_by(test).any(is_needed) {
                kept.push(test);
            } else {
                self.covered_by(test).for_each(|target| uses[index(target)] -= 1);
            }
        }
        kept.sort_unstable();
        kept
    }

    /// Those of the kept ones that cover the most, by the greedy rule.
    fn cut(&self, minimized: &Minimized, limit: usize) -> Minimized {
        let mut covered = self.given.clone();
        let selection = greedy(
            minimized.kept.len(),
            &mut covered,
            |covered, at| self.gain(covered, minimized.kept[at]),
            |covered, at| covered.extend(self.covered_by(minimized.kept[at])),
        );
        let first = selection.chosen.into_iter().take(limit);
        let mut kept: Vec<usize> = first.map(|at| minimized.kept[at]).collect();
        kept.sort_unstable();
        Minimized { kept, is_cut: true, ..*minimized }
    }

    /// The targets of a test, those of all criteria in one row.
    fn covered_by(&self, test: usize) -> impl Iterator<Item = TargetId> + '_ {
        let start = test.checked_sub(1).map_or(0, |before| self.ends[before]);
        let mut rest = &self.distances[start..self.ends[test]];
        let mut next = 0;
        let by_first_tree = std::iter::from_fn(move || {
            let rank = next + pop_number(&mut rest)?;
            next = rank + 1;
            Some(rank)
        });
        by_first_tree.chain(self.by_other_trees.get(&test).into_iter().flatten().copied())
    }
}

/// What each target that was not forced costs.
struct Costs(Vec<f64>);

impl Costs {
    /// A test is chosen: its new targets share its cost.
    #[expect(clippy::cast_precision_loss, reason = "targets fit in memory")]
    fn pay(&mut self, tests: &Minimizer, covered: &TargetSet, test: usize) {
        let price = 1.0 / tests.gain(covered, test) as f64;
        for target in tests.covered_by(test).filter(|&target| !covered.contains(target)) {
            self.0[index(target)] = price;
        }
    }

    /// How many tests every choice has that covers the same as the first chosen ones.
    #[expect(clippy::cast_precision_loss, reason = "tests fit in memory")]
    #[expect(clippy::cast_possible_truncation, reason = "less than the tests")]
    #[expect(clippy::cast_sign_loss, reason = "prices are not negative")]
    fn at_least(&self, tests: &Minimizer, chosen: usize) -> usize {
        let price = |test| tests.covered_by(test).map(|target| self.0[index(target)]).sum::<f64>();
        let most = (0..tests.ends.len()).map(price).fold(1.0, f64::max);
        // A little less, since sums are rounded.
        ((chosen as f64 / most - 1e-6).ceil()).max(0.0) as usize
    }
}

/// What is held for each target while tests are chosen: a price and a count.
const BYTES_A_TARGET: usize = size_of::<f64>() + size_of::<u32>();

fn too_much(limit: usize) -> LimitReached {
    let what = "bytes of notes on what tests cover";
    LimitReached { what, limit, option: Some("--minimize-memory") }
}

fn index(target: TargetId) -> usize {
    usize::try_from(target).expect("invariant: targets fit in memory")
}

/// Appends a number, seven bits a byte, the lowest first.
fn push_number(mut number: u64, bytes: &mut Vec<u8>) {
    while number >= 128 {
        bytes.push((number % 128) as u8 | 128);
        number /= 128;
    }
    bytes.push((number % 128) as u8);
}

/// The number that some bytes begin with.
fn pop_number(bytes: &mut &[u8]) -> Option<u64> {
    let length = bytes.iter().position(|byte| byte & 128 == 0)? + 1;
    let (number, rest) = bytes.split_at(length);
    *bytes = rest;
    Some(number.iter().rev().fold(0, |sum, byte| sum << 7 | u64::from(byte & 127)))
}

#[cfg(test)]
mod tests {
    use gramercy_base::Draw;
    use gramercy_coverage::TargetSet;

    use super::{Minimizer, pop_number, push_number};

    #[test]
    fn numbers_are_read_as_they_were_written() {
        let numbers = [0, 1, 127, 128, 129, 16_383, 16_384, u64::MAX];
        let mut bytes = Vec::new();
        numbers.iter().for_each(|&number| push_number(number, &mut bytes));
        let mut rest = &bytes[..];
        assert_eq!(std::iter::from_fn(|| pop_number(&mut rest)).collect::<Vec<_>>(), numbers);
    }

    /// Tests over two criteria: even targets are those of the first. Each has two trees.
    fn minimizer(tests: &[u32], given: u32) -> Minimizer {
        let bits =
            |set: u32, of: usize| (0..16).filter(move |at| set >> (2 * at + of as u64) & 1 == 1);
        let of = |criterion| (16, bits(given, criterion).collect::<TargetSet>());
        let mut minimizer = Minimizer::new(&[of(0), of(1)], 1 << 20).expect("small");
        let halves = [0x0000_ffff, 0xffff_00ff];
        for half in halves {
            for (at, &test) in tests.iter().enumerate() {
                let covered = (0..2).flat_map(|of| bits(test & half, of).map(move |at| (of, at)));
                minimizer.add(at, &covered.collect::<Vec<_>>()).expect("small");
            }
        }
        minimizer
    }

    fn union(tests: &[u32], chosen: impl IntoIterator<Item = usize>, given: u32) -> u32 {
        chosen.into_iter().fold(given, |union, test| union | tests[test])
    }

    /// The fewest tests that cover all, by trying all choices.
    fn fewest(tests: &[u32], given: u32) -> usize {
        let all = union(tests, 0..tests.len(), given);
        let chosen = |choice: u32| (0..tests.len()).filter(move |at| choice >> at & 1 == 1);
        let covers = |choice: &u32| union(tests, chosen(*choice), given) == all;
        let sizes = (0u32..1 << tests.len()).filter(covers).map(u32::count_ones);
        sizes.min().expect("all of them cover all") as usize
    }

    #[test]
    fn choices_cover_the_same_and_bounds_hold() {
        for seed in 0..300 {
            let mut draw = Draw::new([seed, 0, 0, 0]);
            let count = 1 + draw.below(9);
            let mut set = || (0..3).fold(u32::MAX, |set, _| set & (draw.number() >> 32) as u32);
            let tests: Vec<u32> = (0..count).map(|_| set()).collect();
            let given = if seed % 2 == 0 { 0 } else { set() };
            let minimized = minimizer(&tests, given).select(None);
            let kept = minimized.kept.iter().copied();
            assert_eq!(union(&tests, kept.clone(), given), union(&tests, 0..count, given));
            assert!(kept.clone().is_sorted());
            let fewest = fewest(&tests, given);
            assert!(minimized.at_least <= fewest && fewest <= minimized.kept.len(), "{tests:?}");
            let most = minimized.bound * fewest as f64 + 1e-9;
            assert!(minimized.kept.len() as f64 <= most, "{tests:?}: {minimized:?}");
            // None of them can be left out alone.
            for &test in &minimized.kept {
                let others = kept.clone().filter(|&other| other != test);
                assert_ne!(union(&tests, others, given), union(&tests, 0..count, given));
            }
        }
    }

    #[test]
    fn the_greedy_rule_is_caught_where_it_fails() {
        // Two rows of seven cover all. The greedy rule takes blocks of eight, four and two instead.
        let rows = [0b01_0101_0101_0101, 0b10_1010_1010_1010];
        let blocks = [0b00_0000_1111_1111, 0b00_1111_0000_0000, 0b11_0000_0000_0000];
        let tests = [&rows[..], &blocks].concat();
        let minimized = minimizer(&tests, 0).select(None);
        assert_eq!((minimized.kept, minimized.at_least), (vec![2, 3, 4], 2));
        assert!((minimized.bound - 761.0 / 280.0).abs() < 1e-9, "1 + 1/2 + … + 1/8");
        let cut = minimizer(&tests, 0).select(Some(2));
        assert_eq!((cut.kept, cut.is_cut), (vec![2, 3], true));
    }

    #[test]
    fn too_much_is_refused() {
        let mut minimizer = Minimizer::new(&[(10, TargetSet::new())], 200).expect("it fits");
        let results: Vec<bool> =
            (0..20).map(|at| minimizer.add(at, &[(0, 1), (0, 3)]).is_ok()).collect();
        assert!(results[0] && !results[19]);
        assert!(Minimizer::new(&[(1000, TargetSet::new())], 200).is_err());
    }
}

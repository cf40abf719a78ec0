//! The Mann-Whitney test (Mann and Whitney 1947): whether one of two samples tends to be larger.
//!
//! U counts the pairs in which the first sample's value is the larger one, equal ones half. If both
//! come from one distribution, every order of the values is equally likely: for a small sample, and if
//! no two values are equal, the probability is counted exactly. Else U is nearly normal; ties make its
//! variance smaller, and half a pair is taken off for continuity. Probabilities are two-sided. That is
//! what scipy does. n log n, and n²m² for a small sample of n values.

/// The largest sample that counts as small.
const SMALL: usize = 8;

/// The result of a test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MannWhitney {
    /// The pairs in which the first sample's value is larger, equal ones half.
    pub u: f64,
    /// The probability of so uneven a result or worse if both samples come from one distribution.
    pub p: f64,
    /// The share of pairs in which the first sample's value is larger, equal ones half: one half if
    /// neither tends to be larger.
    pub larger: f64,
}

impl MannWhitney {
    /// The test of two samples that are not empty.
    ///
    /// # Panics
    /// If one is empty.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "samples are far smaller than 2^52")]
    pub fn of(first: &[u64], second: &[u64]) -> Self {
        assert!(!first.is_empty() && !second.is_empty(), "invariant: both were measured");
        let (n, m) = (first.len() as f64, second.len() as f64);
        let Ranks { sum, ties } = Ranks::of(first, second);
        let u = sum - n * (n + 1.0) / 2.0;
        let uneven = (u - n * m / 2.0).abs();
        let smaller = first.len().min(second.len());
        let p = if smaller <= SMALL && ties == 0.0 {
            exact(smaller, first.len().max(second.len()), n * m / 2.0 - uneven)
        } else {
            let all = n + m;
            let variance = n * m / 12.0 * (all + 1.0 - ties / (all * (all - 1.0)));
            let apart = (uneven - 0.5).max(0.0);
            // Where all values are equal nothing is uneven.
            if variance > 0.0 { erfc(apart / (2.0 * variance).sqrt()) } else { 1.0 }
        };
        Self { u, p, larger: u / (n * m) }
    }
}

/// The probability that U, or what is missing to nm, is at most `u`. Orders of values are counted by
/// U: those of i and j values with U = k are those in which the largest value is of the second sample,
/// and those in which it is of the first and larger than all j.
#[expect(clippy::cast_precision_loss, reason = "samples are far smaller than 2^52")]
fn exact(n: usize, m: usize, u: f64) -> f64 {
    let mut orders = vec![vec![0.0; n * m + 1]; n + 1];
    orders.iter_mut().for_each(|of| of[0] = 1.0);
    for j in 1..=m {
        for i in 1..=n {
            for k in j..=n * m {
                let largest_is_first = orders[i - 1][k - j];
                orders[i][k] += largest_is_first;
            }
        }
    }
    let all: f64 = orders[n].iter().sum();
    let extreme = orders[n].iter().enumerate().filter(|&(k, _)| k as f64 <= u);
    (2.0 * extreme.map(|(_, orders)| orders).sum::<f64>() / all).min(1.0)
}

/// The ranks of two samples among all values.
struct Ranks {
    /// The sum of the first sample's ranks; equal values share the mean of theirs.
    sum: f64,
    /// The sum of t³ - t over all groups of t equal values.
    ties: f64,
}

impl Ranks {
    #[expect(clippy::cast_precision_loss, reason = "samples are far smaller than 2^52")]
    fn of(first: &[u64], second: &[u64]) -> Self {
        let firsts = first.iter().map(|&value| (value, true));
        let mut all: Vec<_> = firsts.chain(second.iter().map(|&value| (value, false))).collect();
        all.sort_unstable();
        let (mut before, mut ranks) = (0, Self { sum: 0.0, ties: 0.0 });
        for group in all.chunk_by(|a, b| a.0 == b.0) {
            let equal = group.len() as f64;
            let rank = before as f64 + (equal + 1.0) / 2.0;
            ranks.sum += rank * group.iter().filter(|(_, is_first)| *is_first).count() as f64;
            ranks.ties += equal * equal * equal - equal;
            before += group.len();
        }
        ranks
    }
}

/// The complementary error function of a number that is not negative: by the series of positive terms
/// near 0, by the continued fraction farther out.
fn erfc(x: f64) -> f64 {
    let scale = (-x * x).exp() / std::f64::consts::PI.sqrt();
    if x < 2.5 {
        let (mut term, mut sum, mut n) = (x, x, 0.0);
        while term > sum * f64::EPSILON {
            n += 1.0;
            term *= 2.0 * x * x / (2.0 * n + 1.0);
            sum += term;
        }
        return 1.0 - 2.0 * scale * sum;
    }
    let fraction = (1..=60).rev().fold(x, |below, n| x + f64::from(n) / 2.0 / below);
    scale / fraction
}

#[cfg(test)]
mod tests {
    use super::{MannWhitney, erfc};

    /// Values of Python's `math.erfc`.
    const ERFC: [(f64, f64); 9] = [
        (0.0, 1.0),
        (0.1, 0.887_537_083_981_715_2),
        (0.5, 0.479_500_122_186_953_5),
        (1.9, 0.007_209_570_764_742_533),
        (2.4, 0.000_688_513_896_645_078_9),
        (2.6, 0.000_236_034_416_529_349_1),
        (4.0, 1.541_725_790_028_002e-8),
        (8.0, 1.122_429_717_298_293e-29),
        (15.0, 7.212_994_172_451_206e-100),
    ];

    #[test]
    fn the_error_function_is_accurate() {
        for (x, expected) in ERFC {
            let found = erfc(x);
            assert!((found / expected - 1.0).abs() < 1e-9, "{x}: {found} {expected}");
        }
    }

    fn check(first: &[u64], second: &[u64], u: f64, p: f64) {
        let test = MannWhitney::of(first, second);
        assert!((test.u - u).abs() < 1e-9, "{test:?}");
        assert!((test.p / p - 1.0).abs() < 1e-9, "{test:?}");
        let turned = MannWhitney::of(second, first);
        assert!((turned.p - test.p).abs() < 1e-9, "{turned:?}");
        assert!((turned.larger + test.larger - 1.0).abs() < 1e-9, "{turned:?}");
    }

    /// Values of scipy 1.17's `mannwhitneyu` with its exact method.
    #[test]
    fn small_samples_are_compared_exactly() {
        check(&[1], &[2], 0.0, 1.0);
        check(&[1, 2, 3], &[4, 5, 6], 0.0, 0.1);
        check(&[5], &[1, 2, 3], 3.0, 0.5);
        check(&[1, 4, 6, 7], &[2, 3, 5, 8, 9], 8.0, 0.730_158_730_158_730_2);
        check(
            &[141, 143, 146, 150, 152],
            &[140, 142, 144, 145, 147],
            17.0,
            0.420_634_920_634_920_64,
        );
        let (odd, even): (Vec<u64>, Vec<u64>) = ((0..8).map(|n| (2 * n + 11, 2 * n + 10))).unzip();
        check(&even, &odd, 28.0, 0.720_901_320_901_320_8);
        let (low, high): (Vec<u64>, Vec<u64>) = ((1..=8).collect(), (25..=32).collect());
        check(&low, &high, 0.0, 0.000_155_400_155_400_155_4);
        check(&[7, 3, 9], &(10..60).collect::<Vec<u64>>(), 0.0, 8.537_522_410_996_328e-5);
    }

    /// Values of scipy 1.17's `mannwhitneyu` with its asymptotic method.
    #[test]
    fn large_samples_and_equal_values_are_compared_by_the_normal_distribution() {
        check(&[1, 2, 3], &[3, 4, 5], 0.5, 0.121_183_272_837_463_19);
        let nine = |from: u64| (from..from + 9).collect::<Vec<u64>>();
        check(&nine(1), &nine(10), 0.0, 0.000_412_294_802_061_691_27);
        let hundred = |from: u64| (0..100).map(|n| from + 2 * n).collect::<Vec<u64>>();
        check(&hundred(0), &hundred(21), 4005.0, 0.015_100_895_558_924_679);
        check(
            &[1, 2, 3, 4, 5, 6, 7, 8],
            &[5, 6, 7, 8, 9, 10, 11, 12],
            8.0,
            0.013_313_002_763_816_655,
        );
        check(
            &[3, 3, 3, 4, 4, 5, 6, 6, 7],
            &[1, 2, 2, 3, 3, 3, 4],
            54.5,
            0.014_015_282_939_930_042,
        );
        check(&[10; 3], &[10; 4], 6.0, 1.0);
        let first = [141, 142, 144, 145, 145, 146, 147, 149, 143, 144];
        let second = [140, 144, 144, 144, 147, 147, 147, 146, 145, 143];
        check(&first, &second, 46.5, 0.818_160_450_378_517);
        let (low, high): (Vec<u64>, Vec<u64>) = ((100..160).collect(), (300..340).collect());
        check(&low, &high, 0.0, 3.182_823_573_189_000_7e-17);
    }
}

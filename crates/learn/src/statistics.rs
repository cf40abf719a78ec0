//! Rank correlation with its significance.

/// Spearman's rank correlation of two variables.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spearman {
    /// The coefficient, from -1 to 1.
    pub rho: f64,
    /// The probability of a coefficient at least as far from 0 if the variables were independent.
    pub p_value: f64,
    /// The number of pairs.
    pub pairs: usize,
}

/// Spearman's rank correlation (Spearman, "The proof and measurement of association between two things", American
/// Journal of Psychology, 1904): Pearson's correlation of the ranks, where equal values share the mean of their ranks.
/// The p-value is that of Student's t with n - 2 degrees of freedom. `None` for fewer than three pairs, or if one
/// variable is constant.
///
/// Example: 1 2 3 4 with 1 3 2 4 has the coefficient 0.8.
#[must_use]
pub fn spearman(pairs: &[(f64, f64)]) -> Option<Spearman> {
    if pairs.len() < 3 {
        return None;
    }
    let a = ranks(&pairs.iter().map(|&(a, _)| a).collect::<Vec<_>>());
    let b = ranks(&pairs.iter().map(|&(_, b)| b).collect::<Vec<_>>());
    let rho = pearson(&a, &b)?.clamp(-1.0, 1.0);
    let freedom = count(pairs.len()) - 2.0;
    // A coefficient of 1 has an infinite t.
    let p_value = match 1.0 - rho * rho {
        rest if rest <= f64::EPSILON => 0.0,
        rest => two_sided(rho * (freedom / rest).sqrt(), freedom),
    };
    Some(Spearman { rho, p_value, pairs: pairs.len() })
}

/// A number of things.
#[expect(clippy::cast_precision_loss, reason = "numbers of suites are far below 2^53")]
fn count(things: usize) -> f64 {
    things as f64
}

/// The rank of each value, from 1; equal values share the mean.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut first = 0;
    for equal in order.chunk_by(|&a, &b| values[a].total_cmp(&values[b]).is_eq()) {
        let mean = count(first) + (count(equal.len()) + 1.0) / 2.0;
        equal.iter().for_each(|&at| ranks[at] = mean);
        first += equal.len();
    }
    ranks
}

fn pearson(a: &[f64], b: &[f64]) -> Option<f64> {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / count(values.len());
    let (mean_a, mean_b) = (mean(a), mean(b));
    let (mut both, mut only_a, mut only_b) = (0.0, 0.0, 0.0);
    for (a, b) in a.iter().zip(b) {
        both += (a - mean_a) * (b - mean_b);
        only_a += (a - mean_a) * (a - mean_a);
        only_b += (b - mean_b) * (b - mean_b);
    }
    (only_a > 0.0 && only_b > 0.0).then(|| both / (only_a * only_b).sqrt())
}

/// The probability that Student's t with this freedom is at least as far from 0.
fn two_sided(t: f64, freedom: f64) -> f64 {
    incomplete_beta(freedom / 2.0, 0.5, freedom / (freedom + t * t))
}

/// The regularized incomplete beta function, by its continued fraction (Lentz's method; Press et al., *Numerical
/// Recipes*, section 6.4).
fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return if x <= 0.0 { 0.0 } else { 1.0 };
    }
    // The fraction converges fast on this side only.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(b, a, 1.0 - x);
    }
    let factor = log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * x.ln() + b * (1.0 - x).ln();
    factor.exp() * beta_fraction(a, b, x) / a
}

fn beta_fraction(a: f64, b: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let away = |value: f64| if value.abs() < TINY { TINY } else { value };
    let (mut c, mut d) = (1.0, 1.0 / away(1.0 - (a + b) * x / (a + 1.0)));
    let mut fraction = d;
    for m in 1..300 {
        let m = f64::from(m);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        for term in [even, odd] {
            d = 1.0 / away(1.0 + term * d);
            c = away(1.0 + term / c);
            fraction *= d * c;
        }
        if (d * c - 1.0).abs() < 1e-14 {
            break;
        }
    }
    fraction
}

/// The logarithm of the gamma function for positive numbers (Lanczos, SIAM Journal on Numerical Analysis, 1964).
fn log_gamma(x: f64) -> f64 {
    const COEFFICIENTS: [f64; 6] = [
        76.180_091_729_471_46,
        -86.505_320_329_416_77,
        24.014_098_240_830_91,
        -1.231_739_572_450_155,
        0.001_208_650_973_866_179,
        -0.000_005_395_239_384_953,
    ];
    let shifted = x + 5.5;
    let sum = COEFFICIENTS
        .iter()
        .zip(1..)
        .fold(1.000_000_000_190_015, |sum, (c, at)| sum + c / (x + f64::from(at)));
    (x + 0.5) * shifted.ln() - shifted + (2.506_628_274_631_000_5 * sum / x).ln()
}

#[cfg(test)]
mod tests {
    use super::spearman;

    /// Expected values are those of SciPy's `spearmanr`.
    #[test]
    fn coefficients_and_p_values_are_those_of_another_program() {
        let check = |a: &[f64], b: &[f64], rho: f64, p: f64| {
            let pairs: Vec<(f64, f64)> = a.iter().copied().zip(b.iter().copied()).collect();
            let found = spearman(&pairs).expect("both vary");
            assert!((found.rho - rho).abs() < 1e-9, "{found:?}");
            assert!((found.p_value - p).abs() < 1e-9, "{found:?}");
        };
        check(&[1.0, 2.0, 3.0, 4.0], &[1.0, 3.0, 2.0, 4.0], 0.8, 0.2);
        let (a, b) = ([1.0, 2.0, 3.0, 4.0, 5.0], [5.0, 6.0, 7.0, 8.0, 7.0]);
        check(&a, &b, 0.820_782_681_668_123_3, 0.088_587_005_313_543_79);
    }

    #[test]
    fn a_monotonic_relation_is_perfect_and_a_constant_one_is_none() {
        let rising: Vec<(f64, f64)> = (1..20).map(|n| (f64::from(n), f64::from(n * n))).collect();
        assert_eq!(spearman(&rising).map(|found| (found.rho, found.p_value)), Some((1.0, 0.0)));
        let flat: Vec<(f64, f64)> = (1..20).map(|n| (f64::from(n), 3.0)).collect();
        assert_eq!(spearman(&flat), None);
        assert_eq!(spearman(&rising[..2]), None);
    }
}

//! Medians, means, the signed-rank test of Wilcoxon ("Individual comparisons by ranking methods", Biometrics Bulletin,
//! 1945) and the effect size d of Cohen (*Statistical Power Analysis for the Behavioral Sciences*, 1988).

/// The mean; 0 of nothing.
pub(super) fn mean(values: &[f64]) -> f64 {
    if values.is_empty() { 0.0 } else { values.iter().sum::<f64>() / count(values.len()) }
}

/// The median; 0 of nothing.
pub(super) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match (sorted.len(), sorted.len() / 2) {
        (0, _) => 0.0,
        (length, middle) if length % 2 == 1 => sorted[middle],
        (_, middle) => f64::midpoint(sorted[middle - 1], sorted[middle]),
    }
}

/// Cohen's d of paired differences: their mean over their standard deviation, without its sign.
pub(super) fn cohens_d(differences: &[f64]) -> f64 {
    let mean_difference = mean(differences);
    let squares: f64 = differences.iter().map(|value| (value - mean_difference).powi(2)).sum();
    let deviation = (squares / (count(differences.len()) - 1.0).max(1.0)).sqrt();
    if deviation == 0.0 { 0.0 } else { (mean_difference / deviation).abs() }
}

/// The two-sided p-value of the signed-rank test, by the normal approximation with correction for ties. Pairs without a
/// difference do not count.
pub(super) fn wilcoxon(differences: &[f64]) -> f64 {
    let mut values: Vec<f64> = differences.iter().copied().filter(|value| *value != 0.0).collect();
    if values.is_empty() {
        return 1.0;
    }
    values.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
    let (mut positive, mut ties, mut first) = (0.0, 0.0, 0);
    for equal in values.chunk_by(|a, b| a.abs().total_cmp(&b.abs()).is_eq()) {
        let size = count(equal.len());
        let rank = count(first) + f64::midpoint(size, 1.0);
        positive += rank * count(equal.iter().filter(|value| **value > 0.0).count());
        ties += size.powi(3) - size;
        first += equal.len();
    }
    let n = count(values.len());
    let expected = n * (n + 1.0) / 4.0;
    let variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - ties / 48.0;
    match variance > 0.0 {
        true => (2.0 * tail(((positive - expected) / variance.sqrt()).abs())).min(1.0),
        false => 1.0,
    }
}

/// The probability that a standard normal variable is larger (Abramowitz and Stegun, *Handbook of Mathematical Functions*,
/// 26.2.17).
fn tail(z: f64) -> f64 {
    const FACTORS: [f64; 5] =
        [0.319_381_530, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
    let t = 1.0 / (1.0 + 0.231_641_9 * z);
    let sum = FACTORS.iter().rev().fold(0.0, |sum, factor| (sum + factor) * t);
    (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt() * sum
}

#[expect(clippy::cast_precision_loss, reason = "numbers of inputs are far below 2^53")]
pub(super) fn count(things: usize) -> f64 {
    things as f64
}

#[cfg(test)]
mod tests {
    use super::{cohens_d, median, wilcoxon};

    #[test]
    fn medians() {
        assert!((median(&[3.0, 1.0, 2.0]) - 2.0).abs() < 1e-12);
        assert!((median(&[4.0, 1.0, 2.0, 3.0]) - 2.5).abs() < 1e-12);
    }

    /// Expected values are those of SciPy: `wilcoxon(x, method="approx", correction=False)`.
    #[test]
    fn signed_ranks_are_those_of_another_program() {
        let check = |differences: &[f64], p: f64| {
            let found = wilcoxon(differences);
            assert!((found - p).abs() < 1e-6, "{found} instead of {p}");
        };
        check(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0], 0.005_062_032_126_267_864);
        check(&[1.0, -2.0, 3.0, -4.0, 5.0, 6.0, 7.0, 8.0], 0.092_891_940_883_705_32);
        check(&[0.0, 0.0], 1.0);
    }

    #[test]
    fn effect_sizes() {
        assert!((cohens_d(&[1.0, 2.0, 3.0]) - 2.0).abs() < 1e-12);
        assert!(cohens_d(&[1.0, 1.0]).abs() < 1e-12);
    }
}

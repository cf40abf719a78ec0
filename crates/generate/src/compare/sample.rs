//! Several measurements of one thing.

/// Numbers in the order in which they were measured.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sample(Vec<u64>);

impl Sample {
    /// Adds a measurement.
    pub fn push(&mut self, value: u64) {
        self.0.push(value);
    }

    /// All measurements.
    #[must_use]
    pub fn values(&self) -> &[u64] {
        &self.0
    }

    /// Whether nothing was measured.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The mean; 0 of nothing.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a mean for people")]
    pub fn average(&self) -> f64 {
        let sum: u128 = self.0.iter().map(|&value| u128::from(value)).sum();
        sum as f64 / self.0.len().max(1) as f64
    }

    /// The smallest; 0 of nothing.
    #[must_use]
    pub fn smallest(&self) -> u64 {
        self.0.iter().copied().min().unwrap_or(0)
    }

    /// The largest; 0 of nothing.
    #[must_use]
    pub fn largest(&self) -> u64 {
        self.0.iter().copied().max().unwrap_or(0)
    }

    /// How many times as large as the smallest the largest is; 1 if the smallest is 0.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a ratio for people")]
    pub fn ratio(&self) -> f64 {
        match self.smallest() {
            0 => 1.0,
            smallest => self.largest() as f64 / smallest as f64,
        }
    }
}

impl FromIterator<u64> for Sample {
    fn from_iter<T: IntoIterator<Item = u64>>(values: T) -> Self {
        Self(values.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::Sample;

    fn check(values: &[u64], average: f64, smallest: u64, largest: u64, ratio: f64) {
        let sample: Sample = values.iter().copied().collect();
        assert!((sample.average() - average).abs() < 1e-9);
        assert_eq!((sample.smallest(), sample.largest()), (smallest, largest));
        assert!((sample.ratio() - ratio).abs() < 1e-9);
    }

    #[test]
    fn samples_are_summed_up() {
        check(&[], 0.0, 0, 0, 1.0);
        check(&[7], 7.0, 7, 7, 1.0);
        check(&[4, 1, 4], 3.0, 1, 4, 4.0);
        check(&[0, 3], 1.5, 0, 3, 1.0);
    }
}

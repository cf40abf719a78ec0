//! What is said about a program's answer to a test.

use gramercy_base::named::{Choice, Named, choice};

/// What is said about a program's answer to a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The program did what was expected.
    Pass,
    /// It rejected a test that is in the language.
    RejectedPositive,
    /// It accepted a test that is not in the language.
    AcceptedNegative,
    /// It rejected a negative test at another place than that of the first error.
    WrongPlace,
    /// It died by a signal, or a sanitizer or runtime reported an error.
    Crash,
    /// It did not end in time.
    Hang,
    /// It used more of a resource than it may.
    Limit,
    /// It answered differently when it was asked again.
    Flaky,
    /// It ended before it read the test.
    Broken,
}

impl Named for Verdict {
    const CHOICES: &'static [Choice<Self>] = &[
        choice(Self::Pass, "pass", "the program did what was expected"),
        choice(Self::RejectedPositive, "rejected-positive", "it rejected a test of the language"),
        choice(
            Self::AcceptedNegative,
            "accepted-negative",
            "it accepted a test that is not in the language",
        ),
        choice(
            Self::WrongPlace,
            "wrong-place",
            "it reported another place than that of the first error",
        ),
        choice(Self::Crash, "crash", "it died by a signal, or reported an error of its own"),
        choice(Self::Hang, "hang", "it did not end in time"),
        choice(Self::Limit, "limit", "it used more of a resource than it may"),
        choice(Self::Flaky, "flaky", "it answered differently when it was asked again"),
        choice(Self::Broken, "broken", "it ended before it read the test"),
    ];
}

impl Verdict {
    /// The number of verdicts.
    pub const COUNT: usize = 9;

    /// All of them, in the order of reports.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::CHOICES.iter().map(|choice| choice.value)
    }

    /// Its number in a journal.
    #[must_use]
    pub fn number(self) -> usize {
        self as usize
    }

    /// The verdict of a number.
    #[must_use]
    pub fn of_number(number: usize) -> Option<Self> {
        Self::CHOICES.get(number).map(|choice| choice.value)
    }

    /// Whether somebody should look at it.
    #[must_use]
    pub fn is_finding(self) -> bool {
        self != Self::Pass
    }
}

/// How many tests have each verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts([u64; Verdict::COUNT]);

impl Counts {
    /// Adds to a verdict's count.
    pub fn add(&mut self, verdict: Verdict, tests: u64) {
        self.0[verdict.number()] += tests;
    }

    /// A verdict's count.
    #[must_use]
    pub fn of(&self, verdict: Verdict) -> u64 {
        self.0[verdict.number()]
    }

    /// All tests.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// All tests that somebody should look at.
    #[must_use]
    pub fn findings(&self) -> u64 {
        self.total() - self.of(Verdict::Pass)
    }
}

#[cfg(test)]
mod tests {
    use super::Verdict;

    #[test]
    fn numbers_lead_back() {
        assert_eq!(Verdict::all().count(), Verdict::COUNT);
        for verdict in Verdict::all() {
            assert_eq!(Verdict::of_number(verdict.number()), Some(verdict));
        }
    }
}

//! What holds for every test of a suite, whatever the strategy.

use std::fmt;
use std::str::FromStr;

use gramercy_coverage::TargetSet;
use gramercy_derive::Obstacle;

/// What holds for every test of a suite.
#[derive(Clone, Debug)]
pub struct Options {
    /// The suite ends after this number of tests.
    pub limit: Option<u64>,
    /// Of the whole suite only this part is kept.
    pub shard: Option<Shard>,
    /// Chooses among lexemes.
    pub seed: u64,
    /// How many other candidates are tried for a goal whose first one cannot be written.
    pub max_attempts: u32,
    /// Which tests are the same.
    pub merge: Merge,
    /// How large a test may be.
    pub bounds: Bounds,
    /// The numbers of the only tests of the whole suite that are kept, if not all.
    pub kept: Option<Kept>,
    /// Whether tests are left out that the parser of the notation's own tool rejects.
    pub accepted_by_tool: bool,
}

/// The tests of a suite that are kept, by their numbers from 1.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    numbers: TargetSet,
    last: u64,
}

impl Kept {
    /// Tests by their numbers from 0.
    #[must_use]
    pub fn new(tests: &[usize]) -> Self {
        let numbers: TargetSet = tests.iter().map(|&test| test as u64 + 1).collect();
        Self { last: tests.iter().max().map_or(0, |&test| test as u64 + 1), numbers }
    }

    /// Whether a test is kept.
    #[must_use]
    pub fn has(&self, test: u64) -> bool {
        self.numbers.contains(test)
    }

    /// Whether no test after this one is kept.
    #[must_use]
    pub fn ends_with(&self, test: u64) -> bool {
        test >= self.last
    }
}

/// How large a test may be, and must be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// Tokens.
    pub tokens: Option<usize>,
    /// Bytes of text.
    pub bytes: Option<usize>,
    /// Bytes that a text must have at least.
    pub least_bytes: Option<usize>,
}

impl Bounds {
    /// What is wrong with this number of tokens.
    #[must_use]
    pub fn of_tokens(&self, tokens: usize) -> Option<Obstacle> {
        self.tokens.is_some_and(|most| tokens > most).then_some(Obstacle::TooManyTokens(tokens))
    }

    /// What is wrong with these numbers of tokens and bytes.
    #[must_use]
    pub fn obstacle(&self, tokens: usize, bytes: usize) -> Option<Obstacle> {
        if self.bytes.is_some_and(|most| bytes > most) {
            return Some(Obstacle::TooManyBytes(bytes));
        }
        if self.least_bytes.is_some_and(|least| bytes < least) {
            return Some(Obstacle::TooFewBytes(bytes));
        }
        self.of_tokens(tokens)
    }
}

/// Which tests are the same, so that only the first is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Merge {
    /// Those of equal token strings.
    Sentences,
    /// Those of equal texts.
    Texts,
    /// None.
    Nothing,
}

impl Merge {
    /// Whether equal sentences are merged.
    #[must_use]
    pub fn is_by_sentence(self) -> bool {
        self == Merge::Sentences
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            limit: None,
            shard: None,
            seed: 0,
            max_attempts: 48,
            merge: Merge::Sentences,
            bounds: Bounds::default(),
            kept: None,
            accepted_by_tool: false,
        }
    }
}

/// One of several parts of a suite: test number t belongs to part t modulo their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: u64,
    count: u64,
}

impl Shard {
    /// Part `index` of `count`, counted from 1; `None` if there is no such part.
    #[must_use]
    pub fn new(index: u64, count: u64) -> Option<Self> {
        (1 <= index && index <= count).then_some(Self { index, count })
    }

    /// Its number, from 1.
    #[must_use]
    pub fn index(self) -> u64 {
        self.index
    }

    /// The number of parts.
    #[must_use]
    pub fn count(self) -> u64 {
        self.count
    }

    /// Whether a test belongs to it.
    #[must_use]
    pub fn has(self, test: u64) -> bool {
        test % self.count == self.index % self.count
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/');
        let numbers = parts.and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        let (index, count) = numbers.ok_or("a shard is two numbers, such as 1/4")?;
        Self::new(index, count).ok_or_else(|| format!("shards of {count} go from 1 to {count}"))
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::Shard;

    #[test]
    fn every_test_belongs_to_exactly_one_shard() {
        let shards: Vec<Shard> = (1..=3).filter_map(|index| Shard::new(index, 3)).collect();
        for test in 1..20 {
            assert_eq!(shards.iter().filter(|shard| shard.has(test)).count(), 1);
        }
        assert!(shards[0].has(1) && shards[2].has(3));
    }

    #[test]
    fn shards_are_read_and_written() {
        assert_eq!("2/4".parse::<Shard>().map(|shard| shard.to_string()), Ok("2/4".to_owned()));
        for wrong in ["0/4", "5/4", "1", "a/b", "1/0", ""] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}

//! What makes a text interesting.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use gramercy_subject::SubjectError;

/// Tells interesting texts from others. It is asked from several threads at the same time.
pub trait Condition: Sync {
    /// Whether a text is interesting.
    ///
    /// # Errors
    /// If that cannot be found out.
    fn is_interesting(&self, content: &[u8]) -> Result<bool, ConditionError>;
}

impl<F: Fn(&[u8]) -> bool + Sync> Condition for F {
    fn is_interesting(&self, content: &[u8]) -> Result<bool, ConditionError> {
        Ok(self(content))
    }
}

/// Why a text cannot be judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConditionError {
    /// The program cannot be run.
    Subject(SubjectError),
    /// The other end of the conversation has closed.
    Closed,
}

impl fmt::Display for ConditionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Subject(error) => error.fmt(f),
            Self::Closed => f.write_str("the connection was closed"),
        }
    }
}

impl std::error::Error for ConditionError {}

impl From<SubjectError> for ConditionError {
    fn from(error: SubjectError) -> Self {
        Self::Subject(error)
    }
}

/// A condition that must say several times that a text is interesting. A text that is not interesting is not asked
/// about again: a text that is interesting only now and then is not taken.
#[derive(Debug)]
pub struct Confirmed<C> {
    condition: C,
    more: u32,
    flaky: AtomicU64,
}

impl<C: Condition> Confirmed<C> {
    /// Asks this number of times more.
    pub fn new(condition: C, more: u32) -> Self {
        Self { condition, more, flaky: AtomicU64::new(0) }
    }

    /// The number of texts that were interesting once, and then not.
    pub fn flaky(&self) -> u64 {
        self.flaky.load(Ordering::Relaxed)
    }
}

impl<C: Condition> Condition for Confirmed<C> {
    fn is_interesting(&self, content: &[u8]) -> Result<bool, ConditionError> {
        if !self.condition.is_interesting(content)? {
            return Ok(false);
        }
        for _ in 0..self.more {
            if !self.condition.is_interesting(content)? {
                self.flaky.fetch_add(1, Ordering::Relaxed);
                return Ok(false);
            }
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::{Condition, Confirmed};

    #[test]
    fn what_is_interesting_now_and_then_is_flaky() {
        let asked = AtomicU32::new(0);
        let every_other = |_: &[u8]| asked.fetch_add(1, Ordering::Relaxed).is_multiple_of(2);
        let confirmed = Confirmed::new(every_other, 2);
        assert_eq!(confirmed.is_interesting(b"x"), Ok(false));
        assert_eq!(confirmed.flaky(), 1);
    }
}

//! One face over every way to run a program under test.

use std::fmt;

use crate::observation::Observation;

/// Runs a program under test.
pub trait Subject {
    /// Runs the program on each test, in order, and appends one observation per test.
    ///
    /// # Errors
    /// If the program cannot be started, or the machine gives out. What was observed before stays appended.
    fn observe(
        &mut self,
        tests: &[&[u8]],
        observations: &mut Vec<Observation>,
    ) -> Result<(), SubjectError>;

    /// How many tests are best handed over at once.
    fn batch(&self) -> usize {
        1
    }
}

impl<S: Subject + ?Sized> Subject for Box<S> {
    fn observe(
        &mut self,
        tests: &[&[u8]],
        observations: &mut Vec<Observation>,
    ) -> Result<(), SubjectError> {
        (**self).observe(tests, observations)
    }

    fn batch(&self) -> usize {
        (**self).batch()
    }
}

/// Why a program could not be run. A program that merely fails is an observation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SubjectError {
    /// The command cannot be started; why.
    CannotStart {
        /// The command's first word.
        program: String,
        /// Why, without a final period.
        reason: String,
    },
    /// The machine refused something that every run needs; what.
    Machine(String),
}

impl fmt::Display for SubjectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CannotStart { program, reason } => {
                write!(f, "cannot start `{program}`: {reason}")
            }
            Self::Machine(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for SubjectError {}

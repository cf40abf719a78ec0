//! A subject without any process, for tests of what is built on subjects.

use crate::observation::Observation;
use crate::subject::{Subject, SubjectError};

/// A function from tests to observations.
#[derive(Clone, Debug)]
pub struct Mock<F> {
    observe: F,
    batch: usize,
}

impl<F: FnMut(&[u8]) -> Observation> Mock<F> {
    /// A subject that does what the function says.
    pub fn new(observe: F) -> Self {
        Self { observe, batch: 1 }
    }

    /// The same, with this number of tests at once.
    #[must_use]
    pub fn with_batch(self, batch: usize) -> Self {
        Self { batch, ..self }
    }
}

impl<F: FnMut(&[u8]) -> Observation> Subject for Mock<F> {
    fn observe(
        &mut self,
        tests: &[&[u8]],
        observations: &mut Vec<Observation>,
    ) -> Result<(), SubjectError> {
        observations.extend(tests.iter().map(|test| (self.observe)(test)));
        Ok(())
    }

    fn batch(&self) -> usize {
        self.batch
    }
}

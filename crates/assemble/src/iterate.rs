//! A suite as an iterator: a thread makes the tests, and waits while nobody takes them.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use gramercy_language::Language;
use gramercy_suite::{Document, Sink, SinkError, Test, Wants};

use crate::recipe::Recipe;
use crate::suite::{SuiteError, suite};

/// A test that owns what it consists of.
pub type OwnedTest = Document<'static>;

/// How many tests wait to be taken.
const WAITING: usize = 64;

/// The tests of a suite, one after the other. An error is the last item.
#[derive(Debug)]
pub struct Tests {
    tests: Receiver<Result<OwnedTest, SuiteError>>,
}

impl Tests {
    /// The tests of a recipe.
    #[must_use]
    pub fn new(language: &Language, recipe: &Recipe) -> Self {
        let (sender, tests) = sync_channel(WAITING);
        let (language, recipe) = (language.clone(), recipe.clone());
        thread::spawn(move || {
            let mut sink = Channel { sender: sender.clone(), is_closed: false };
            let made = suite(&language, &recipe, &mut sink, &mut ());
            if let (Err(error), false) = (made, sink.is_closed) {
                // A caller that drops the iterator does not need the error either.
                let _ = sender.send(Err(error));
            }
        });
        Self { tests }
    }
}

impl Iterator for Tests {
    type Item = Result<OwnedTest, SuiteError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.tests.recv().ok()
    }
}

/// Hands tests to another thread.
struct Channel {
    sender: SyncSender<Result<OwnedTest, SuiteError>>,
    is_closed: bool,
}

impl Sink for Channel {
    fn wants(&self) -> Wants {
        Wants { text: true, tokens: true, target: true, covers: true, rejection: true }
    }

    fn put(&mut self, test: &Test<'_>) -> Result<(), SinkError> {
        if self.sender.send(Ok(Document::of(test).into_owned())).is_err() {
            self.is_closed = true;
            return Err(std::io::Error::from(std::io::ErrorKind::BrokenPipe).into());
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        Ok(())
    }
}

//! Works on all inputs of a command in parallel; results come in the order of the inputs.

use std::ops::ControlFlow;
use std::sync::mpsc::sync_channel;

use gramercy::base::parallel;
use gramercy::suite::{Corpus, CorpusError, Input};

/// The inputs that a command was given.
pub(super) struct Inputs<'i> {
    /// Texts from the command line, which come first.
    pub(super) texts: &'i [String],
    /// Files, folders, archives.
    pub(super) corpus: Corpus,
    pub(super) jobs: usize,
}

impl Inputs<'_> {
    /// Hands every input to one of the workers and consumes the results in order, until the consumer
    /// breaks off. Inputs are read ahead by a few only.
    pub(super) fn for_each<S, R: Send>(
        &self,
        worker: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, Result<Input, CorpusError>) -> R + Sync,
        consume: impl FnMut(R) -> ControlFlow<()>,
    ) {
        let (sender, inputs) = sync_channel(2 * self.jobs);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                // The receiver only hangs up early if nobody wants the rest.
                let sender = sender;
                self.read(|input| match sender.send(input) {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(_) => ControlFlow::Break(()),
                });
            });
            parallel::in_order(self.jobs, inputs.into_iter(), worker, work, consume);
        });
    }

    fn read(&self, mut visit: impl FnMut(Result<Input, CorpusError>) -> ControlFlow<()>) {
        for (number, text) in (1..).zip(self.texts) {
            let name = format!("text {number}");
            if visit(Ok(Input::new(name, text.clone().into_bytes()))).is_break() {
                return;
            }
        }
        self.corpus.for_each(visit);
    }
}

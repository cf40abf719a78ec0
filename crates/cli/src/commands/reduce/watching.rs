//! Progress of a reduction, and Ctrl-C.

use std::ops::ControlFlow;

use gramercy::campaign::reduce::{Observer, Progress as Reached};

use crate::interrupt::Interrupt;
use crate::progress::Progress;
use crate::render::numbers::grouped;

/// Shows sizes and the rate of runs, and notices when the user interrupts the reduction.
pub(super) struct Watching {
    line: Progress,
    interrupt: Interrupt,
    before: usize,
}

impl Watching {
    pub(super) fn new(before: usize, quiet: bool) -> Self {
        Self { line: Progress::of("runs", quiet), interrupt: Interrupt::listen(), before }
    }
}

impl Observer for Watching {
    fn progress(&mut self, reached: Reached<'_>) -> ControlFlow<()> {
        let size = format!(
            "{} -> {} bytes, {} tokens, {}",
            grouped(self.before as u64),
            grouped(reached.text.len() as u64),
            grouped(reached.tokens as u64),
            reached.stage.as_str(),
        );
        self.line.show_with(reached.executed, &size);
        match self.interrupt.is_wanted() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

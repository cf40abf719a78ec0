//! A budget in units of work, not in time, so that every run finds the same.

/// Work that may still be done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Work {
    left: usize,
}

impl Work {
    pub(crate) fn new(units: usize) -> Self {
        Self { left: units }
    }

    /// Takes so many units; `false` if there were not so many left.
    pub(crate) fn spend(&mut self, units: usize) -> bool {
        let is_enough = self.left >= units;
        self.left = self.left.saturating_sub(units);
        is_enough
    }

    /// Does something with at most so much of this work.
    pub(crate) fn lend<T>(&mut self, units: usize, task: impl FnOnce(&mut Work) -> T) -> T {
        let lent = units.min(self.left);
        let mut part = Work { left: lent };
        let result = task(&mut part);
        self.left -= lent - part.left;
        result
    }

    /// Does something with at most one part in so many of this work.
    pub(crate) fn lend_part<T>(&mut self, parts: usize, task: impl FnOnce(&mut Work) -> T) -> T {
        self.lend(self.left / parts, task)
    }
}

//! A budget in units of work instead of time, so that every run has the same result.

/// The remaining budget.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Work {
    left: usize,
}

impl Work {
    pub(crate) fn new(units: usize) -> Self {
        Self { left: units }
    }

    /// Spends units; `false` if there are not enough left.
    pub(crate) fn spend(&mut self, units: usize) -> bool {
        let is_enough = self.left >= units;
        self.left = self.left.saturating_sub(units);
        is_enough
    }

    /// Runs a task with at most this many units of the budget.
    pub(crate) fn lend<T>(&mut self, units: usize, task: impl FnOnce(&mut Work) -> T) -> T {
        let lent = units.min(self.left);
        let mut part = Work { left: lent };
        let result = task(&mut part);
        self.left -= lent - part.left;
        result
    }

    /// Runs a task with at most this fraction of the budget, as a divisor.
    pub(crate) fn lend_part<T>(&mut self, parts: usize, task: impl FnOnce(&mut Work) -> T) -> T {
        self.lend(self.left / parts, task)
    }
}

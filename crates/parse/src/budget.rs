//! How much time and memory one input may take.
//!
//! Whatever reads an input counts its steps, and looks at the clock and at its own memory once in some thousand of
//! them. What it has made when a limit is reached is dropped: the verdict on the input is not known.

use std::time::{Duration, Instant};

/// The limits of one input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputLimits {
    /// Bytes that stacks, forest and tree may take together.
    pub memory: usize,
    /// The time that reading it may take.
    pub time: Option<Duration>,
}

impl Default for InputLimits {
    /// No limits.
    fn default() -> Self {
        Self { memory: usize::MAX, time: None }
    }
}

/// The limit that an input reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputLimit {
    /// It needs more memory than is allowed.
    Memory,
    /// It needs more time than is allowed.
    Time,
}

/// What is left for one input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    memory: usize,
    deadline: Option<Instant>,
    steps: u64,
    /// When to look at the clock and the memory next.
    next_check: u64,
    stop: Option<InputLimit>,
}

/// Steps between two looks at the clock.
const INTERVAL: u64 = 4096;

impl Budget {
    /// The budget of an input whose reading begins now.
    pub(crate) fn new(limits: &InputLimits) -> Self {
        Self {
            memory: limits.memory,
            deadline: limits.time.and_then(|time| Instant::now().checked_add(time)),
            steps: 0,
            next_check: INTERVAL,
            stop: None,
        }
    }

    pub(crate) fn unlimited() -> Self {
        Self::new(&InputLimits::default())
    }

    /// Counts a step; whether it is time to [`check`](Self::check).
    #[inline]
    pub(crate) fn step(&mut self) -> bool {
        self.steps(1)
    }

    /// Counts several steps; whether it is time to [`check`](Self::check).
    #[inline]
    pub(crate) fn steps(&mut self, count: u64) -> bool {
        self.steps += count;
        self.steps >= self.next_check
    }

    /// How many steps were counted.
    #[inline]
    pub(crate) fn steps_so_far(&self) -> u64 {
        self.steps
    }

    /// Whether nothing more may be done.
    #[inline]
    pub(crate) fn is_spent(&self) -> bool {
        self.stop.is_some()
    }

    pub(crate) fn stop(&self) -> Option<InputLimit> {
        self.stop
    }

    /// Compares clock and memory with the limits.
    #[cold]
    pub(crate) fn check(&mut self, memory: usize) -> Result<(), InputLimit> {
        self.next_check = self.steps + INTERVAL;
        let found = if memory > self.memory {
            Some(InputLimit::Memory)
        } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Some(InputLimit::Time)
        } else {
            None
        };
        self.stop = self.stop.or(found);
        self.stop.map_or(Ok(()), Err)
    }
}

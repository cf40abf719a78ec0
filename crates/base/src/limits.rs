//! Bounds on everything that may grow. Reaching a bound is a diagnostic that names it and the
//! option that raises it; the process is never killed for it.

use std::fmt;
use std::time::Duration;

/// The bounds for every phase that may grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// States of one automaton.
    pub states: usize,
    /// Bytes of one grammar file.
    pub file_bytes: usize,
    /// Bytes of one input.
    pub input_bytes: usize,
    /// Bytes of memory that reading one input may take.
    pub input_memory: usize,
    /// Time that reading one input may take.
    pub input_time: Option<Duration>,
    /// Nesting of parentheses, braces and the like in a grammar file.
    pub nesting: usize,
    /// Symbols of the BNF core after the expansion of repetitions.
    pub symbols: usize,
    /// Targets of one criterion.
    pub targets: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            states: 2_000_000,
            file_bytes: 32 << 20,
            input_bytes: 256 << 20,
            input_memory: usize::MAX,
            input_time: None,
            nesting: 500,
            symbols: 20_000_000,
            targets: 8_000_000_000,
        }
    }
}

/// A bound was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitReached {
    /// What was counted, as a plural noun: "states of the LR(1) automaton".
    pub what: &'static str,
    /// The bound.
    pub limit: usize,
    /// The command line option that raises it, if there is one.
    pub option: Option<&'static str>,
}

impl fmt::Display for LimitReached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "more than {} {}", self.limit, self.what)?;
        match self.option {
            Some(option) => write!(f, "; raise the limit with {option}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for LimitReached {}

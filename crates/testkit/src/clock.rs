//! Time on a processor, which does not count what others do on a busy machine, and memory: for benchmarks.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// The time that this thread was on a processor so far.
///
/// # Panics
/// If the system's clock runs before its epoch.
#[must_use]
pub fn on_processor() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).expect("invariant: time passes")
}

/// The most kilobytes that this process ever had; 0 where the system does not tell.
#[must_use]
pub fn peak_memory() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|size| size.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}

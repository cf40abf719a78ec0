//! Best times of several runs.

use std::time::{Duration, Instant};

pub(crate) use gramercy_testkit::clock::on_processor;

/// How often something is timed; the best counts.
const TIMES: usize = 4;
/// What is timed is repeated until it took this long.
const LONG: Duration = Duration::from_millis(60);

/// The time that something takes on one core, and what it gives.
pub(crate) fn once<T>(run: impl FnOnce() -> T) -> (Duration, T) {
    let begun = on_processor();
    let result = run();
    (on_processor() - begun, result)
}

/// The shortest time of something that is done several times and says how long it took, and what the last one
/// gave.
pub(crate) fn best<T>(mut run: impl FnMut() -> (Duration, T)) -> (Duration, T) {
    shortest(|| {
        let (mut all, mut rounds) = (Duration::ZERO, 0);
        loop {
            let (time, result) = run();
            (all, rounds) = (all + time, rounds + 1);
            if all >= LONG {
                return (all / rounds, result);
            }
        }
    })
}

/// The shortest of a few times, and what the last one gave.
pub(crate) fn shortest<T>(mut timed: impl FnMut() -> (Duration, T)) -> (Duration, T) {
    let (mut best, mut last) = timed();
    for _ in 1..TIMES {
        let (time, result) = timed();
        (best, last) = (best.min(time), result);
    }
    (best, last)
}

/// The time as a clock on the wall sees it.
pub(crate) fn on_the_wall() -> Duration {
    static BEGUN: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    BEGUN.get_or_init(Instant::now).elapsed()
}

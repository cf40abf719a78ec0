//! Time on a processor, which does not count what others do on a busy machine.

use std::time::{Duration, Instant};

/// How often something is timed; the best counts.
const TIMES: usize = 4;
/// What is timed is repeated until it took so long: the system counts in steps of some milliseconds.
const LONG: Duration = Duration::from_millis(60);

/// The time that this thread was on a processor so far, where the system tells.
fn on_processor() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

/// The shortest time on one core of something that is done several times, and what the last one gave.
pub(crate) fn best<T>(mut run: impl FnMut() -> T) -> (Duration, T) {
    shortest(|| {
        let (mut all, mut rounds) = (Duration::ZERO, 0);
        loop {
            let (time, result) = once(&mut run);
            (all, rounds) = (all + time, rounds + 1);
            if all >= LONG {
                return (all / rounds, result);
            }
        }
    })
}

/// The time on one core of something long that is done once, and what it gave.
pub(crate) fn once<T>(run: impl FnOnce() -> T) -> (Duration, T) {
    let (begun, wall) = (on_processor(), Instant::now());
    let result = run();
    let time = begun.zip(on_processor()).map(|(from, to)| to.saturating_sub(from));
    (time.unwrap_or_else(|| wall.elapsed()), result)
}

/// The shortest time as a clock on the wall sees it, and what the last one gave.
pub(crate) fn best_on_the_wall<T>(mut run: impl FnMut() -> T) -> (Duration, T) {
    shortest(|| {
        let begun = Instant::now();
        let result = run();
        (begun.elapsed(), result)
    })
}

fn shortest<T>(mut timed: impl FnMut() -> (Duration, T)) -> (Duration, T) {
    let (mut best, mut last) = timed();
    for _ in 1..TIMES {
        let (time, result) = timed();
        (best, last) = (best.min(time), result);
    }
    (best, last)
}

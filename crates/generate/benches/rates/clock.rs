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
        let (begun, wall, mut rounds) = (on_processor(), Instant::now(), 0);
        loop {
            let result = run();
            rounds += 1;
            let time = begun.zip(on_processor()).map(|(from, to)| to.saturating_sub(from));
            let time = time.unwrap_or_else(|| wall.elapsed());
            if time >= LONG {
                return (time / rounds, result);
            }
        }
    })
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

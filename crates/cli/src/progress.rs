//! A line on standard error that says how far a long run has come: on a terminal only, after a second,
//! and gone at the end.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use crate::render::numbers::grouped;

/// When the line appears, and how often it changes.
const PATIENCE: Duration = Duration::from_secs(1);
const PERIOD: Duration = Duration::from_millis(100);

/// The line.
pub(crate) struct ProgressLine {
    begun: Instant,
    shown: Option<Instant>,
    is_wanted: bool,
}

impl ProgressLine {
    /// A line that is not shown yet; `is_wanted` is whether it ever may be.
    pub(crate) fn new(is_wanted: bool) -> Self {
        let is_wanted = is_wanted && io::stderr().is_terminal();
        Self { begun: Instant::now(), shown: None, is_wanted }
    }

    /// Shows so many things of all, and what they are.
    pub(crate) fn show(&mut self, made: u64, what: &str, done: u64, all: Option<u64>) {
        let now = Instant::now();
        let is_due = match self.shown {
            None => now - self.begun > PATIENCE,
            Some(shown) => now - shown > PERIOD,
        };
        if !self.is_wanted || !is_due {
            return;
        }
        self.shown = Some(now);
        let text = line(now - self.begun, made, what, done, all);
        let _ = write!(io::stderr().lock(), "\r\x1b[2K{text}");
    }

    /// Removes the line.
    pub(crate) fn clear(&mut self) {
        if self.shown.take().is_some() {
            let _ = write!(io::stderr().lock(), "\r\x1b[2K");
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "figures for people")]
#[expect(clippy::cast_possible_truncation, reason = "figures for people")]
#[expect(clippy::cast_sign_loss, reason = "times and counts are not negative")]
fn line(time: Duration, made: u64, what: &str, done: u64, all: Option<u64>) -> String {
    let seconds = time.as_secs_f64().max(1e-9);
    let rate = grouped((made as f64 / seconds) as u64);
    let mut text = format!("{} {what}, {rate}/s", grouped(made));
    if let Some(all) = all.filter(|&all| all > 0 && done > 0) {
        let share = done as f64 / all as f64;
        let left = (seconds / share - seconds).max(0.0);
        text.push_str(&format!(", {:.0} %, {left:.0} s left", 100.0 * share));
    }
    text
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    #[test]
    fn a_line_has_rate_and_time_left() {
        let text = super::line(Duration::from_secs(2), 3000, "tests", 25, Some(100));
        assert_eq!(text, "3,000 tests, 1,500/s, 25 %, 6 s left");
        assert_eq!(super::line(Duration::from_secs(2), 10, "tests", 5, None), "10 tests, 5/s");
    }
}

//! How far a long run has come, for people who watch it: on a terminal only, after a second, and gone
//! at the end.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::render::numbers::grouped;

/// What takes less time needs no bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// A bar on standard error.
pub(crate) struct Progress {
    began: Instant,
    what: &'static str,
    done: u64,
    wanted: bool,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Counts things of a kind, in the plural; `quiet` means that nobody wants to see it.
    pub(crate) fn of(what: &'static str, quiet: bool) -> Self {
        let wanted = !quiet && std::io::stderr().is_terminal();
        Self { began: Instant::now(), what, done: 0, wanted, bar: None }
    }

    /// One more is done, of nobody knows how many.
    pub(crate) fn step(&mut self) {
        self.done += 1;
        self.show(self.done, self.done, None);
    }

    /// The number of things that are made, and the share of the work that is done.
    pub(crate) fn show(&mut self, made: u64, done: u64, all: Option<u64>) {
        if self.wanted && self.bar.is_none() && self.began.elapsed() > PATIENCE {
            self.bar = Some(bar(all));
        }
        if let Some(bar) = &self.bar {
            bar.set_position(done);
            bar.set_message(figures(self.began.elapsed(), made, self.what));
        }
    }

    /// This number of things is done, with what was reached.
    pub(crate) fn show_with(&mut self, done: u64, reached: &str) {
        self.show(done, done, None);
        if let Some(bar) = &self.bar {
            let figures = figures(self.began.elapsed(), done, self.what);
            bar.set_message(format!("{reached}; {figures}"));
        }
    }

    /// Removes the bar.
    pub(crate) fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}

fn bar(all: Option<u64>) -> ProgressBar {
    let (bar, template) = match all {
        Some(all) => (ProgressBar::new(all), "{bar:20} {percent} %, {msg}, {eta} left"),
        None => (ProgressBar::new_spinner(), "{spinner} {msg}, {elapsed}"),
    };
    bar.with_style(ProgressStyle::with_template(template).expect("invariant: templates are ours"))
}

#[expect(clippy::cast_precision_loss, reason = "figures for people")]
#[expect(clippy::cast_possible_truncation, reason = "figures for people")]
#[expect(clippy::cast_sign_loss, reason = "times and counts are not negative")]
fn figures(time: Duration, made: u64, what: &str) -> String {
    let rate = made as f64 / time.as_secs_f64().max(1e-9);
    format!("{} {what}, {}/s", grouped(made), grouped(rate as u64))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    #[test]
    fn figures_have_a_rate() {
        let text = super::figures(Duration::from_secs(2), 3000, "tests");
        assert_eq!(text, "3,000 tests, 1,500/s");
    }
}

//! How far a long run has come, for people who watch it.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// What takes less time needs no bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// A bar on standard error, if that is a terminal; it appears when a run takes long.
pub(crate) struct Progress {
    began: Instant,
    what: &'static str,
    done: u64,
    wanted: bool,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Counts things of a kind, in the plural.
    pub(crate) fn of(what: &'static str, quiet: bool) -> Self {
        let wanted = !quiet && std::io::stderr().is_terminal();
        Self { began: Instant::now(), what, done: 0, wanted, bar: None }
    }

    /// One more is done.
    pub(crate) fn step(&mut self) {
        self.done += 1;
        if self.wanted && self.bar.is_none() && self.began.elapsed() > PATIENCE {
            self.bar = Some(bar(self.what));
        }
        if let Some(bar) = &self.bar {
            bar.set_position(self.done);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn bar(what: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {human_pos} {msg}, {per_sec}, {elapsed}");
    let style = style.expect("invariant: the template is ours");
    ProgressBar::new_spinner().with_style(style).with_message(what)
}

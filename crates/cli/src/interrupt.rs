//! Ctrl-C: the program ends with an exit code of its own, and what it has written stays. A command that
//! can end early asks to be told instead; then only the second one ends it at once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

use signal_hook::consts::SIGINT;
use signal_hook::flag;

use crate::outcome::INTERRUPTED;

/// Whether the next Ctrl-C ends the program. Signals belong to the process, so this does too.
static AT_ONCE: LazyLock<Arc<AtomicBool>> = LazyLock::new(|| Arc::new(AtomicBool::new(true)));

/// From now on, Ctrl-C ends the program with the code for it.
pub(crate) fn install() {
    // Where the signal cannot be had, the system's own way of ending is as good.
    let _ = flag::register_conditional_shutdown(SIGINT, INTERRUPTED, Arc::clone(&AT_ONCE));
    let _ = flag::register(SIGINT, Arc::clone(&AT_ONCE));
}

/// Whether the user wants no more.
pub(crate) struct Interrupt;

impl Interrupt {
    /// From now on, the first Ctrl-C is only remembered.
    pub(crate) fn listen() -> Self {
        AT_ONCE.store(false, Ordering::Relaxed);
        Self
    }

    /// Whether the user wants no more.
    pub(crate) fn is_wanted(&self) -> bool {
        AT_ONCE.load(Ordering::Relaxed)
    }
}

impl Drop for Interrupt {
    /// Nobody is left who would look.
    fn drop(&mut self) {
        AT_ONCE.store(true, Ordering::Relaxed);
    }
}

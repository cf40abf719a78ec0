//! Ctrl-C: the program ends with an exit code of its own, and what it has written stays.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::SIGINT;
use signal_hook::flag;

use crate::outcome::INTERRUPTED;

/// From now on, Ctrl-C ends the program with the code for it.
pub(crate) fn install() {
    let always = Arc::new(AtomicBool::new(true));
    // Where the signal cannot be had, the system's own way of ending is as good.
    let _ = flag::register_conditional_shutdown(SIGINT, INTERRUPTED, always);
}

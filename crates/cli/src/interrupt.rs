//! Ctrl-C: the program ends with an exit code of its own, and what it has written stays.

use crate::outcome::INTERRUPTED;

/// From now on, Ctrl-C ends the program with the code for it.
pub(crate) fn install() {
    // Where there is no such thing as Ctrl-C, the system's own way is as good.
    let _ = ctrlc::set_handler(|| std::process::exit(INTERRUPTED.into()));
}

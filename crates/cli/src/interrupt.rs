//! Ctrl-C: the first asks for a quiet end, with everything finished kept; the second ends at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::SIGINT;
use signal_hook::flag;

/// Whether the user wants no more.
#[derive(Clone)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens from now on. Where signals cannot be caught, Ctrl-C ends the program as it always does.
    pub(crate) fn listen() -> Self {
        let wanted = Arc::new(AtomicBool::new(false));
        // The second one first: it is to see what the first one left.
        let _ = flag::register_conditional_shutdown(SIGINT, 130, Arc::clone(&wanted));
        let _ = flag::register(SIGINT, Arc::clone(&wanted));
        Self(wanted)
    }

    /// Whether the user wants no more.
    pub(crate) fn is_wanted(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

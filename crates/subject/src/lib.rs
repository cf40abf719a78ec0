//! Runs the program under test: one process per test, or one long-lived process for many tests.
//!
//! Programs under test crash, hang, fork, fill memory and disk, and delete files. A [`Subject`] survives all of that:
//! it turns each test into one [`Observation`] and says nothing about whether that is right or wrong.
//!
//! The work is done by a *launcher*: a small process of our own for each worker, with one sandboxed thread that
//! starts programs. The launcher adopts every process that a test leaves, so nothing of a test outlives it, and it
//! ends with everything below it as soon as the runner is gone, even by `SIGKILL`.
//!
//! ```text
//! runner ─ socket ─▶ launcher ─ sandboxed thread ─▶ program under test ─▶ what it starts
//!        ◀ observations ┘  (session, subreaper, limits, clock, temporary directory)
//! ```
//!
//! In reading order: [`program`] (what is run, and within which bounds), [`observation`] (what was seen),
//! [`mod@subject`] (the trait), [`launched`] (the runner's end), [`launcher`] (the launcher's end), [`harness`] (the
//! protocol of long-lived programs), [`mock`] (a subject for tests).

pub mod harness;
pub mod launched;
pub mod launcher;
pub mod mock;
pub mod observation;
mod processes;
pub mod program;
pub mod subject;
mod wire;

pub use launched::{Launched, LauncherCommand};
pub use observation::{End, Observation, Resource, WasRead};
pub use program::{Bounds, Delivery, Isolation, Program, WorkDirectory};
pub use subject::{Subject, SubjectError};

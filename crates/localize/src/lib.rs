//! From failing tests to the faulty rule of a grammar.
pub mod chart;
pub mod kinds;
pub mod localize;
pub mod ranking;
pub mod reading;
pub mod repair;
pub mod search;
pub mod slots;
pub mod spectra;
pub mod spellings;
pub mod subject;

pub use localize::{FailingTest, Localized, Options, Pointer, Under, Wanted, localize};
pub use ranking::Ranked;
pub use spectra::Metric;
pub use subject::Subject;

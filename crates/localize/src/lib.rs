//! From failing tests to the faulty rule of a grammar, and to a patch for it.
//!
//! A failing input is read with a chart up to its error; single changes of rules are tried there, each on top of the
//! chart, and the rest of the input is read with them. Rules are ranked by how far that goes and how little is changed.
//! The same changes, written into the grammar's own text, are patches.
//!
//! ```text
//! text ─ reading ─▶ tokens ─ chart ─▶ error ─ search ─▶ explanations ─┬─ localize ─▶ ranking
//!                                                                     └─ repair ─▶ patches
//! ```
//!
//! In reading order: [`slots`] (grammars for charts), [`chart`], [`spellings`] (lexical rules over characters),
//! [`kinds`] (of characters), [`subject`] (the grammar under suspicion), [`reading`] (a text as tokens, errors
//! included), [`search`] (changes that explain errors), [`spectra`], [`evidence`]
//! (what tests say together), [`ranking`], [`mod@localize`], [`repair`].

pub mod chart;
pub mod evidence;
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

pub use evidence::Site;
pub use localize::{
    FailingTest, Localized, Options, Pointer, Under, Wanted, localize, localize_watched,
};
pub use ranking::{Ranked, RankedSite};
pub use spectra::Metric;
pub use subject::Subject;

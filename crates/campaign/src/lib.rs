//! Campaigns: suites against programs, every verdict kept, findings grouped.
//!
//! A campaign takes [`case`]s from a [`source`], runs them on subjects, lets an [`oracle`] turn each observation into
//! a [`verdict`], keeps everything in a [`journal`], and tells an observer what happens. When it is over, [`triage`]
//! groups the findings, and [`report`] is what reporters show. Nothing here prints.
//!
//! ```text
//! source ─ cases ─▶ workers (subject, oracle) ─ verdicts ─▶ journal ─▶ triage ─▶ report
//!                                                    └────▶ events
//! ```
//!
//! In reading order: [`verdict`], [`case`], [`oracle`], [`presets`], [`normalize`] (messages without what differs from
//! test to test), [`source`], [`journal`], [`run`], [`triage`] (groups of findings), [`element_place`], [`report`],
//! [`merge`] (journals of several machines), [`diff`] (programs against programs, grammars against grammars),
//! [`collect`] (what each input covers, for learning), [`mod@reduce`] (from a failing test to a small one).

pub mod case;
pub mod collect;
pub mod diff;
pub mod element_place;
pub mod journal;
pub mod merge;
pub mod normalize;
pub mod oracle;
pub mod presets;
pub mod reduce;
pub mod report;
pub mod run;
pub mod source;
pub mod triage;
pub mod verdict;

pub use case::{Case, Expectation, Position};
pub use journal::{Journal, JournalError};
pub use oracle::{Judgement, Oracle, Response};
pub use report::{Finding, Group, Report};
pub use run::{Campaign, Event, Observer, Outcome, RunError, SubjectSpec};
pub use source::Source;
pub use verdict::Verdict;

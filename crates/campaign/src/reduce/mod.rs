//! Reduction: from a text that is interesting, such as a failing test, to a small one.
//!
//! The text is parsed, and edits of its tree are tried: elements of lists and optional parts go, subtrees become
//! smaller ones. Then tokens get shorter texts, then tokens and characters go, and all over again, until no single
//! edit makes the text smaller: it is 1-minimal in trees, tokens and characters. Candidates stay in the language, or
//! outside of it if the input is.
//!
//! What counts is the number of runs. So the edit with the greatest expected gain comes first, where every failure
//! changes what is expected ([`belief`]); what the grammar does not allow is never run; and no text is run twice.
//!
//! ```text
//! text ─▶ document ─▶ edits ─ plan ─▶ search ─ candidates ─▶ driver ─▶ condition
//!           ▲                          │  ▲                    │
//!           └────────── success ───────┘  └───── verdicts ─────┘
//! ```
//!
//! The reducer knows no processes: a [`Condition`] tells interesting texts from others.
//!
//! In reading order: [`document`] (text, leaves, tree), `tree`, [`recover`] (trees for texts outside of the language),
//! `yields`, `units` (what can replace a subtree), `edits`, `coupled`, `small` (the edits), `plan` and `belief` (which
//! edit is next), `writing` (from an edit to a text), [`search`] (all stages as one value), [`condition`], [`verdicts`],
//! [`driver`] (many workers, one result), [`program`] (a program under test as the condition), [`shrink_ray`] (the
//! protocol of external reducers).
//!
//! The order of edits follows Sun, Li, Zhang, Gu and Su, Perses: Syntax-Guided Program Reduction, ICSE 2018, section 4,
//! in that the largest parts come first and lists are reduced as lists; how failures change it follows Wang et al.,
//! ESEC/FSE 2021 (see `belief`).

mod belief;
pub mod condition;
mod coupled;
pub mod document;
pub mod driver;
mod edits;
mod plan;
pub mod program;
mod recover;
pub mod search;
pub mod shrink_ray;
mod small;
mod tree;
mod units;
pub mod verdicts;
mod writing;
mod yields;

use std::time::Instant;

use gramercy_base::Set;
use gramercy_language::Language;
use gramercy_parse::text::TextParserError;

pub use condition::{Condition, ConditionError, Confirmed};
pub use document::{ErrorKind, Problem, Stay};
pub use driver::{Bounds, Ended, Observer, Progress};
pub use program::{Interest, ProgramCondition};
pub use search::Stage;
pub use verdicts::{Verdicts, VerdictsError};

use document::{Membership, Tools};
use driver::Driver;
use search::Search;

/// Makes texts of one language small.
pub struct Reducer<'l> {
    tools: Tools<'l>,
}

/// How a text is reduced.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which texts may be tried.
    pub stay: Stay,
    /// When to stop early.
    pub bounds: Bounds,
    /// How many texts are judged at the same time.
    pub jobs: usize,
}

/// A text that was reduced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduced {
    /// The smallest interesting text.
    pub text: String,
    /// Its tokens; in a scannerless grammar, its terminals.
    pub tokens: usize,
    /// Texts that were asked about, whatever the number of jobs is.
    pub runs: u64,
    /// Texts that were judged, ahead of time too, without those whose verdict was known.
    pub executed: u64,
    /// How it ended.
    pub ended: Ended,
}

impl<'l> Reducer<'l> {
    /// A reducer for a language.
    ///
    /// # Errors
    /// If the language has no parser.
    pub fn new(language: &'l Language) -> Result<Self, TextParserError> {
        Ok(Self { tools: Tools::new(language)? })
    }

    /// Where a text is, so that smaller ones stay there: in the language, or outside with an error of its kind.
    pub fn membership(&mut self, text: &str) -> Stay {
        match self.tools.membership(text) {
            Membership::Inside => Stay::Inside,
            Membership::Outside(kind) => Stay::Outside(Some(kind)),
            Membership::Unknown => Stay::Anywhere,
        }
    }

    /// Makes a text small.
    pub fn reduce(
        &mut self,
        text: &str,
        condition: &dyn Condition,
        options: &Options,
        verdicts: &mut Verdicts,
        observer: &mut dyn Observer,
    ) -> Reduced {
        let mut driver = Driver {
            condition,
            observer,
            verdicts,
            encoding: self.tools.language.input_encoding(),
            bounds: options.bounds,
            jobs: options.jobs,
            began: Instant::now(),
            asked: Set::default(),
            executed: 0,
        };
        let mut search = Search::new(&mut self.tools, text, options.stay.clone());
        let ended = match driver.check_input(text) {
            Ok(()) => driver.run(&mut self.tools, &mut search),
            Err(ended) => ended,
        };
        Reduced {
            text: search.text().to_owned(),
            tokens: self.tools.count_tokens(search.text()),
            runs: driver.asked.len() as u64,
            executed: driver.executed,
            ended,
        }
    }
}

//! The lints of `gramercy check`: doubtful constructs in a valid grammar.
//!
//! A lint looks for one kind of mistake and reports diagnostics with a span, the reason and, if
//! there is a remedy, help, in the names of the grammar. Readers report the mistakes that make a
//! file invalid. Every finding is a fact about the plain grammar, not a guess.
//!
//! In reading order: [`codes`], `walk`, `structures`, `names`, `lexical`, `context` (the facts that
//! lints share), `lints` (one file each), `conflicts`, which explains LR conflicts by examples
//! that the parser has read, and [`suspects`], which guesses why inputs are rejected.

pub mod codes;
pub mod conflicts;
mod context;
mod lexical;
mod lints;
mod names;
mod structures;
pub mod suspects;
mod walk;

use gramercy_base::{Diagnostic, Limits};
use gramercy_grammar::{Bnf, Grammar};

pub use conflicts::Conflicts;
use context::Context;

/// A grammar to check.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The grammar.
    pub grammar: &'a Grammar,
    /// Its BNF core.
    pub bnf: &'a Bnf,
    /// The diagnostics of its reader, so that nothing is reported twice.
    pub said: &'a [Diagnostic],
}

/// The options of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The output about LR conflicts.
    pub conflicts: Conflicts,
    /// The units of work for the search for an example of one conflict.
    pub effort: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { conflicts: Conflicts::default(), effort: 50_000 }
    }
}

/// The findings about a grammar, in the order of their spans.
#[must_use]
pub fn check(subject: &Subject<'_>, options: &Options, limits: &Limits) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let context = Context::new(subject, options, limits, &mut found);
    lints::ALL.iter().for_each(|lint| lint.run(&context, subject.said, &mut found));
    conflicts::find(&context, &mut found);
    // Findings without a span come last; findings with the same span keep the order of the lints.
    found.sort_by_key(|diagnostic| diagnostic.span().map_or((true, None), |at| (false, Some(at))));
    found
}

//! What is doubtful in a grammar that could be read: the lints behind `gramercy check`.
//!
//! A lint looks at one kind of mistake and says what it found as diagnostics: with the place, the
//! reason and, where there is something to do, help, in the names that the author gave. Mistakes
//! that keep a file from being a grammar are the readers' to report. What a lint says is true of
//! the plain grammar; nothing is said on suspicion.
//!
//! In reading order: [`codes`], `walk`, `shapes`, `names`, `lexical`, `context` (the facts that lints
//! share), `lints` (a file each), and `conflicts`, which explains LR conflicts by examples that our
//! own parser has read.

pub mod codes;
mod conflicts;
mod context;
mod lexical;
mod lints;
mod names;
mod shapes;
mod walk;

use gramercy_base::{Diagnostic, Limits};
use gramercy_grammar::{Bnf, Grammar};

pub use conflicts::Conflicts;
use context::Context;

/// A grammar to look at.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The grammar.
    pub grammar: &'a Grammar,
    /// Its BNF core.
    pub bnf: &'a Bnf,
    /// What its reader said, so that nothing is said twice.
    pub said: &'a [Diagnostic],
}

/// What a user may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// What is said about LR conflicts.
    pub conflicts: Conflicts,
    /// The units of work that go into the search for an example of one conflict.
    pub effort: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { conflicts: Conflicts::default(), effort: 50_000 }
    }
}

/// What there is to say about a grammar, in the order of the places it speaks of.
#[must_use]
pub fn check(subject: &Subject<'_>, options: &Options, limits: &Limits) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let context = Context::new(subject, options, limits, &mut found);
    lints::ALL.iter().for_each(|lint| lint.run(&context, subject.said, &mut found));
    conflicts::find(&context, &mut found);
    // What has no place comes last; what has the same place stays in the order of the lints.
    found.sort_by_key(|diagnostic| diagnostic.span().map_or((true, None), |at| (false, Some(at))));
    found
}

//! Proofs with ANTLR as the judge of lexer, parser and written texts, and proofs of coverage.
//! `gramercy-proof` does the work.

use crate::extent::Extent;
use crate::process::{Cargo, Fallible, Profile};
use crate::tools::have;

/// Verdicts compared with those of ANTLR, and texts of random trees.
pub(super) fn antlr(extent: Extent) -> Fallible {
    let full = ["--random", "40"];
    program(extent, "antlr", &full)
}

/// Suites of every criterion.
pub(super) fn suites(extent: Extent) -> Fallible {
    program(extent, "suites", &[])
}

/// Complete suites over LR-graphs.
pub(super) fn lr_suites(extent: Extent) -> Fallible {
    program(extent, "lr-suites", &[])
}

/// Preferred trees compared with those of ANTLR and bison.
pub(super) fn preferred_trees(extent: Extent) -> Fallible {
    have("bison", "bison", extent)?;
    program(extent, "preferred-trees", &[])
}

/// Negative tests of all grammars, read again.
pub(super) fn negatives_again(extent: Extent) -> Fallible {
    program(extent, "negatives-again", &[])
}

/// Negative tests compared with the errors of ANTLR and bison.
pub(super) fn negatives(extent: Extent) -> Fallible {
    have("bison", "bison", extent)?;
    program(extent, "negatives", &[])
}

fn program(extent: Extent, name: &str, full: &[&str]) -> Fallible {
    let call = Cargo::new(["run", "--quiet", "--locked", "--package", "gramercy-proof"]);
    let arguments = if extent == Extent::Short { &["--short"] } else { full };
    call.with(Profile::of(extent).flags()).with(&["--", name]).with(arguments).run()
}

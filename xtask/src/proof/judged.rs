//! ANTLR judges our lexer, our parser and the texts that we write, and suites cover what they say. The
//! work is done by `gramercy-proof`, which knows the grammars.

use crate::form::Form;
use crate::process::{Cargo, Fallible, Profile};
use crate::tools::have;

/// Our verdicts and those of ANTLR, and texts of random trees.
pub(super) fn antlr(form: Form) -> Fallible {
    let full = ["--random", "40"];
    program(form, "antlr", &full)
}

/// Suites of every criterion.
pub(super) fn suites(form: Form) -> Fallible {
    program(form, "suites", &[])
}

/// Suites over LR-graphs, from the first test to the last.
pub(super) fn lr_suites(form: Form) -> Fallible {
    program(form, "lr-suites", &[])
}

/// Trees of ANTLR and bison.
pub(super) fn preferred_trees(form: Form) -> Fallible {
    have("bison", "bison", form)?;
    program(form, "preferred-trees", &[])
}

fn program(form: Form, name: &str, full: &[&str]) -> Fallible {
    let call = Cargo::new(["run", "--quiet", "--locked", "--package", "gramercy-proof"]);
    let arguments = if form == Form::Short { &["--short"] } else { full };
    call.with(Profile::of(form).flags()).with(&["--", name]).with(arguments).run()
}

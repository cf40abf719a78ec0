//! Proofs about the texts that we write, which `gramercy-proof` carries out: it knows the grammars.

use crate::form::Form;
use crate::process::{Cargo, Fallible, Profile};

/// ANTLR judges our lexer, our parser and the texts.
pub(super) fn antlr(form: Form) -> Fallible {
    program(form, "antlr")
}

/// Whole suites over LR-graphs are read back.
pub(super) fn lr_suites(form: Form) -> Fallible {
    program(form, "lr-suites")
}

fn program(form: Form, name: &str) -> Fallible {
    let call = Cargo::new(["run", "--quiet", "--locked", "--package", "gramercy-proof"]);
    let short: &[&str] = if form == Form::Short { &["--short"] } else { &[] };
    call.with(Profile::of(form).flags()).with(&["--", name]).with(short).run()
}

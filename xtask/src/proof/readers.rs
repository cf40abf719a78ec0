//! Proofs about reading and writing, which `gramercy-fuzz` carries out.

use crate::form::Form;
use crate::process::{Cargo, Fallible, Profile};

/// Grammars are the same after writing and reading.
pub(super) fn law(form: Form) -> Fallible {
    program(form, &["law"])
}

/// Mutated grammars.
pub(super) fn fuzz(form: Form) -> Fallible {
    let seconds = if form == Form::Short { "3" } else { "60" };
    program(form, &["mutate", "--seconds", seconds])
}

/// Deep, large and endless ones.
pub(super) fn bad_input(form: Form) -> Fallible {
    let megabytes = if form == Form::Short { "4" } else { "50" };
    program(form, &["hard", "--megabytes", megabytes])
}

fn program(form: Form, arguments: &[&str]) -> Fallible {
    let call = Cargo::new(["run", "--quiet", "--locked", "--package", "gramercy-fuzz"]);
    call.with(Profile::of(form).flags()).with(&["--"]).with(arguments).run()
}

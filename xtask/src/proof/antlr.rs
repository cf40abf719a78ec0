//! ANTLR judges our lexer, our parser and the texts that we write. The work is done by the crate
//! `proof`, which knows the grammars.

use crate::form::Form;
use crate::process::{Cargo, Fallible, Profile};

pub(super) fn run(form: Form) -> Fallible {
    let call = Cargo::new(["run", "--quiet", "--locked", "--package", "gramercy-proof"]);
    let short: &[&str] = if form == Form::Short { &["--short"] } else { &["--random", "40"] };
    call.with(Profile::of(form).flags()).with(&["--", "antlr"]).with(short).run()
}

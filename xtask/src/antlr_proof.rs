//! `cargo xtask proof antlr`: ANTLR judges our lexer, our parser and the texts that we write. The work
//! is done by the crate `proof`, which knows the grammars; arguments go there.

use crate::process::{Cargo, Fallible};

pub(crate) fn run(arguments: &[String]) -> Fallible {
    Cargo::new(["run", "--release", "--quiet", "--package", "gramercy-proof", "--", "antlr"])
        .with(arguments)
        .run()
}

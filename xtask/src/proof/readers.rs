//! Proofs about reading and writing, which `gramercy-fuzz` executes.

use crate::extent::Extent;
use crate::process::{Cargo, Fallible, Profile};

/// Grammars are equal after writing and reading.
pub(super) fn law(extent: Extent) -> Fallible {
    program(extent, &["law"])
}

/// Mutated grammars.
pub(super) fn fuzz(extent: Extent) -> Fallible {
    let seconds = if extent == Extent::Short { "3" } else { "60" };
    program(extent, &["mutate", "--seconds", seconds])
}

/// Deep, large and endless grammars.
pub(super) fn bad_input(extent: Extent) -> Fallible {
    let megabytes = if extent == Extent::Short { "1" } else { "50" };
    program(extent, &["hard", "--megabytes", megabytes])
}

fn program(extent: Extent, arguments: &[&str]) -> Fallible {
    let call = Cargo::new(["run", "--quiet", "--locked", "--package", "gramercy-fuzz"]);
    call.with(Profile::of(extent).flags()).with(&["--"]).with(arguments).run()
}

//! Faults of grammars: how well they are localized and repaired. `gramercy-proof` does the work.

use crate::extent::Extent;
use crate::process::{Cargo, Fallible, Profile};

/// Repairs that the authors of grammars made.
pub(super) fn faults(extent: Extent, names: &[&str]) -> Fallible {
    program(extent, "faults", names)
}

/// Faults that are made on purpose.
pub(super) fn seeded_faults(extent: Extent, names: &[&str]) -> Fallible {
    program(extent, "seeded-faults", names)
}

fn program(extent: Extent, name: &str, names: &[&str]) -> Fallible {
    let call = Cargo::new(["run", "--quiet", "--locked", "--package", "gramercy-proof"]);
    let arguments: &[&str] = if extent == Extent::Short { &["--short"] } else { &[] };
    call.with(Profile::of(extent).flags()).with(&["--", name]).with(arguments).with(names).run()
}

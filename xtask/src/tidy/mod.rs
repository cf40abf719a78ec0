//! Invariants of the whole checkout. Each check returns a list of problems; the same checks run as
//! tests.

mod architecture;
mod crates;
mod dependencies;
mod files;
mod licences;
mod workspace;

use crate::process::Fallible;
use workspace::Workspace;

/// The problems that one check found.
type Problems = Vec<String>;

/// A check of the checkout.
type Check = fn(&Workspace) -> Fallible<Problems>;

const CHECKS: [Check; 4] = [crates::check, dependencies::check, licences::check, files::check];

/// Runs every check and lists all problems.
pub(crate) fn run(_: &[String]) -> Fallible {
    let workspace = Workspace::read()?;
    let mut problems = Problems::new();
    for check in CHECKS {
        problems.extend(check(&workspace)?);
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_checkout_is_tidy() {
        if let Err(problems) = super::run(&[]) {
            panic!("\n{problems}");
        }
    }
}

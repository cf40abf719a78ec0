//! What must hold for the checkout as a whole. Each check gives the list of what is wrong; the same
//! checks run as tests.

mod crates;
mod dependencies;
mod files;
mod licences;
mod paper;
mod workspace;

use crate::process::Fallible;
use workspace::Workspace;

/// All that is wrong with one side of the checkout.
type Problems = Vec<String>;

/// A side of the checkout that is looked at.
type Check = fn(&Workspace) -> Fallible<Problems>;

const CHECKS: [Check; 4] = [crates::check, dependencies::check, licences::check, files::check];

/// Runs every check and names everything that is wrong.
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

//! Programs of others that proofs and benchmarks run beside ours.

use crate::form::Form;
use crate::process::{Call, Fallible};
use crate::say;

/// Whether a program can be run. In full form it is installed from the Debian package, and an error
/// says what is missing where that fails; in short form it is done without.
pub(crate) fn have(program: &str, package: &str, form: Form) -> Fallible<bool> {
    if is_installed(program) {
        return Ok(true);
    }
    if form == Form::Short {
        say(&format!("skipped: {program} is not installed (Debian package {package})"));
        return Ok(false);
    }
    say(&format!("installing {package}"));
    let install = Call::new("apt-get").args(["install", "--yes", "--quiet", package]).finish();
    if is_installed(program) {
        return Ok(true);
    }
    let reason = install.map_or_else(|error| error, |output| output.stderr);
    Err(format!("{program} is missing, install the package {package}: {reason}"))
}

fn is_installed(program: &str) -> bool {
    Call::new(program).arg("--version").finish().is_ok_and(|output| output.code == Some(0))
}

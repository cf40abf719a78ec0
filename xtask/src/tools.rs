//! Other programs that proofs and benchmarks run.

use std::path::PathBuf;

use crate::extent::Extent;
use crate::process::{Call, Fallible, target};
use crate::say;

/// Whether a program can be run. In the full extent it is installed from the Debian package, and an
/// error names a missing program; in the short extent it is skipped.
pub(crate) fn have(program: &str, package: &str, extent: Extent) -> Fallible<bool> {
    if is_installed(program) {
        return Ok(true);
    }
    if extent == Extent::Short {
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

/// Python with packages from PyPI, in an environment of its own below the target directory.
pub(crate) fn python(environment: &str, packages: &[&str]) -> Fallible<PathBuf> {
    let folder = target()?.join("peers").join(environment);
    let (python, complete) = (folder.join("bin/python"), folder.join("complete"));
    if !complete.exists() {
        Call::new("python3").args(["-m", "venv"]).arg(&folder).finish()?.success()?;
        let install = Call::new(&python).args(["-m", "pip", "install", "--quiet"]);
        install.args(packages).finish()?.success()?;
        std::fs::write(&complete, "").map_err(|error| error.to_string())?;
    }
    Ok(python)
}

fn is_installed(program: &str) -> bool {
    Call::new(program).arg("--version").finish().is_ok_and(|output| output.code == Some(0))
}

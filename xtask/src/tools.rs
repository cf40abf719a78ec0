//! Other programs that proofs and benchmarks run.

use std::path::PathBuf;

use crate::extent::Extent;
use crate::process::{Call, Fallible, target};
use crate::say;

/// A script for bash that runs a command, with its output in the files `$OUT` and `$OUT.err`, and prints the most
/// memory that it had, in KiB.
pub(crate) const PEAK_MEMORY: &str = "\"$@\" > \"$OUT\" 2> \"$OUT.err\" & p=$!; most=0
while [ -e /proc/$p/status ] && kill -0 $p 2> /dev/null; do
  now=$(sed -n 's/^VmHWM:[^0-9]*\\([0-9]*\\).*/\\1/p' /proc/$p/status); most=${now:-$most}; sleep 0.05
done; wait $p; echo $most";

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

/// The folder of packages from npm, in an environment of its own below the target directory. In the short extent,
/// packages that are not there are not installed: `None`.
pub(crate) fn node(
    environment: &str,
    packages: &[&str],
    extent: Extent,
) -> Fallible<Option<PathBuf>> {
    let folder = target()?.join("peers").join(environment);
    let (modules, complete) = (folder.join("node_modules"), folder.join("complete"));
    if !complete.exists() {
        if extent == Extent::Short {
            say(&format!("skipped: {} of npm is not installed", packages.join(", ")));
            return Ok(None);
        }
        std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        let install = Call::new("npm").args(["install", "--no-audit", "--no-fund", "--prefix"]);
        install.arg(&folder).args(packages).finish()?.success()?;
        std::fs::write(&complete, "").map_err(|error| error.to_string())?;
    }
    Ok(Some(modules))
}

fn is_installed(program: &str) -> bool {
    // Not every program says its version, and some want to be set up before they do.
    let found = Call::new("sh").args(["-c", "command -v \"$0\"", program]).finish();
    found.is_ok_and(|output| output.code == Some(0))
}

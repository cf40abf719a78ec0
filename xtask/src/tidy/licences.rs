//! The licences of all dependencies are allowed. A person reads each new licence first.

use super::Problems;
use super::workspace::Workspace;
use crate::process::Fallible;

/// The allowed licence expressions of packages, literally.
const ALLOWED: &[&str] = &[
    "(Apache-2.0 OR MIT) AND BSD-3-Clause",
    "(MIT OR Apache-2.0) AND Unicode-3.0",
    "0BSD OR MIT OR Apache-2.0",
    "Apache-2.0",
    "Apache-2.0 OR BSD-3-Clause",
    "Apache-2.0 OR MIT",
    "Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT",
    "BSD-3-Clause",
    "CC0-1.0 OR MIT-0 OR Apache-2.0",
    "MIT",
    "MIT OR Apache-2.0",
    "MIT OR Apache-2.0 OR LGPL-2.1-or-later",
    "MIT OR Zlib OR Apache-2.0",
    "MIT/Apache-2.0",
    "Unlicense OR MIT",
    "Unlicense/MIT",
    "Zlib",
];

pub(super) fn check(workspace: &Workspace) -> Fallible<Problems> {
    let unknown = workspace.packages.iter().filter(|it| !ALLOWED.contains(&it.licence.as_str()));
    Ok(unknown
        .map(|it| format!("{}: licence `{}` is not in the list", it.name, it.licence))
        .collect())
}

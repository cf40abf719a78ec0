//! No file is too large, none is a package that was downloaded, and none contains traces of unfinished work or
//! publications by a number that nobody can look up.

use std::path::Path;

use super::Problems;
use super::workspace::Workspace;
use crate::process::{Fallible, output, root};

const LARGEST: u64 = 1 << 20;

/// Words of unfinished work. They are written in halves, because this file is checked too.
const LEFT_OVERS: &[&str] = &[
    concat!("TO", "DO"),
    concat!("FIX", "ME"),
    concat!("dbg", "!("),
    concat!("todo", "!("),
    concat!("unimplemented", "!("),
    concat!("#[ign", "ore"),
    concat!("paper", " 00"),
    concat!("papers", " 00"),
];

/// Extensions of what package managers download.
const PACKAGES: &[&str] = &["crate", "deb", "gem", "jar", "tgz", "whl"];

pub(super) fn check(_: &Workspace) -> Fallible<Problems> {
    let listing = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    let names = output("git", &listing)?;
    let mut problems = Problems::new();
    for name in names.split_terminator('\0') {
        let path = root().join(name);
        // Deleted files that are not committed are still listed.
        let Ok(about) = path.metadata() else { continue };
        if about.len() > LARGEST {
            problems.push(format!("{name}: has {} bytes, more than a megabyte", about.len()));
        } else if extension(name).is_some_and(|extension| PACKAGES.contains(&extension)) {
            problems.push(format!("{name}: is a package"));
        } else if about.is_file() && is_ours(name) {
            problems.extend(left_overs(name, &path)?);
        }
    }
    Ok(problems)
}

fn extension(name: &str) -> Option<&str> {
    Path::new(name).extension()?.to_str()
}

fn is_ours(name: &str) -> bool {
    matches!(extension(name), Some("rs" | "toml" | "md" | "sh" | "py")) || name == ".ci/run"
}

fn left_overs(name: &str, path: &Path) -> Fallible<Problems> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{name}: {error}"))?;
    let found = text.lines().enumerate().filter_map(|(at, line)| {
        let word = LEFT_OVERS.iter().find(|word| line.contains(**word))?;
        Some(format!("{name}:{}: `{word}` is left over", at + 1))
    });
    Ok(found.collect())
}

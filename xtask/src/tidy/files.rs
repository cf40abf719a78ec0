//! No file is too large, and no file contains traces of unfinished work.

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
];

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
        } else if about.is_file() && is_ours(name) {
            problems.extend(left_overs(name, &path)?);
        }
    }
    Ok(problems)
}

fn is_ours(name: &str) -> bool {
    let extension = Path::new(name).extension().and_then(|extension| extension.to_str());
    matches!(extension, Some("rs" | "toml" | "md" | "sh" | "py")) || name == ".ci/run"
}

fn left_overs(name: &str, path: &Path) -> Fallible<Problems> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{name}: {error}"))?;
    let found = text.lines().enumerate().filter_map(|(at, line)| {
        let word = LEFT_OVERS.iter().find(|word| line.contains(**word))?;
        Some(format!("{name}:{}: `{word}` is left over", at + 1))
    });
    Ok(found.collect())
}

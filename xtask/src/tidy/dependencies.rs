//! Every external package of a manifest has its reason in ARCHITECTURE.md and its version in the
//! root manifest.

use super::workspace::{Member, Workspace};
use super::{Problems, architecture};
use crate::process::Fallible;

pub(super) fn check(workspace: &Workspace) -> Fallible<Problems> {
    let rows = architecture::table("## Dependencies")?;
    let dependencies = workspace.members.iter().flat_map(|member| &member.dependencies);
    let mut used: Vec<_> = dependencies.filter(|it| !it.own).map(|it| it.name.as_str()).collect();
    used.sort_unstable();
    used.dedup();
    let explained = |name: &str| rows.iter().any(|row| row[0] == name);
    let unexplained = used
        .iter()
        .filter(|name| !explained(name))
        .map(|name| format!("{name}: no reason is given in {}", architecture::ARCHITECTURE));
    let unused = rows.iter().filter(|row| !used.contains(&row[0].as_str())).map(|row| {
        format!("{}: is explained in {}, but not used", row[0], architecture::ARCHITECTURE)
    });
    let mut problems: Problems = unexplained.chain(unused).collect();
    for member in &workspace.members {
        problems.extend(own_versions(member)?);
    }
    Ok(problems)
}

/// The lines of a crate's manifest with a dependency that is not the workspace's.
fn own_versions(member: &Member) -> Fallible<Problems> {
    let manifest = &member.manifest;
    let text = std::fs::read_to_string(manifest).map_err(|error| format!("{manifest}: {error}"))?;
    let mut in_dependencies = false;
    let mut problems = Problems::new();
    for line in text.lines() {
        if let Some(section) = line.strip_prefix('[') {
            in_dependencies = section.contains("dependencies");
        } else if in_dependencies && line.contains('=') && !line.contains("workspace = true") {
            problems.push(format!("{}: `{line}` is not the workspace's version", member.name));
        }
    }
    Ok(problems)
}

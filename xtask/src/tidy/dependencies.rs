//! Every package from outside that a manifest names has its reason in ARCHITECTURE.md.

use super::workspace::Workspace;
use super::{Problems, paper};
use crate::process::Fallible;

pub(super) fn check(workspace: &Workspace) -> Fallible<Problems> {
    let rows = paper::table("## Dependencies")?;
    let dependencies = workspace.members.iter().flat_map(|member| &member.dependencies);
    let mut used: Vec<_> = dependencies.filter(|it| !it.own).map(|it| it.name.as_str()).collect();
    used.sort_unstable();
    used.dedup();
    let explained = |name: &str| rows.iter().any(|row| row[0] == name);
    let unexplained = used
        .iter()
        .filter(|name| !explained(name))
        .map(|name| format!("{name}: no reason is given in {}", paper::ARCHITECTURE));
    let unused = rows
        .iter()
        .filter(|row| !used.contains(&row[0].as_str()))
        .map(|row| format!("{}: is explained in {}, but not used", row[0], paper::ARCHITECTURE));
    Ok(unexplained.chain(unused).collect())
}

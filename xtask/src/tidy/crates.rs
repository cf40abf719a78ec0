//! The crates are those of ARCHITECTURE.md, each uses exactly the listed crates, which must be
//! above it in the table; and each row says what the crate does not know.

use super::workspace::{Member, Workspace};
use super::{Problems, architecture};
use crate::process::Fallible;

/// A crate that all tests may use.
const FOR_TESTS: &str = "testkit";

struct Row {
    name: String,
    uses: Vec<String>,
    does_not_know: String,
}

pub(super) fn check(workspace: &Workspace) -> Fallible<Problems> {
    let rows: Vec<_> = architecture::table("## Crates")?.into_iter().filter_map(row).collect();
    let mut problems = Problems::new();
    for member in &workspace.members {
        match rows.iter().position(|row| row.name == member.name) {
            Some(at) => problems.extend(compare(member, &rows[at], &rows[..at])),
            None => {
                problems.push(format!(
                    "{}: has no row in {}",
                    member.name,
                    architecture::ARCHITECTURE
                ));
            }
        }
    }
    for row in &rows {
        if !workspace.members.iter().any(|member| member.name == row.name) {
            problems.push(format!(
                "{}: is in {}, but no crate",
                row.name,
                architecture::ARCHITECTURE
            ));
        }
        if row.does_not_know.is_empty() {
            problems.push(format!("{}: it is not said what it does not know", row.name));
        }
    }
    Ok(problems)
}

fn row(cells: Vec<String>) -> Option<Row> {
    let [name, uses, does_not_know] = <[String; 3]>::try_from(cells).ok()?;
    let names = uses.split(',').map(str::trim).filter(|name| !name.is_empty() && *name != "—");
    Some(Row { name, uses: names.map(str::to_owned).collect(), does_not_know })
}

fn compare(member: &Member, row: &Row, above: &[Row]) -> Problems {
    let mut problems = Problems::new();
    let stands_above = |name: &str| above.iter().any(|row| row.name == name);
    for dependency in member.dependencies.iter().filter(|dependency| dependency.own) {
        let used = &dependency.name;
        if !dependency.dev && !row.uses.contains(used) {
            problems.push(format!("{}: uses {used}, which is not allowed it", member.name));
        }
        let for_tests = dependency.dev && used == FOR_TESTS;
        if !stands_above(used) && !for_tests {
            problems.push(format!("{}: uses {used}, which does not stand above it", member.name));
        }
    }
    for used in &row.uses {
        let is_used =
            |name| member.dependencies.iter().any(|it| it.own && !it.dev && it.name == name);
        if !is_used(used.as_str()) {
            problems.push(format!("{}: is allowed {used}, but does not use it", member.name));
        }
    }
    problems
}

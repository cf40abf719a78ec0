//! The tables of ARCHITECTURE.md.

use crate::process::{Fallible, root};

pub(super) const ARCHITECTURE: &str = "ARCHITECTURE.md";

/// The rows of the table below a heading, as cells without the marks of code.
pub(super) fn table(heading: &str) -> Fallible<Vec<Vec<String>>> {
    let path = root().join(ARCHITECTURE);
    let text =
        std::fs::read_to_string(&path).map_err(|error| format!("{ARCHITECTURE}: {error}"))?;
    let below = text.lines().skip_while(|line| *line != heading).skip(1);
    let section = below.take_while(|line| !line.starts_with("## "));
    let rows: Vec<_> = section.filter(|line| line.starts_with('|')).skip(2).map(cells).collect();
    if rows.is_empty() {
        return Err(format!("{ARCHITECTURE} has no table below `{heading}`"));
    }
    Ok(rows)
}

fn cells(row: &str) -> Vec<String> {
    let inner = row.trim().trim_matches('|');
    inner.split('|').map(|cell| cell.replace('`', "").trim().to_owned()).collect()
}

//! JSON of `coverage json` (coverage.py). Functions are listed from version 7.6 on.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{Granularity, branch, function, line};
use crate::behaviour::Report;

#[derive(Deserialize)]
struct Document {
    files: BTreeMap<String, File>,
}

#[derive(Deserialize)]
struct File {
    executed_lines: Vec<u32>,
    missing_lines: Vec<u32>,
    #[serde(default)]
    executed_branches: Vec<(i64, i64)>,
    #[serde(default)]
    missing_branches: Vec<(i64, i64)>,
    functions: Option<BTreeMap<String, Function>>,
}

#[derive(Deserialize)]
struct Function {
    executed_lines: Vec<u32>,
    missing_lines: Vec<u32>,
    start_line: Option<u32>,
}

pub(super) fn read(text: &str, granularity: Granularity) -> Result<Report, String> {
    let document: Document = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let mut report = Report::default();
    for (name, file) in &document.files {
        match granularity {
            Granularity::Functions => add_functions(name, file, &mut report)?,
            Granularity::Lines => {
                file.executed_lines.iter().for_each(|&at| report.add(line(name, at), 1));
                file.missing_lines.iter().for_each(|&at| report.add(line(name, at), 0));
            }
            Granularity::Branches => {
                let executed = file.executed_branches.iter().map(|branch| (branch, 1));
                let missing = file.missing_branches.iter().map(|branch| (branch, 0));
                for (&(from, to), calls) in executed.chain(missing) {
                    let from = u32::try_from(from.unsigned_abs()).unwrap_or(0);
                    report.add(branch(name, from, to), calls);
                }
            }
        }
    }
    Ok(report)
}

/// A function is covered if one of its lines was executed. The lines outside of functions have the empty name.
fn add_functions(file: &str, of: &File, report: &mut Report) -> Result<(), String> {
    let functions = of.functions.as_ref();
    let functions = functions.ok_or(
        "it does not list functions, which coverage.py 7.6 and later do; use lines instead",
    )?;
    for (name, of) in functions.iter().filter(|(name, _)| !name.is_empty()) {
        let lines = || of.executed_lines.iter().chain(&of.missing_lines).copied();
        let range = of.start_line.or_else(|| lines().min()).zip(lines().max());
        report.add(function(file, name, range), u64::from(!of.executed_lines.is_empty()));
    }
    Ok(())
}

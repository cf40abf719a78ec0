//! Behaviour as lines of JSON, one for each input:
//! `{"input": "1+1", "covered": ["add"], "calls": {"add": 2}, "targets": ["mul"]}`.
//!
//! `covered` names what the input covers; `calls` counts calls, and what has calls is covered; `targets` names more
//! targets that exist. Instead of these, `report` names a coverage report of one of the registered formats. The input is
//! `input` itself, or the content of the file that `file` names; `name` is for messages. Other members are ignored.

use std::collections::BTreeMap;

use gramercy_base::Set;
use serde::Deserialize;

use crate::behaviour::{Observed, Report, TargetInfo};

/// A line.
#[derive(Deserialize)]
struct Line {
    input: Option<String>,
    file: Option<String>,
    name: Option<String>,
    covered: Option<Vec<String>>,
    #[serde(default)]
    calls: BTreeMap<String, u64>,
    #[serde(default)]
    targets: Vec<String>,
    report: Option<String>,
}

/// What one JSON object says that a program covered, by its members `covered`, `calls` and `targets`.
///
/// # Errors
/// Why it says nothing.
pub fn report(text: &str) -> Result<Report, String> {
    let line: Line = serde_json::from_str(text).map_err(|error| error.to_string())?;
    match line.covered.is_some() || !line.calls.is_empty() {
        true => Ok(own_report(line, Report::default())),
        false => Err("it has neither `covered` nor `calls`".to_owned()),
    }
}

/// Reads all lines. `load` reads the files that lines name, with their paths, and `read_report` their reports.
///
/// # Errors
/// The number of the first wrong line, from 1, and what is wrong with it.
pub fn read(
    text: &str,
    load: &dyn Fn(&str) -> Result<String, String>,
    read_report: &dyn Fn(&str) -> Result<Report, String>,
) -> Result<Vec<Observed>, (usize, String)> {
    let mut inputs = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() {
            continue;
        }
        inputs.push(observed(number, line, load, read_report).map_err(|error| (number, error))?);
    }
    Ok(inputs)
}

fn observed(
    number: usize,
    line: &str,
    load: &dyn Fn(&str) -> Result<String, String>,
    read_report: &dyn Fn(&str) -> Result<Report, String>,
) -> Result<Observed, String> {
    let line: Line = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let text = match (&line.input, &line.file) {
        (Some(_), Some(_)) => return Err("it has both `input` and `file`".to_owned()),
        (Some(text), None) => text.clone(),
        (None, Some(file)) => load(file)?,
        (None, None) => return Err("it has neither `input` nor `file`".to_owned()),
    };
    let name = line.name.clone().or_else(|| line.file.clone());
    let name = name.unwrap_or_else(|| format!("line {number}"));
    let has_own = line.covered.is_some() || !line.calls.is_empty();
    let report = match (&line.report, has_own) {
        (Some(_), true) => return Err("it has both `report` and `covered` or `calls`".to_owned()),
        (Some(report), false) => read_report(report)?,
        (None, true) => Report::default(),
        (None, false) => return Err("it has neither `covered`, `calls` nor `report`".to_owned()),
    };
    Ok(Observed { name, text, report: own_report(line, report) })
}

/// Adds what a line itself says to a report.
fn own_report(line: Line, mut report: Report) -> Report {
    let mut known: Set<String> = Set::default();
    for target in line.covered.unwrap_or_default() {
        let calls = line.calls.get(&target).copied();
        known.insert(target.clone());
        report.covered.push((TargetInfo::named(target).into(), calls));
    }
    for (target, calls) in line.calls {
        if !known.contains(&target) {
            report.add(TargetInfo::named(target), calls);
        }
    }
    report.uncovered.extend(line.targets.into_iter().map(|name| TargetInfo::named(name).into()));
    report
}

/// The line of an input, without an end of line. The inverse of [`read`].
#[must_use]
pub fn line(input: &Observed) -> String {
    let Observed { name, text, report } = input;
    let covered: Vec<&str> = report.covered.iter().map(|(target, _)| &*target.name).collect();
    let calls: BTreeMap<&str, u64> = report
        .covered
        .iter()
        .filter_map(|(target, calls)| Some((&*target.name, (*calls)?)))
        .collect();
    let targets: Vec<&str> = report.uncovered.iter().map(|target| &*target.name).collect();
    let line = serde_json::json!({
        "name": name, "input": text, "covered": covered, "calls": calls, "targets": targets,
    });
    line.to_string()
}

//! JSON of `llvm-cov export`: functions with regions, files with segments and branches.
//!
//! A segment is a place at which the count changes: line, column, count, whether it has a count, whether a region begins
//! there. A line has the greatest count of the segments that begin on it or reach it.

use serde::Deserialize;

use super::{Granularity, branch, function, line};
use crate::behaviour::Report;

#[derive(Deserialize)]
struct Export {
    data: Vec<Data>,
}

#[derive(Deserialize)]
struct Data {
    #[serde(default)]
    files: Vec<File>,
    #[serde(default)]
    functions: Vec<Function>,
}

#[derive(Deserialize)]
struct File {
    filename: String,
    #[serde(default)]
    segments: Vec<Vec<serde_json::Value>>,
    #[serde(default)]
    branches: Vec<Vec<u64>>,
}

#[derive(Deserialize)]
struct Function {
    name: String,
    count: u64,
    filenames: Vec<String>,
    #[serde(default)]
    regions: Vec<Vec<u64>>,
}

pub(super) fn read(text: &str, granularity: Granularity) -> Result<Report, String> {
    let export: Export = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let mut report = Report::default();
    for data in &export.data {
        match granularity {
            Granularity::Functions => data.functions.iter().for_each(|function| {
                add_function(function, &mut report);
            }),
            Granularity::Lines => data.files.iter().for_each(|file| add_lines(file, &mut report)),
            Granularity::Branches => {
                data.files.iter().for_each(|file| add_branches(file, &mut report));
            }
        }
    }
    Ok(report)
}

fn add_function(of: &Function, report: &mut Report) {
    let number = |region: &Vec<u64>, at: usize| u32::try_from(*region.get(at)?).ok();
    let first = of.regions.iter().filter_map(|region| number(region, 0)).min();
    let last = of.regions.iter().filter_map(|region| number(region, 2)).max();
    let file = of.filenames.first().map_or("", String::as_str);
    // Names of static functions carry the file that they stand in.
    let name = of.name.rsplit(':').next().unwrap_or(&of.name);
    report.add(function(file, name, first.zip(last)), of.count);
}

fn add_lines(file: &File, report: &mut Report) {
    let mut counts: Vec<(u32, u64)> = Vec::new();
    let mut open: Option<(u32, u64)> = None;
    for segment in &file.segments {
        let number = |at: usize| segment.get(at).and_then(serde_json::Value::as_u64);
        let flag = |at: usize| segment.get(at).and_then(serde_json::Value::as_bool);
        let (Some(at), Some(count)) = (number(0).and_then(|at| u32::try_from(at).ok()), number(2))
        else {
            continue;
        };
        if let Some((from, count)) = open {
            counts.extend((from + 1..=at).map(|line| (line, count)));
        }
        open = flag(3).unwrap_or(false).then_some((at, count));
        counts.extend(open);
    }
    counts.sort_unstable();
    for group in counts.chunk_by(|a, b| a.0 == b.0) {
        if let Some(&(at, count)) = group.last() {
            report.add(line(&file.filename, at), count);
        }
    }
}

fn add_branches(file: &File, report: &mut Report) {
    for entry in &file.branches {
        let &[at, column, _, _, taken, not_taken, ..] = &entry[..] else { continue };
        let Ok(at) = u32::try_from(at) else { continue };
        report.add(branch(&file.filename, at, format_args!("{column}.true")), taken);
        report.add(branch(&file.filename, at, format_args!("{column}.false")), not_taken);
    }
}

//! JSON of `gcov --json-format`, one document for each object file; several documents may follow each other.

use serde::Deserialize;

use super::{Granularity, branch, function, line};
use crate::behaviour::Report;

#[derive(Deserialize)]
struct Document {
    files: Vec<File>,
}

#[derive(Deserialize)]
struct File {
    file: String,
    #[serde(default)]
    functions: Vec<Function>,
    #[serde(default)]
    lines: Vec<Line>,
}

#[derive(Deserialize)]
struct Function {
    name: String,
    demangled_name: Option<String>,
    execution_count: u64,
    start_line: u32,
    end_line: u32,
}

#[derive(Deserialize)]
struct Line {
    line_number: u32,
    count: u64,
    #[serde(default)]
    branches: Vec<Branch>,
}

#[derive(Deserialize)]
struct Branch {
    count: u64,
}

pub(super) fn read(text: &str, granularity: Granularity) -> Result<Report, String> {
    let mut report = Report::default();
    for document in serde_json::Deserializer::from_str(text).into_iter::<Document>() {
        let document = document.map_err(|error| error.to_string())?;
        document.files.iter().for_each(|file| add(file, granularity, &mut report));
    }
    Ok(report)
}

fn add(file: &File, granularity: Granularity, report: &mut Report) {
    match granularity {
        Granularity::Functions => {
            for of in &file.functions {
                let name = of.demangled_name.as_ref().unwrap_or(&of.name);
                let lines = Some((of.start_line, of.end_line));
                report.add(function(&file.file, name, lines), of.execution_count);
            }
        }
        Granularity::Lines => {
            for of in &file.lines {
                report.add(line(&file.file, of.line_number), of.count);
            }
        }
        Granularity::Branches => {
            for of in &file.lines {
                for (number, taken) in of.branches.iter().enumerate() {
                    report.add(branch(&file.file, of.line_number, number), taken.count);
                }
            }
        }
    }
}

//! Coverage reports of other tools, one file for each format.
//!
//! A report says what one run of a program covered. The format is recognized by the beginning of the report, or named
//! by the user. What counts as a target is a choice: functions, lines or branches.

mod cobertura;
mod coverage_py;
mod gcov;
mod jacoco;
mod lcov;
mod llvm_cov;
pub mod ndjson;
mod xml;

use std::fmt;

use gramercy_base::named::{Choice, Named, choice};

use crate::behaviour::{Report, TargetInfo};

/// What counts as a target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Granularity {
    /// Functions and methods.
    #[default]
    Functions,
    /// Lines.
    Lines,
    /// Branches, each direction for itself.
    Branches,
}

impl Named for Granularity {
    const CHOICES: &'static [Choice<Self>] = &[
        choice(Self::Functions, "functions", "functions and methods"),
        choice(Self::Lines, "lines", "lines of source files"),
        choice(Self::Branches, "branches", "branches, each direction for itself"),
    ];
}

/// A format of reports.
#[derive(Clone, Copy)]
pub struct Format {
    /// Its name.
    pub name: &'static str,
    /// What writes it.
    pub help: &'static str,
    /// Whether a report that begins like this has the format.
    is_it: fn(&str) -> bool,
    read: fn(&str, Granularity) -> Result<Report, String>,
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// All formats of reports.
pub const REGISTRY: &[Format] = &[
    Format {
        name: "lcov",
        help: "LCOV tracefiles (lcov, llvm-cov export -format=lcov, and many others)",
        is_it: |text| text.starts_with("TN:") || text.starts_with("SF:"),
        read: lcov::read,
    },
    Format {
        name: "llvm-cov",
        help: "JSON of llvm-cov export",
        is_it: |text| text.starts_with('{') && text.contains("llvm.coverage.json.export"),
        read: llvm_cov::read,
    },
    Format {
        name: "gcov",
        help: "JSON of gcov --json-format",
        is_it: |text| text.starts_with('{') && text.contains("\"gcc_version\""),
        read: gcov::read,
    },
    Format {
        name: "coverage.py",
        help: "JSON of coverage json",
        is_it: |text| text.starts_with('{') && text.contains("\"executed_lines\""),
        read: coverage_py::read,
    },
    Format {
        name: "jacoco",
        help: "XML reports of JaCoCo",
        is_it: |text| text.starts_with('<') && text.contains("<report"),
        read: jacoco::read,
    },
    Format {
        name: "cobertura",
        help: "XML reports in the format of Cobertura (coverage xml, gcovr, and many others)",
        is_it: |text| text.starts_with('<') && text.contains("<coverage"),
        read: cobertura::read,
    },
];

impl Format {
    /// The format of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        REGISTRY.iter().find(|format| format.name == name)
    }

    /// The format that a report has, by its beginning.
    #[must_use]
    pub fn of(text: &str) -> Option<&'static Self> {
        let text = text.trim_start_matches('\u{feff}').trim_start();
        REGISTRY.iter().find(|format| (format.is_it)(text))
    }

    /// Reads a report.
    ///
    /// # Errors
    /// Why it is not a report of this format.
    pub fn read(&self, text: &str, granularity: Granularity) -> Result<Report, String> {
        (self.read)(text.trim_start_matches('\u{feff}'), granularity)
            .map_err(|error| format!("it is no {} report: {error}", self.name))
    }
}

/// The target of a line.
fn line(file: &str, line: u32) -> TargetInfo {
    TargetInfo {
        name: format!("{file}:{line}"),
        file: Some(file.to_owned()),
        first_line: Some(line),
        last_line: Some(line),
    }
}

/// The target of one direction of a branch.
fn branch(file: &str, at: u32, number: impl fmt::Display) -> TargetInfo {
    TargetInfo { name: format!("{file}:{at}#{number}"), ..line(file, at) }
}

/// The target of a function. Names of functions are unique within a file only.
fn function(file: &str, name: &str, lines: Option<(u32, u32)>) -> TargetInfo {
    TargetInfo {
        name: format!("{file}:{name}"),
        file: Some(file.to_owned()),
        first_line: lines.map(|(first, _)| first),
        last_line: lines.map(|(_, last)| last),
    }
}

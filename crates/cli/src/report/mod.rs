//! How campaigns are reported: one file per form, after one trait, in one registry.

mod html;
mod json;
mod junit;
mod markdown;
mod sarif;
mod tap;
mod terminal;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueHint};
use gramercy::base::Diagnostic;
use gramercy::campaign::{Case, Finding, Group, Report};

use crate::codes;
use crate::console::Console;
use crate::outcome::Failure;
use crate::render::Palette;

const HEADING: &str = "Output options";

/// Writes a report in one form.
trait Reporter: Sync {
    /// Writes it.
    fn write(&self, report: &Report, out: &mut dyn Write) -> io::Result<()>;
}

/// A form of reports.
struct Entry {
    name: &'static str,
    extensions: &'static [&'static str],
    help: &'static str,
    reporter: &'static dyn Reporter,
}

/// All forms. A new one is a file and a line here.
static REGISTRY: [Entry; 7] = [
    Entry {
        name: "html",
        extensions: &["html", "htm"],
        help: "one page that works offline",
        reporter: &html::Html,
    },
    Entry { name: "json", extensions: &["json"], help: "counts and groups", reporter: &json::Json },
    Entry {
        name: "junit",
        extensions: &["xml"],
        help: "JUnit XML with every test",
        reporter: &junit::Junit,
    },
    Entry {
        name: "markdown",
        extensions: &["md"],
        help: "for the summary of a CI job",
        reporter: &markdown::Markdown,
    },
    Entry {
        name: "sarif",
        extensions: &["sarif"],
        help: "groups at lines of the grammar",
        reporter: &sarif::Sarif,
    },
    Entry {
        name: "tap",
        extensions: &["tap"],
        help: "Test Anything Protocol, with every test",
        reporter: &tap::Tap,
    },
    Entry {
        name: "text",
        extensions: &["txt"],
        help: "as on the terminal",
        reporter: &terminal::Terminal { palette: None },
    },
];

/// Where reports go.
#[derive(Args)]
pub(crate) struct ReportArgs {
    /// Write a report to this file, in the form of its extension; may be given more than once
    #[arg(long, value_name = "FILE", help_heading = HEADING, value_hint = ValueHint::FilePath)]
    report: Vec<PathBuf>,
    /// Form of the files of --report [default: by the extension]
    #[arg(long, value_name = "NAME", value_parser = forms(), help_heading = HEADING)]
    report_format: Option<String>,
}

fn forms() -> impl TypedValueParser<Value = String> {
    let value = |entry: &Entry| PossibleValue::new(entry.name).help(entry.help);
    PossibleValuesParser::new(REGISTRY.iter().map(value))
}

impl ReportArgs {
    /// Writes the files.
    pub(crate) fn write(&self, report: &Report, console: &Console) -> Result<(), Failure> {
        let _ = console;
        for path in &self.report {
            let entry = self.entry(path)?;
            let unwritable = |error: io::Error| Failure::unwritable(path, &error);
            let mut out = BufWriter::new(File::create(path).map_err(unwritable)?);
            entry.reporter.write(report, &mut out).map_err(unwritable)?;
            out.flush().map_err(unwritable)?;
        }
        Ok(())
    }

    fn entry(&self, path: &Path) -> Result<&'static Entry, Failure> {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
        let is_meant = |entry: &&Entry| match &self.report_format {
            Some(name) => entry.name == name,
            None => entry.extensions.contains(&extension),
        };
        REGISTRY.iter().find(is_meant).ok_or_else(|| {
            let message = format!("the extension of `{}` does not tell a form", path.display());
            let help = "use .html, .json, .xml, .md, .sarif, .tap or .txt, or --report-format";
            Failure::refused(Diagnostic::new(codes::UNWRITABLE, message).help(help))
        })
    }

    /// Shows the report on standard output.
    pub(crate) fn show(
        &self,
        report: &Report,
        is_json: bool,
        console: &mut Console,
    ) -> Result<(), Failure> {
        let palette = console.out_palette();
        let out = console.out();
        match is_json {
            true => json::Json.write(report, out)?,
            false => terminal::Terminal { palette: Some(palette) }.write(report, out)?,
        }
        Ok(())
    }
}

/// A database that failed while a report was written.
fn failed(error: &dyn std::fmt::Display) -> io::Error {
    io::Error::other(format!("the database failed: {error}"))
}

/// A test in one line: escaped, and not longer than a person reads.
pub(crate) fn one_line(content: &[u8], most: usize) -> String {
    let text = String::from_utf8_lossy(content);
    let mut line = String::new();
    for (number, c) in text.chars().enumerate() {
        if number == most {
            line.push('…');
            break;
        }
        match c {
            '\n' => line.push_str("\\n"),
            '\r' => line.push_str("\\r"),
            '\t' => line.push_str("\\t"),
            c if c.is_control() => line.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
            c => line.push(c),
        }
    }
    line
}

/// The name of a test for people.
fn test_name(case: &Case) -> String {
    case.name.clone().unwrap_or_else(|| format!("test {}", case.id))
}

/// What was expected of a test and what happened, in words.
fn in_words(finding: &Finding) -> String {
    let Finding { case, judgement, .. } = finding;
    let place = match (case.expect.place(), judgement.place) {
        (Some(first), Some((line, column))) => {
            let column = column.map_or(String::new(), |column| format!(":{column}"));
            format!("; first error at {}:{}, reported at {line}{column}", first.line, first.column)
        }
        (Some(first), None) => format!("; first error at {}:{}", first.line, first.column),
        (None, _) => String::new(),
    };
    format!("expected {}, got {}{place}", case.expect.as_str(), judgement.ending)
}

/// The subject of a group, where there are several.
fn subject_of<'r>(report: &'r Report, group: &Group) -> Option<&'r str> {
    (report.subjects.len() > 1).then(|| report.subjects[group.subject].as_str())
}

/// Plain styles for files.
fn plain() -> Palette {
    Palette::new(false)
}

#[cfg(test)]
mod tests {
    use super::{REGISTRY, one_line};

    #[test]
    fn forms_differ_in_name_and_extension() {
        let mut names: Vec<&str> = REGISTRY.iter().map(|entry| entry.name).collect();
        let sorted = names.clone();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names, sorted);
        let mut extensions: Vec<_> = REGISTRY.iter().flat_map(|entry| entry.extensions).collect();
        let all = extensions.len();
        extensions.sort_unstable();
        extensions.dedup();
        assert_eq!(extensions.len(), all);
        assert!(REGISTRY.iter().all(|entry| !entry.help.is_empty()));
    }

    #[test]
    fn tests_are_shown_in_one_line() {
        assert_eq!(one_line(b"a\nb\t\x01", 99), "a\\nb\\t\\u{1}");
        assert_eq!(one_line(b"abc", 2), "ab…");
    }
}

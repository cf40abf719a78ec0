//! JSON for programs. Every document has `"schema": 1`; field names are part of the public surface.

use std::io::{self, Write};

use gramercy::base::{Diagnostic, Severity, Sources};
use serde::Serialize;

/// The version of all our documents.
const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Document<'a, T> {
    schema: u32,
    #[serde(flatten)]
    content: &'a T,
}

/// Writes one document on one line.
pub(crate) fn write(out: &mut impl Write, content: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, &Document { schema: SCHEMA, content })?;
    writeln!(out)
}

/// Writes one document on one line, with further members that are JSON already: values too deep to
/// be written by recursion.
pub(crate) fn write_with(
    out: &mut impl Write,
    content: &impl Serialize,
    members: &[(&str, &str)],
) -> io::Result<()> {
    let mut text = serde_json::to_string(&Document { schema: SCHEMA, content })?;
    text.pop();
    for (name, value) in members {
        text.push_str(&format!(",\"{name}\":{value}"));
    }
    writeln!(out, "{text}}}")
}

/// Diagnostics with their places resolved to lines and columns.
#[derive(Serialize)]
pub(crate) struct Report<'a> {
    errors: usize,
    warnings: usize,
    notes: usize,
    diagnostics: Vec<Entry<'a>>,
}

#[derive(Serialize)]
struct Entry<'a> {
    code: &'a str,
    severity: &'a str,
    message: &'a str,
    places: Vec<DiagnosticPosition<'a>>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    notes: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'a str>,
}

/// Where, in the counting of all our JSON: bytes from 0, lines and columns from 1.
#[derive(Serialize)]
struct DiagnosticPosition<'a> {
    file: &'a str,
    byte: usize,
    line: usize,
    column: usize,
    length: usize,
    #[serde(skip_serializing_if = "str::is_empty")]
    text: &'a str,
}

impl<'a> Report<'a> {
    /// The document for these diagnostics.
    pub(crate) fn new(diagnostics: &'a [Diagnostic], sources: &'a Sources) -> Self {
        let count = |severity| {
            diagnostics.iter().filter(|diagnostic| diagnostic.severity() == severity).count()
        };
        Self {
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            notes: count(Severity::Note),
            diagnostics: diagnostics.iter().map(|diagnostic| entry(diagnostic, sources)).collect(),
        }
    }
}

fn entry<'a>(diagnostic: &'a Diagnostic, sources: &'a Sources) -> Entry<'a> {
    let places = diagnostic.labels.iter().map(|label| {
        let position = sources.position(label.span);
        DiagnosticPosition {
            file: sources.get(label.span.source).name(),
            byte: label.span.range().start,
            line: position.line,
            column: position.column,
            length: label.span.range().len(),
            text: &label.text,
        }
    });
    Entry {
        code: diagnostic.code.name,
        severity: diagnostic.severity().as_str(),
        message: &diagnostic.message,
        places: places.collect(),
        notes: &diagnostic.notes,
        help: diagnostic.help.as_deref(),
    }
}

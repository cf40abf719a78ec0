//! JSON for programs.

use std::io::{self, Write};

use gramercy::base::Named;
use gramercy::campaign::verdict::{Counts, Verdict};
use gramercy::campaign::{Finding, Group, Report};
use serde::{Serialize, Serializer};

use super::{Reporter, subject_of};

/// JSON on one line.
pub(super) struct Json;

#[derive(Serialize)]
struct Document<'d> {
    schema: u32,
    tests: u64,
    verdicts: Members<&'static str, u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    subjects: Option<Members<&'d str, Members<&'static str, u64>>>,
    groups: Vec<GroupDocument<'d>>,
}

#[derive(Serialize)]
struct GroupDocument<'d> {
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<&'d str>,
    ending: &'d str,
    message: &'d str,
    reason: &'d str,
    elements: Vec<ElementDocument<'d>>,
    tests: u64,
    smallest: SmallestDocument<'d>,
}

#[derive(Serialize)]
struct ElementDocument<'d> {
    element: &'d str,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'d str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
}

#[derive(Serialize)]
struct SmallestDocument<'d> {
    id: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'d str>,
    text: std::borrow::Cow<'d, str>,
    expect: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<PlaceDocument>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reported: Option<ReportedDocument>,
    stdout: std::borrow::Cow<'d, str>,
    stderr: std::borrow::Cow<'d, str>,
}

#[derive(Serialize)]
struct PlaceDocument {
    byte: u64,
    line: u64,
    column: u64,
}

#[derive(Serialize)]
struct ReportedDocument {
    line: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u64>,
}

impl Reporter for Json {
    fn write(&self, report: &Report, out: &mut dyn Write) -> io::Result<()> {
        let subjects = report.subjects.iter().map(String::as_str);
        let subjects = subjects.zip(report.counts.iter().map(verdicts));
        let document = Document {
            schema: 1,
            tests: report.tests(),
            verdicts: verdicts(&report.total()),
            subjects: (report.subjects.len() > 1).then(|| Members(subjects.collect())),
            groups: report.groups.iter().map(|group| group_document(report, group)).collect(),
        };
        serde_json::to_writer(&mut *out, &document)?;
        writeln!(out)
    }
}

fn verdicts(counts: &Counts) -> Members<&'static str, u64> {
    Members(Verdict::all().map(|verdict| (verdict.name(), counts.of(verdict))).collect())
}

/// An object whose members keep their order.
struct Members<K, V>(Vec<(K, V)>);

impl<K: Serialize, V: Serialize> Serialize for Members<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

fn group_document<'d>(report: &'d Report, group: &'d Group) -> GroupDocument<'d> {
    let element = |element: &'d gramercy::campaign::triage::Element| ElementDocument {
        element: &element.text,
        file: element.place.as_ref().map(|place| place.file.as_str()),
        line: element.place.as_ref().map(|place| place.line),
        column: element.place.as_ref().map(|place| place.column),
    };
    GroupDocument {
        verdict: group.verdict.name(),
        subject: subject_of(report, group),
        ending: &group.ending,
        message: &group.signature,
        reason: &group.reason,
        elements: group.elements.iter().map(element).collect(),
        tests: group.tests,
        smallest: smallest(&group.smallest),
    }
}

fn smallest(finding: &Finding) -> SmallestDocument<'_> {
    let Finding { case, judgement, stdout, stderr } = finding;
    SmallestDocument {
        id: case.id,
        name: case.name.as_deref(),
        text: String::from_utf8_lossy(&case.content),
        expect: case.expect.as_str(),
        error: case.expect.place().map(|place| PlaceDocument {
            byte: place.byte,
            line: place.line,
            column: place.column,
        }),
        reported: judgement.place.map(|(line, column)| ReportedDocument { line, column }),
        stdout: String::from_utf8_lossy(stdout),
        stderr: String::from_utf8_lossy(stderr),
    }
}

//! SARIF 2.1.0 with one result per group, at the lines of the grammar that its tests share.

use std::io::{self, Write};

use gramercy::base::Named;
use gramercy::campaign::element_place::ElementPlace;
use gramercy::campaign::verdict::Verdict;
use gramercy::campaign::{Group, Report};
use serde_json::{Value, json};

use super::{Reporter, in_words, one_line};
use crate::render::sarif::uri;

/// A SARIF log.
pub(super) struct Sarif;

impl Reporter for Sarif {
    fn write(&self, report: &Report, out: &mut dyn Write) -> io::Result<()> {
        let rules: Vec<Value> = Verdict::CHOICES
            .iter()
            .filter(|choice| choice.value.is_finding())
            .map(|choice| {
                json!({
                    "id": choice.name,
                    "shortDescription": { "text": choice.help },
                    "defaultConfiguration": { "level": "error" },
                })
            })
            .collect();
        let results: Vec<Value> = report.groups.iter().map(|group| result(report, group)).collect();
        let log = json!({
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [{
                "tool": { "driver": {
                    "name": "gramercy",
                    "version": env!("CARGO_PKG_VERSION"),
                    "rules": rules,
                }},
                "columnKind": "unicodeCodePoints",
                "results": results,
            }],
        });
        serde_json::to_writer_pretty(&mut *out, &log)?;
        writeln!(out)
    }
}

fn result(report: &Report, group: &Group) -> Value {
    let smallest = &group.smallest;
    let text = format!(
        "{}: {}. {}. {}. Test {}: {}",
        report.subjects[group.subject],
        group.title(),
        group.reason,
        in_words(smallest),
        smallest.case.id,
        one_line(&smallest.case.content, 500),
    );
    let places = group.elements.iter().filter_map(|element| element.place.as_ref());
    let mut places: Vec<Value> = places.map(location).collect();
    if places.is_empty() {
        // Code hosts drop results without a place.
        let file = report.value(gramercy::campaign::journal::GRAMMAR_FILE).unwrap_or_default();
        places.push(json!({
            "physicalLocation": {
                "artifactLocation": { "uri": uri(file) },
                "region": { "startLine": 1 },
            },
        }));
    }
    let related = places.split_off(1);
    let mut result = json!({
        "ruleId": group.verdict.name(),
        "ruleIndex": group.verdict.number() - 1,
        "level": "error",
        "message": { "text": text },
        "locations": places,
        "occurrenceCount": group.tests,
        "partialFingerprints": {
            "gramercy/v1": format!("{} {} {} {}", group.verdict.name(), group.ending, group.signature, group.reason),
        },
    });
    if !related.is_empty() {
        result["relatedLocations"] = Value::from(related);
    }
    result
}

fn location(place: &ElementPlace) -> Value {
    json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri(&place.file) },
            "region": {
                "startLine": place.line,
                "startColumn": place.column,
                "endLine": place.end_line,
                "endColumn": place.end_column,
            },
            "contextRegion": {
                "startLine": place.excerpt_line,
                "endLine": place.excerpt_line + place.excerpt.lines().count().max(1) - 1,
                "snippet": { "text": place.excerpt },
            },
        },
    })
}

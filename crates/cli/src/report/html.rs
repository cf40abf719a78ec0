//! One page that holds everything it shows and asks no network.
//!
//! The page is `page/page.html` with its style, its script and the campaign as JSON in it. The script draws only the
//! rows that are in view, so a hundred thousand tests scroll as smoothly as ten.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::ControlFlow;

use gramercy::base::Named;
use gramercy::campaign::journal::GRAMMAR_FILE;
use gramercy::campaign::journal::read::{self, Judged, Which};
use gramercy::campaign::verdict::{Counts, Verdict};
use gramercy::campaign::{Expectation, Group, Report};
use serde_json::{Value, json};

use super::{Reporter, failed, in_words};

/// The page around style, data and script.
const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &str = include_str!("page/page.js");
/// Where these go.
const MARKS: [&str; 3] = ["@STYLE@", "@DATA@", "@SCRIPT@"];
/// Tests that the page lists.
const TESTS: u64 = 200_000;
/// Characters of a test that the page holds.
const LENGTH: usize = 4000;
/// Points of the coverage curve.
const POINTS: u64 = 400;

/// An HTML page.
pub(super) struct Html;

impl Reporter for Html {
    fn write(&self, report: &Report, out: &mut dyn Write) -> io::Result<()> {
        let [before, between, around, after] = parts();
        write!(out, "{before}{STYLE}{between}")?;
        let head = embedded(&head(report)?);
        let head = head.strip_suffix('}').expect("invariant: it is an object");
        write!(out, "{head},\"rows\":[")?;
        rows(report, out)?;
        write!(out, "]}}{around}{SCRIPT}{after}")
    }
}

/// The page, split at its marks.
fn parts() -> [&'static str; 4] {
    let mut rest = PAGE;
    let mut next = |mark: &str| {
        let (before, after) = rest.split_once(mark).expect("invariant: the page has each mark");
        rest = after;
        before
    };
    let [style, data, script] = MARKS.map(&mut next);
    [style, data, script, rest]
}

/// Everything but the tests.
fn head(report: &Report) -> io::Result<Value> {
    let all: u64 = report.counts.iter().map(Counts::total).sum();
    let counts: Vec<Vec<u64>> = report
        .counts
        .iter()
        .map(|counts| Verdict::all().map(|verdict| counts.of(verdict)).collect())
        .collect();
    let growth = read::growth(&report.database, POINTS).map_err(|error| failed(&error))?;
    let points = growth.iter().map(|point| json!([point.tests, point.covered, point.findings]));
    Ok(json!({
        "grammar": report.value(GRAMMAR_FILE).unwrap_or_default(),
        "version": env!("CARGO_PKG_VERSION"),
        "about": report.value("start").map(|start| format!("start rule {start}")),
        "tests": report.tests(),
        "subjects": report.subjects,
        "verdicts": Verdict::names(),
        "counts": counts,
        "covered": growth.last().map_or(0, |point| point.covered),
        "growth": points.collect::<Vec<_>>(),
        "groups": report.groups.iter().map(group).collect::<Vec<_>>(),
        "left_out": all.saturating_sub(TESTS),
    }))
}

/// JSON that can stand in a script element.
fn embedded(value: &Value) -> String {
    value.to_string().replace("</", "<\\/").replace("<!--", "<\\u0021--")
}

/// Writes the tests.
fn rows(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let mut written = 0;
    // Where not all tests fit, findings do.
    let all: u64 = report.counts.iter().map(Counts::total).sum();
    let kinds: &[Which] = if all > TESTS { &[Which::Found, Which::Passed] } else { &[Which::All] };
    for &which in kinds {
        for subject in 0..report.subjects.len() {
            let group_of = group_numbers(report, subject);
            let mut result = Ok(());
            let walked = read::for_each(&report.database, subject, which, |judged| {
                if written == TESTS {
                    return ControlFlow::Break(());
                }
                let comma = if written > 0 { ",\n" } else { "\n" };
                written += 1;
                let group = group_of.get(&judged.case.id).copied();
                result = write!(out, "{comma}{}", embedded(&row(subject, group, &judged)));
                if result.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            walked.map_err(|error| failed(&error))?;
            result?;
        }
    }
    Ok(())
}

/// The group of each finding of a subject.
fn group_numbers(report: &Report, subject: usize) -> BTreeMap<u64, usize> {
    let groups = report.groups.iter().enumerate().filter(|(_, group)| group.subject == subject);
    groups
        .flat_map(|(number, group)| group.members.iter().map(move |&test| (test, number)))
        .collect()
}

/// A test as `page.js` describes it; what is absent at the end is left out.
fn row(subject: usize, group: Option<usize>, judged: &Judged) -> Value {
    let Judged { case, judgement } = judged;
    let (first, seen) = (case.expect.place(), judgement.place);
    let mut row = vec![
        json!(case.id),
        json!(subject),
        json!(judgement.verdict.number()),
        json!(u8::from(case.expect != Expectation::Accept)),
        json!(text(&case.content)),
        json!(case.name),
        json!(group),
        json!(first.map(|place| place.line)),
        json!(first.map(|place| place.column)),
        json!(seen.map(|(line, _)| line)),
        json!(seen.and_then(|(_, column)| column)),
    ];
    while row.last().is_some_and(Value::is_null) {
        row.pop();
    }
    Value::Array(row)
}

fn text(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    match text.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into_owned(),
    }
}

fn group(group: &Group) -> Value {
    let smallest = &group.smallest;
    let output = [&smallest.stderr, &smallest.stdout];
    let output: Vec<String> = output.iter().map(|bytes| text(bytes)).collect();
    let elements = group.elements.iter().map(|element| {
        let place = element.place.as_ref();
        json!({
            "text": element.text,
            "place": place.map(|place| format!("{}:{}:{}", place.file, place.line, place.column)),
            "from": place.map(|place| [place.line, place.column]),
            "to": place.map(|place| [place.end_line, place.end_column]),
            "line": place.map(|place| place.excerpt_line),
            "excerpt": place.map(|place| place.excerpt.clone()),
        })
    });
    let first = smallest.case.expect.place();
    json!({
        "subject": group.subject,
        "verdict": group.verdict.number(),
        "title": group.title(),
        "reason": group.reason,
        "tests": group.tests,
        "id": smallest.case.id,
        "words": in_words(smallest),
        "text": text(&smallest.case.content),
        "line": first.map(|place| place.line),
        "column": first.map(|place| place.column),
        "output": output.join(""),
        "elements": elements.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::{MARKS, PAGE, SCRIPT, STYLE, embedded};

    #[test]
    fn the_page_has_each_mark_once_and_no_address_of_others() {
        for mark in MARKS {
            assert_eq!(PAGE.matches(mark).count(), 1, "{mark}");
        }
        for text in [PAGE, STYLE, SCRIPT] {
            for word in ["https://", "src=", "@import", "url("] {
                assert!(!text.contains(word), "{word}");
            }
        }
    }

    #[test]
    fn data_cannot_end_the_script() {
        let text = embedded(&serde_json::json!(["</script><!--"]));
        assert!(!text.contains("</") && !text.contains("<!--"), "{text}");
    }

    /// Nothing in the script or the style may end its element.
    #[test]
    fn style_and_script_stay_in_their_elements() {
        assert!(!SCRIPT.contains("</") && !SCRIPT.contains("<!--") && !STYLE.contains("</"));
    }
}

//! One page that holds everything it shows and asks no network.
//!
//! The page is `page.html` with the campaign as JSON in it; its script draws only the rows that are visible, so a
//! hundred thousand tests scroll as smoothly as ten.

use std::io::{self, Write};
use std::ops::ControlFlow;

use gramercy::base::Named;
use gramercy::campaign::journal::GRAMMAR_FILE;
use gramercy::campaign::journal::read::{self, Judged, Which};
use gramercy::campaign::verdict::{Counts, Verdict};
use gramercy::campaign::{Expectation, Group, Report};
use serde_json::{Value, json};

use super::{Reporter, failed, in_words};

/// The page around the data.
const PAGE: &str = include_str!("page.html");
/// Where the data goes.
const MARK: &str = "@DATA@";
/// Tests that the page lists.
const TESTS: u64 = 200_000;
/// Characters of a test that the page holds.
const LENGTH: usize = 4000;

/// An HTML page.
pub(super) struct Html;

impl Reporter for Html {
    fn write(&self, report: &Report, out: &mut dyn Write) -> io::Result<()> {
        let (before, after) = PAGE.split_once(MARK).expect("invariant: the page has the mark");
        let all: u64 = report.counts.iter().map(Counts::total).sum();
        let counts: Vec<Vec<u64>> = report
            .counts
            .iter()
            .map(|counts| Verdict::all().map(|verdict| counts.of(verdict)).collect())
            .collect();
        let head = json!({
            "grammar": report.value(GRAMMAR_FILE).unwrap_or_default(),
            "tests": report.tests(),
            "subjects": report.subjects,
            "verdicts": Verdict::names(),
            "counts": counts,
            "groups": report.groups.iter().map(group).collect::<Vec<_>>(),
            "left_out": all.saturating_sub(TESTS),
        });
        let head = embedded(&head);
        let head = head.strip_suffix('}').expect("invariant: it is an object");
        write!(out, "{before}{head},\"rows\":[")?;
        rows(report, out)?;
        write!(out, "]}}{after}")
    }
}

/// JSON that can stand in a script element.
fn embedded(value: &Value) -> String {
    value.to_string().replace("</", "<\\/").replace("<!--", "<\\u0021--")
}

/// Writes the tests: number, subject, verdict, expectation, text, newly covered targets, name.
fn rows(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let mut written = 0;
    // Where not all tests fit, findings do.
    let all: u64 = report.counts.iter().map(Counts::total).sum();
    let kinds: &[Which] = if all > TESTS { &[Which::Found, Which::Passed] } else { &[Which::All] };
    for &which in kinds {
        for subject in 0..report.subjects.len() {
            let mut result = Ok(());
            let walked = read::for_each(&report.database, subject, which, |judged| {
                if written == TESTS {
                    return ControlFlow::Break(());
                }
                let comma = if written > 0 { ",\n" } else { "\n" };
                written += 1;
                result = write!(out, "{comma}{}", embedded(&row(subject, &judged)));
                if result.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            walked.map_err(|error| failed(&error))?;
            result?;
        }
    }
    Ok(())
}

fn row(subject: usize, judged: &Judged) -> Value {
    let Judged { case, judgement } = judged;
    let expect = u8::from(case.expect != Expectation::Accept);
    let verdict = judgement.verdict.number();
    json!([case.id, subject, verdict, expect, text(&case.content), case.covers, case.name])
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
            "excerpt": place.map(|place| place.excerpt.clone()),
        })
    });
    json!({
        "subject": group.subject,
        "verdict": group.verdict.number(),
        "title": group.title(),
        "reason": group.reason,
        "tests": group.tests,
        "id": smallest.case.id,
        "words": in_words(smallest),
        "text": text(&smallest.case.content),
        "output": output.join(""),
        "elements": elements.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::{MARK, PAGE, embedded};

    #[test]
    fn the_page_has_one_mark_and_no_address_of_others() {
        assert_eq!(PAGE.matches(MARK).count(), 1);
        for word in ["https://", "src=", "@import"] {
            assert!(!PAGE.contains(word), "{word}");
        }
    }

    #[test]
    fn data_cannot_end_the_script() {
        let text = embedded(&serde_json::json!(["</script><!--"]));
        assert!(!text.contains("</") && !text.contains("<!--"), "{text}");
    }
}

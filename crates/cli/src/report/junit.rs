//! JUnit XML, which CI servers read: a suite per subject, with every test.

use std::io::{self, Write};
use std::ops::ControlFlow;

use gramercy::base::Named;
use gramercy::campaign::Report;
use gramercy::campaign::journal::read::{self, Judged, Which};
use gramercy::campaign::verdict::{Counts, Verdict};

use super::{Reporter, failed, one_line, test_name};

/// JUnit XML.
pub(super) struct Junit;

impl Reporter for Junit {
    fn write(&self, report: &Report, out: &mut dyn Write) -> io::Result<()> {
        let total = report.total();
        writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
        writeln!(out, "<testsuites name=\"gramercy\" {}>", attributes(&total))?;
        for (subject, (name, counts)) in report.subjects.iter().zip(&report.counts).enumerate() {
            writeln!(
                out,
                "  <testsuite name=\"{}\" {} skipped=\"0\">",
                escape(name),
                attributes(counts)
            )?;
            let mut result = Ok(());
            let walked = read::for_each(&report.database, subject, Which::All, |judged| {
                result = case(out, report, subject, name, &judged);
                if result.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            walked.map_err(|error| failed(&error))?;
            result?;
            writeln!(out, "  </testsuite>")?;
        }
        writeln!(out, "</testsuites>")
    }
}

/// Failures are answers that differ from what was expected; errors are everything else.
fn is_failure(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::RejectedPositive | Verdict::AcceptedNegative | Verdict::WrongPlace)
}

fn attributes(counts: &Counts) -> String {
    let sum = |wanted: bool| -> u64 {
        let found = Verdict::all().filter(|verdict| verdict.is_finding());
        found.filter(|&verdict| is_failure(verdict) == wanted).map(|one| counts.of(one)).sum()
    };
    format!("tests=\"{}\" failures=\"{}\" errors=\"{}\"", counts.total(), sum(true), sum(false))
}

fn case(
    out: &mut dyn Write,
    report: &Report,
    subject: usize,
    class: &str,
    judged: &Judged,
) -> io::Result<()> {
    let Judged { case, judgement } = judged;
    let (class, name) = (escape(class), escape(&test_name(case)));
    write!(out, "    <testcase classname=\"{class}\" name=\"{name}\"")?;
    if !judgement.verdict.is_finding() {
        return writeln!(out, "/>");
    }
    let (stdout, stderr) =
        read::output(&report.database, subject, case.id).map_err(|error| failed(&error))?;
    let tag = if is_failure(judgement.verdict) { "failure" } else { "error" };
    let message = match judgement.signature.is_empty() {
        true => judgement.ending.clone(),
        false => format!("{}: {}", judgement.ending, judgement.signature),
    };
    let (verdict, message) = (judgement.verdict.name(), escape(&message));
    let text = escape(&one_line(&case.content, 4000));
    writeln!(out, ">\n      <{tag} type=\"{verdict}\" message=\"{message}\">{text}</{tag}>")?;
    for (tag, bytes) in [("system-out", stdout), ("system-err", stderr)] {
        if !bytes.is_empty() {
            writeln!(out, "      <{tag}>{}</{tag}>", escape(&String::from_utf8_lossy(&bytes)))?;
        }
    }
    writeln!(out, "    </testcase>")
}

/// A text in XML. Characters that XML cannot hold at all are replaced.
fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(c),
            '\r' => escaped.push_str("&#13;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn everything_can_stand_in_xml() {
        assert_eq!(
            escape("<a b=\"&\">\0\u{ffff}"),
            "&lt;a b=&quot;&amp;&quot;&gt;\u{fffd}\u{fffd}"
        );
    }
}

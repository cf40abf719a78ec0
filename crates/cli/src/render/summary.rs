//! A suite in figures, and what is missing from it.

use gramercy::base::Diagnostic;
use gramercy::generate::pipeline::summary::End;
use gramercy::generate::pipeline::{Summary, Unwritten};
use gramercy::generate::{Minimized, Named, Pipeline};
use serde::Serialize;

use super::numbers::grouped;
use crate::codes;

/// How many unwritten targets are shown.
const SHOWN: usize = 5;

/// The number of tests as a document.
#[derive(Serialize)]
pub(crate) struct Count {
    /// Tests.
    pub(crate) tests: u64,
    /// Tests that they were chosen from.
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<u64>,
    /// No choice that covers the same has fewer tests, over all shards.
    #[serde(skip_serializing_if = "Option::is_none")]
    at_least: Option<u64>,
}

impl Count {
    /// So many tests, chosen from so many in this way.
    pub(crate) fn new(tests: u64, minimized: Option<&(Minimized, u64)>) -> Self {
        let of = minimized.map(|(_, of)| *of);
        Self { tests, of, at_least: minimized.map(|(minimized, _)| minimized.at_least as u64) }
    }
}

/// One line for people, about a choice of tests.
pub(crate) fn minimized_line(minimized: &Minimized, of: u64) -> String {
    let Minimized { kept, at_least, bound, is_cut } = minimized;
    let (kept, of) = (grouped(kept.len() as u64), grouped(of));
    let at_least = grouped(*at_least as u64);
    match is_cut {
        true => format!("{kept} of {of} tests kept, which is not all that are needed\n"),
        false => format!(
            "{kept} of {of} tests kept; no choice has fewer than {at_least}, and this rule never takes \
             more than {bound:.1} times the fewest\n"
        ),
    }
}

/// How many tests, and how large.
fn sizes(summary: &Summary) -> String {
    let Summary { tests, tokens, bytes, longest, .. } = summary;
    format!(
        "{} test{}, {} tokens, {} bytes, the longest {}",
        grouped(tests),
        if *tests == 1 { "" } else { "s" },
        grouped(tokens),
        grouped(bytes),
        grouped(longest),
    )
}

/// One line for people, about tests that were made for nothing in particular.
pub(crate) fn random_line(summary: &Summary) -> String {
    let mut line = sizes(summary);
    if let Some(mean) = summary.tokens.checked_div(summary.tests) {
        line.push_str(&format!("; {} tokens a test", grouped(mean)));
    }
    line + if summary.end == End::Interrupted { "; interrupted\n" } else { "\n" }
}

/// One line for people.
pub(crate) fn line(summary: &Summary, criteria: &[Named<'_>], limit: Option<u64>) -> String {
    let names: Vec<_> = criteria.iter().map(|named| named.name.as_str()).collect();
    let (written, names) = (grouped(summary.written), names.join("+"));
    let mut line = format!("{}; {written} targets of {names} written", sizes(summary));
    if let Some(share) = per_test(summary) {
        line.push_str(&format!(", {share} for each test"));
    }
    line.push_str(match summary.end {
        // There may be as many tests as were wished otherwise.
        End::Limit if limit.is_some() => "; ended by --limit",
        End::Complete | End::Limit => "",
        End::Interrupted => "; interrupted",
    });
    line + "\n"
}

#[expect(clippy::cast_precision_loss, reason = "a figure for people")]
fn per_test(summary: &Summary) -> Option<String> {
    (summary.tests > 0).then(|| format!("{:.1}", summary.written as f64 / summary.tests as f64))
}

/// What people must know about a suite.
pub(crate) fn findings(summary: &Summary, pipeline: &Pipeline<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    if summary.placeholders {
        let message = "names stand in for the texts of tokens that the grammar does not say";
        let help = "give texts with --lexeme ID=x,y or --lexemes FILE; --write-lexemes FILE makes \
                    a file to fill in";
        findings.push(Diagnostic::new(codes::PLACEHOLDERS, message).help(help));
    }
    if summary.unwritten_count > 0 {
        let count = grouped(summary.unwritten_count);
        let plural = if summary.unwritten_count == 1 { " was" } else { "s were" };
        let is_goal = summary.unwritten.iter().any(|unwritten| unwritten.goal.is_some());
        let what = if is_goal { "target" } else { "test" };
        let message = format!("{count} {what}{plural} not written");
        let mut diagnostic = Diagnostic::new(codes::UNWRITTEN, message);
        for unwritten in summary.unwritten.iter().take(SHOWN) {
            diagnostic = diagnostic.note(describe(unwritten, pipeline));
        }
        if summary.unwritten_count > SHOWN as u64 {
            diagnostic = diagnostic.note("and others");
        }
        if summary.has_unwritten_targets() && !summary.is_measured {
            diagnostic = diagnostic.note("tests for other targets may cover some by chance");
        }
        findings.push(diagnostic);
    }
    findings
}

fn describe(unwritten: &Unwritten, pipeline: &Pipeline<'_>) -> String {
    let target = match unwritten.goal {
        None => "a test".to_owned(),
        Some(goal) => {
            let Named { name, criterion } = &pipeline.criteria[goal.criterion];
            format!("`{}` of {name}", criterion.describe(goal.target))
        }
    };
    format!("{target}: {}", unwritten.obstacle.describe(pipeline.views.grammar))
}

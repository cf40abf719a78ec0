//! Markdown for the summary of a CI job.

use std::io::{self, Write};

use gramercy::base::Named;
use gramercy::campaign::Report;
use gramercy::campaign::verdict::Verdict;

use super::{Reporter, in_words, one_line, subject_of};
use crate::render::numbers::grouped;

/// Groups that are shown in full.
const GROUPS: usize = 50;
/// Characters of a test that are shown.
const WIDTH: usize = 500;

/// Markdown as GitHub and GitLab read it.
pub(super) struct Markdown;

impl Reporter for Markdown {
    fn write(&self, report: &Report, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "# Campaign\n")?;
        write!(out, "| verdict |")?;
        report.subjects.iter().try_for_each(|name| write!(out, " {} |", cell(name)))?;
        write!(out, "\n|---|")?;
        report.subjects.iter().try_for_each(|_| write!(out, "---:|"))?;
        writeln!(out)?;
        for verdict in Verdict::all() {
            write!(out, "| {} |", verdict.name())?;
            for counts in &report.counts {
                write!(out, " {} |", grouped(counts.of(verdict)))?;
            }
            writeln!(out)?;
        }
        for (number, group) in report.groups.iter().take(GROUPS).enumerate() {
            let subject =
                subject_of(report, group).map_or(String::new(), |name| format!(", {name}"));
            let (number, verdict, tests) = (number + 1, group.verdict.name(), grouped(group.tests));
            writeln!(out, "\n## {number}. {verdict}, {tests} tests{}\n", cell(&subject))?;
            writeln!(out, "{}\n", cell(&group.title()))?;
            writeln!(out, "{}. {}:\n", cell(&group.reason), cell(&in_words(&group.smallest)))?;
            // Indented code holds every character.
            writeln!(out, "    {}", one_line(&group.smallest.case.content, WIDTH))?;
        }
        if report.groups.len() > GROUPS {
            writeln!(out, "\n{} more groups are in the database.", report.groups.len() - GROUPS)?;
        }
        Ok(())
    }
}

/// A text in which nothing is markup.
fn cell(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        if matches!(c, '|' | '*' | '_' | '<' | '>' | '[' | ']' | '`' | '#' | '\\') {
            escaped.push('\\');
        }
        escaped.push(if c == '\n' { ' ' } else { c });
    }
    escaped
}

//! A summary for people at a terminal.

use std::io::{self, Write};

use gramercy::base::Named;
use gramercy::campaign::Report;
use gramercy::campaign::verdict::Verdict;

use super::{Reporter, in_words, one_line, plain, subject_of};
use crate::render::Palette;
use crate::render::numbers::grouped;

/// Groups that are shown; the others are counted.
const GROUPS: usize = 20;
/// Characters of a test that are shown.
const WIDTH: usize = 160;

/// Text, with styles where they are wanted.
pub(super) struct Terminal {
    pub(super) palette: Option<Palette>,
}

impl Reporter for Terminal {
    fn write(&self, report: &Report, out: &mut dyn Write) -> io::Result<()> {
        let heading = self.palette.unwrap_or_else(plain).heading;
        for (name, counts) in report.subjects.iter().zip(&report.counts) {
            writeln!(out, "{heading}{name}{heading:#}: {} tests", grouped(counts.total()))?;
            for verdict in Verdict::all().filter(|&verdict| counts.of(verdict) > 0) {
                writeln!(out, "  {:>10} {}", grouped(counts.of(verdict)), verdict.name())?;
            }
        }
        for (number, group) in report.groups.iter().take(GROUPS).enumerate() {
            let subject =
                subject_of(report, group).map_or(String::new(), |name| format!(", {name}"));
            let tests = grouped(group.tests);
            let plural = if group.tests == 1 { "test" } else { "tests" };
            let verdict = group.verdict.name();
            writeln!(
                out,
                "\n{heading}{}. {verdict}{heading:#}, {tests} {plural}{subject}",
                number + 1
            )?;
            writeln!(out, "   {}", group.title())?;
            writeln!(out, "   {}", group.reason)?;
            let smallest = &group.smallest;
            let text = one_line(&smallest.case.content, WIDTH);
            writeln!(out, "   test {}: {text}", smallest.case.id)?;
            writeln!(out, "   {}", in_words(smallest))?;
        }
        if report.groups.len() > GROUPS {
            let more = report.groups.len() - GROUPS;
            writeln!(out, "\n{more} more groups are in the database and in reports.")?;
        }
        Ok(())
    }
}

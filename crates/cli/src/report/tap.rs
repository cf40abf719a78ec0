//! The Test Anything Protocol, version 13, with every test.

use std::io::{self, Write};
use std::ops::ControlFlow;

use gramercy::base::Named;
use gramercy::campaign::Report;
use gramercy::campaign::journal::read::{self, Which};
use gramercy::campaign::verdict::Counts;

use super::{Reporter, failed, one_line, test_name};

/// One line per test; findings with a block of YAML.
pub(super) struct Tap;

impl Reporter for Tap {
    fn write(&self, report: &Report, out: &mut dyn Write) -> io::Result<()> {
        let all: u64 = report.counts.iter().map(Counts::total).sum();
        writeln!(out, "TAP version 13\n1..{all}")?;
        let mut number = 0;
        for (subject, name) in report.subjects.iter().enumerate() {
            let mut result = Ok(());
            let walked = read::for_each(&report.database, subject, Which::All, |judged| {
                number += 1;
                let is_found = judged.judgement.verdict.is_finding();
                let ok = if is_found { "not ok" } else { "ok" };
                let several =
                    if report.subjects.len() > 1 { format!("{name}: ") } else { String::new() };
                // A number sign would begin a directive.
                let title = format!("{several}{}", test_name(&judged.case)).replace('#', "\\#");
                result = writeln!(out, "{ok} {number} - {title}").and_then(|()| {
                    let quote = |text: &str| serde_json::Value::from(text).to_string();
                    match is_found {
                        false => Ok(()),
                        true => writeln!(
                            out,
                            "  ---\n  verdict: {}\n  ending: {}\n  message: {}\n  test: {}\n  ...",
                            judged.judgement.verdict.name(),
                            quote(&judged.judgement.ending),
                            quote(&judged.judgement.signature),
                            quote(&one_line(&judged.case.content, 2000)),
                        ),
                    }
                });
                if result.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            walked.map_err(|error| failed(&error))?;
            result?;
        }
        Ok(())
    }
}

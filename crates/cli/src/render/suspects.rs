//! Suspicious rules over the lines of the grammar, with the tests that point at them.

use gramercy::base::Diagnostic;
use gramercy::grammar::RuleId;
use gramercy::localize::{Pointer, Subject};

use super::rejections::{plain, position};
use super::{Palette, diagnostics};
use crate::codes;

/// Tests that are listed for a rule.
const LISTED: usize = 4;

/// A test that is shown.
pub(crate) struct Named<'n> {
    pub(crate) name: &'n str,
    pub(crate) text: &'n str,
}

/// A rule that is shown.
pub(crate) struct Suspect<'s> {
    pub(crate) rule: RuleId,
    pub(crate) rank: f64,
    pub(crate) score: f64,
    pub(crate) pointers: &'s [Pointer],
}

/// The rules, each with an excerpt of the grammar.
pub(crate) fn for_people(
    subject: &Subject<'_>,
    suspects: &[Suspect<'_>],
    tests: &[Named<'_>],
    palette: Palette,
) -> String {
    let diagnostics: Vec<_> =
        suspects.iter().map(|suspect| diagnostic(subject, suspect, tests)).collect();
    diagnostics::for_people(&diagnostics, subject.grammar().sources(), palette)
}

fn diagnostic(subject: &Subject<'_>, suspect: &Suspect<'_>, tests: &[Named<'_>]) -> Diagnostic {
    let rule = &subject.grammar().rules()[suspect.rule];
    let message = format!("rank {}: `{}`, score {:.3}", suspect.rank, rule.name, suspect.score);
    let mut shown = Diagnostic::at(codes::SUSPECT, rule.span, message);
    let best = suspect.pointers.first();
    if let Some((pointer, change)) = best.and_then(|p| Some((p, p.explanation.as_ref()?)))
        && let Some(span) = subject.span(change)
    {
        shown = shown.label(span, subject.describe(change, tests[pointer.test].text));
    }
    for pointer in suspect.pointers.iter().filter(|p| p.vote >= 0.01).take(LISTED) {
        let test = &tests[pointer.test];
        let (line, column) = position(test.text.as_bytes(), pointer.byte);
        let change = pointer.explanation.as_ref();
        let change = change.map(|change| format!(": {}", subject.describe(change, test.text)));
        let name = plain(test.name);
        shown = shown.note(format!("{name}:{line}:{column}{}", change.unwrap_or_default()));
    }
    shown
}

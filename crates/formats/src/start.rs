//! The start rule.

use gramercy_base::{Diagnostic, Span};

use crate::{Reading, codes, suggest};

/// A rule that could be the start rule.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'n> {
    /// Its name.
    pub name: &'n str,
    /// The span of its name.
    pub span: Span,
}

/// The index of the rule that the user requested, or a diagnostic. `None` if the user requested
/// none.
///
/// # Errors
/// If there is no rule of that name; it is reported.
pub fn asked_for(
    reading: &mut Reading<'_>,
    rules: &[Candidate<'_>],
) -> Result<Option<usize>, ReportedError> {
    let Some(wanted) = reading.wanted_start() else {
        return Ok(None);
    };
    if let Some(found) = rules.iter().position(|rule| rule.name == wanted) {
        return Ok(Some(found));
    }
    let message = format!("there is no rule `{wanted}` to start from");
    let mut diagnostic = Diagnostic::new(codes::UNKNOWN_START, message);
    diagnostic.help = suggest::did_you_mean(wanted, rules.iter().map(|rule| rule.name));
    reading.report(diagnostic);
    Err(ReportedError)
}

/// Reports that several rules could be the start rule.
pub fn ask(reading: &mut Reading<'_>, candidates: &[Candidate<'_>]) {
    const SHOWN: usize = 12;
    let names: Vec<_> =
        candidates.iter().take(SHOWN).map(|rule| format!("`{}`", rule.name)).collect();
    let more = match candidates.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let message = format!("several rules could be the start: {}{more}", names.join(", "));
    let mut diagnostic = Diagnostic::new(codes::SEVERAL_STARTS, message);
    for candidate in candidates.iter().take(SHOWN) {
        diagnostic = diagnostic.label(candidate.span, "no other rule refers to this one");
    }
    let example = candidates.first().map_or("RULE", |rule| rule.name);
    let help = format!("choose one with --start, for example --start {example}");
    reading.report(diagnostic.help(help));
}

/// The error is already reported as a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReportedError;

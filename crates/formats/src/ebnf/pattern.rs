//! Regular expressions in right-hand sides: parsed in a dialect, with warnings for probable
//! mistakes.

use gramercy_base::{Diagnostic, Span};
use gramercy_regular::Regex;
use gramercy_regular::dialect::{RegexError, brics};

use super::decoded::Decoded;
use super::syntax::Pattern;
use crate::{Reading, codes};

/// Longer patterns are rejected: each of their characters becomes a node of a tree.
const MOST_BYTES: usize = 1 << 20;

/// The parser of a dialect.
pub(crate) type Dialect = fn(&str) -> Result<Regex, RegexError>;

/// Reads a pattern in the dialect of Tribble's grammars. Errors are reported.
pub(crate) fn read_brics(reading: &mut Reading<'_>, pattern: &Decoded) -> Option<Pattern> {
    let read = read(reading, &pattern.text, brics::parse, &|range| pattern.span(range))?;
    warn_of_suspicious(reading, pattern);
    Some(read)
}

/// Reads a pattern. Errors, and an empty language, are reported; `span` maps a range of the pattern
/// to the file.
pub(crate) fn read(
    reading: &mut Reading<'_>,
    source: &str,
    dialect: Dialect,
    span: &dyn Fn(std::ops::Range<usize>) -> Span,
) -> Option<Pattern> {
    if source.len() > MOST_BYTES {
        let message = format!("a regular expression of more than {MOST_BYTES} bytes");
        let help = "make a rule of it";
        let place = span(0..source.len());
        reading.report(Diagnostic::at(codes::BAD_REGEX, place, message).help(help));
        return None;
    }
    match dialect(source) {
        Ok(regex) => {
            if matches_nothing(&regex) {
                let message = "this regular expression matches nothing, not even the empty text";
                reading.report(Diagnostic::at(codes::EMPTY_REGEX, span(0..source.len()), message));
            }
            Some(Pattern { source: source.into(), regex })
        }
        Err(RegexError { message, range, help }) => {
            let mut diagnostic = Diagnostic::at(codes::BAD_REGEX, span(range), message);
            diagnostic.help = help;
            reading.report(diagnostic);
            None
        }
    }
}

/// Whether the structure of the expression shows that it matches nothing. Cases that need an
/// automaton are not detected.
fn matches_nothing(regex: &Regex) -> bool {
    match regex {
        Regex::Nothing => true,
        Regex::Chars(set) => set.is_empty(),
        Regex::Concat(parts) | Regex::Intersection(parts) => parts.iter().any(matches_nothing),
        Regex::Union(parts) => parts.iter().all(matches_nothing),
        Regex::Repeat { min, max: Some(max), .. } if min > max => true,
        Regex::Repeat { inner, min, .. } => *min > 0 && matches_nothing(inner),
        Regex::Empty | Regex::Complement(_) => false,
    }
}

/// Warns about constructs that have a meaning only in other dialects.
fn warn_of_suspicious(reading: &mut Reading<'_>, pattern: &Decoded) {
    const SHORTHANDS: &str = "bBdDfnprPsStuUvwWxz0123456789";
    let text = &pattern.text;
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        if c != '\\' {
            continue;
        }
        let Some((_, next)) = chars.next() else { return };
        if SHORTHANDS.contains(next) {
            let message = format!("`\\{next}` is just the character `{next}` in this dialect");
            let help = match next {
                'n' | 'r' | 't' => {
                    format!("for the control character write `\\{next}`, with one backslash")
                }
                _ => "write the intended characters, for example [0-9]".into(),
            };
            warn(reading, pattern.span(at..at + 2), message, help);
            return;
        }
    }
    if text.len() > 1 && (text.starts_with('^') || (text.ends_with('$') && !text.ends_with("\\$")))
    {
        let message = "`^` and `$` are ordinary characters in this dialect";
        let help = "leave them out: an expression always matches a whole text";
        warn(reading, pattern.span(0..text.len()), message.into(), help.into());
    }
}

fn warn(reading: &mut Reading<'_>, span: Span, message: String, help: String) {
    reading.report(Diagnostic::at(codes::SUSPICIOUS_REGEX, span, message).help(help));
}

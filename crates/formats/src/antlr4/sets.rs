//! Literals and character sets: escapes, ranges, properties, and case.
//!
//! If case is ignored, sets are extended here as in ANTLR: every range only by its two ends,
//! properties not at all, and before a set is complemented. The lexer handles literals, where case
//! has only one meaning. Linear in the text, except for the tables of properties.

use gramercy_base::{Diagnostic, Span};
use gramercy_regular::{CharSet, chars, unicode};

use super::codes as antlr;
use super::tree::{Atom, SetItem, SetItemKind, Texts};
use crate::{Reading, codes};

/// Whether upper and lower case are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Case {
    Matters,
    Ignored,
}

impl Case {
    pub(super) fn is_ignored(self) -> bool {
        self == Case::Ignored
    }
}

/// The set of an element of a lexer rule; `None` if an error is reported.
///
/// # Panics
/// If the element is neither a set, a range, a complement nor `.`.
pub(super) fn of_atom(
    reading: &mut Reading<'_>,
    texts: &Texts,
    atom: &Atom,
    span: Span,
    case: Case,
) -> Option<CharSet> {
    match atom {
        Atom::Any => Some(CharSet::any()),
        Atom::Set => char_set(reading, texts.get(span), case, span),
        Atom::Range(first, last) => between(reading, texts, (*first, *last), span, case),
        Atom::Not(items) => complement(reading, texts, items, case),
        other => unreachable!("invariant: {other:?} is a set"),
    }
}

/// The characters from one literal to another.
fn between(
    reading: &mut Reading<'_>,
    texts: &Texts,
    (first, last): (Span, Span),
    span: Span,
    case: Case,
) -> Option<CharSet> {
    let low = character(reading, texts.get(first), first);
    let high = character(reading, texts.get(last), last);
    range(reading, (low?, high?), case, span)
}

/// The complement of the items.
fn complement(
    reading: &mut Reading<'_>,
    texts: &Texts,
    items: &[SetItem],
    case: Case,
) -> Option<CharSet> {
    let mut union = Some(Vec::new());
    for item in items {
        let text = texts.get(item.span);
        let set = match item.kind {
            SetItemKind::Token => rule_in_set(reading, text, item.span),
            SetItemKind::Literal => {
                character(reading, text, item.span).map(|code| single(code, case))
            }
            SetItemKind::Range(first, last) => {
                between(reading, texts, (first, last), item.span, case)
            }
            SetItemKind::Set => char_set(reading, text, case, item.span),
        };
        union = union.zip(set).map(|(mut ranges, set)| {
            ranges.extend_from_slice(set.ranges());
            ranges
        });
    }
    Some(CharSet::from_ranges(union?).complement())
}

fn rule_in_set(reading: &mut Reading<'_>, name: &str, span: Span) -> Option<CharSet> {
    let message = format!("the rule `{name}` cannot be part of a set");
    let help = "write its characters out";
    reading.report(Diagnostic::at(antlr::RULE_IN_SET, span, message).help(help));
    None
}

/// The code points of a literal, in quotes under `span`; `None` if an error is reported.
pub(super) fn literal(reading: &mut Reading<'_>, text: &str, span: Span) -> Option<Vec<u32>> {
    let inner = text.strip_prefix('\'').unwrap_or(text);
    let inner = inner.strip_suffix('\'').unwrap_or(inner);
    if inner.is_empty() {
        report_empty(reading, span, "this literal is empty");
        return None;
    }
    if !inner.contains('\\') {
        return Some(inner.chars().map(u32::from).collect());
    }
    let mut escapes = Escapes { reading, span, rest: inner, at: 1, quote: '\'' };
    let mut codes = Vec::new();
    while let Some(unit) = escapes.next()? {
        match unit {
            SetMember::Char(code) | SetMember::Escaped(code) => codes.push(code),
            SetMember::Property(_) => unreachable!("invariant: literals have no properties"),
        }
    }
    Some(join_surrogates(&codes))
}

/// Two consecutive halves are one character, as in Java's strings.
fn join_surrogates(codes: &[u32]) -> Vec<u32> {
    let mut joined: Vec<u32> = Vec::with_capacity(codes.len());
    for &code in codes {
        match joined.last_mut() {
            Some(high @ 0xD800..=0xDBFF) if (0xDC00..=0xDFFF).contains(&code) => {
                *high = 0x10000 + ((*high - 0xD800) << 10) + (code - 0xDC00);
            }
            _ => joined.push(code),
        }
    }
    joined
}

/// The single code point of a literal in a set or range; `None` if an error is reported.
fn character(reading: &mut Reading<'_>, text: &str, span: Span) -> Option<u32> {
    match literal(reading, text, span)?[..] {
        [code] => Some(code),
        _ => {
            let message = format!("{text} is more than one character");
            let help = "sets and ranges consist of single characters";
            reading.report(Diagnostic::at(antlr::LONG_LITERAL_IN_SET, span, message).help(help));
            None
        }
    }
}

/// The characters from one to another; `None` if an error is reported.
fn range(
    reading: &mut Reading<'_>,
    (first, last): (u32, u32),
    case: Case,
    span: Span,
) -> Option<CharSet> {
    if first > last {
        report_empty(reading, span, "this range is empty: its end comes before its beginning");
        return None;
    }
    Some(widened(first, last, case))
}

/// One character.
pub(super) fn single(code: u32, case: Case) -> CharSet {
    widened(code, code, case)
}

fn widened(first: u32, last: u32, case: Case) -> CharSet {
    let plain = CharSet::range(first, last);
    if case == Case::Matters {
        return plain;
    }
    let (lower_first, upper_first) = unicode::simple_case_variants(first);
    let (lower_last, upper_last) = unicode::simple_case_variants(last);
    let mixed = (lower_first == first) != (lower_last == last);
    let lengths = [(lower_first, lower_last), (upper_first, upper_last)];
    let lengths = lengths.map(|(first, last)| last.checked_sub(first));
    if mixed || lengths[0] != lengths[1] || lengths[0].is_none() {
        return plain;
    }
    CharSet::from_ranges([(lower_first, lower_last), (upper_first, upper_last)])
}

/// The set of a text in brackets under `span`; `None` if an error is reported.
fn char_set(reading: &mut Reading<'_>, text: &str, case: Case, span: Span) -> Option<CharSet> {
    let inner = text.strip_prefix('[').unwrap_or(text);
    let inner = inner.strip_suffix(']').unwrap_or(inner);
    if inner.is_empty() {
        report_empty(reading, span, "this set is empty");
        return None;
    }
    let mut units = Vec::new();
    let mut escapes = Escapes { reading, span, rest: inner, at: 1, quote: ']' };
    while let Some(unit) = escapes.next()? {
        units.push(unit);
    }
    members(reading, &units, case, span)
}

/// A dash between two characters is a range; at an end, or after a range, it is itself.
fn members(
    reading: &mut Reading<'_>,
    units: &[SetMember],
    case: Case,
    span: Span,
) -> Option<CharSet> {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    let mut rest = units;
    while let [first, after @ ..] = rest {
        match (first, after) {
            (SetMember::Property(_), [SetMember::Char(DASH), _, ..])
            | (_, [SetMember::Char(DASH), SetMember::Property(_), ..]) => {
                let message = "a property cannot be an end of a range";
                let help = "write a literal dash as `\\-`";
                reading.report(Diagnostic::at(antlr::PROPERTY_IN_RANGE, span, message).help(help));
                return None;
            }
            (first, [SetMember::Char(DASH), last, after @ ..]) => {
                let ends = (first.code(), last.code());
                ranges.extend(range(reading, ends, case, span)?.ranges());
                rest = after;
            }
            (SetMember::Property(set), after) => {
                ranges.extend(set.ranges());
                rest = after;
            }
            (SetMember::Char(code) | SetMember::Escaped(code), after) => {
                ranges.extend(single(*code, case).ranges());
                rest = after;
            }
        }
    }
    Some(CharSet::from_ranges(ranges))
}

const DASH: u32 = '-' as u32;

fn report_empty(reading: &mut Reading<'_>, span: Span, message: &str) {
    reading.report(Diagnostic::at(antlr::EMPTY_SET, span, message));
}

/// A member of a set as written.
#[derive(Clone, Debug)]
enum SetMember {
    /// A plain character.
    Char(u32),
    /// A character after a backslash, which is never a dash of a range.
    Escaped(u32),
    /// `\p{…}`.
    Property(CharSet),
}

impl SetMember {
    fn code(&self) -> u32 {
        match self {
            SetMember::Char(code) | SetMember::Escaped(code) => *code,
            SetMember::Property(_) => unreachable!("invariant: properties are no ends of ranges"),
        }
    }
}

/// The characters of a literal or set, escapes decoded.
struct Escapes<'e, 'r, 't> {
    reading: &'e mut Reading<'r>,
    span: Span,
    rest: &'t str,
    /// The offset of `rest` in `span`.
    at: usize,
    /// The closing quote or bracket.
    quote: char,
}

impl Escapes<'_, '_, '_> {
    /// The next member, or nothing at the end; `None` if an error is reported.
    fn next(&mut self) -> Option<Option<SetMember>> {
        let Some(first) = self.rest.chars().next() else {
            return Some(None);
        };
        if first != '\\' {
            self.advance(first.len_utf8());
            return Some(Some(SetMember::Char(first.into())));
        }
        let Some(escaped) = self.rest[1..].chars().next() else {
            return self.bad(1, "a backslash at the end", None);
        };
        let simple = match escaped {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'b' => '\x08',
            'f' => '\x0C',
            '\\' => '\\',
            '\'' | ']' if escaped == self.quote => escaped,
            '-' if self.quote == ']' => '-',
            'u' => return self.code_point(),
            'p' | 'P' if self.quote == ']' => return self.property(escaped == 'P'),
            _ => return self.unknown(escaped),
        };
        self.advance(2);
        Some(Some(SetMember::Escaped(simple.into())))
    }

    fn advance(&mut self, bytes: usize) {
        self.rest = &self.rest[bytes..];
        self.at += bytes;
    }

    /// `\uXXXX` or `\u{…}`.
    fn code_point(&mut self) -> Option<Option<SetMember>> {
        let (digits, length) = match self.rest[2..].strip_prefix('{') {
            Some(braced) => match braced.find('}') {
                Some(end) => (&braced[..end], end + 4),
                None => return self.bad(3, "this escape has no closing brace", None),
            },
            None => match self.rest.get(2..6) {
                Some(digits) => (digits, 6),
                None => return self.bad(2, "this escape has fewer than four digits", None),
            },
        };
        let is_hex = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let code = u32::from_str_radix(digits, 16).ok().filter(|_| is_hex);
        let Some(code) = code else {
            let help = "write four hexadecimal digits, or any number of them in braces".into();
            return self.bad(length, "this escape is not a hexadecimal number", Some(help));
        };
        if code > chars::MAX {
            return self.bad(length, "there is no such code point", None);
        }
        self.advance(length);
        Some(Some(SetMember::Escaped(code)))
    }

    /// `\p{…}` or `\P{…}`.
    fn property(&mut self, negated: bool) -> Option<Option<SetMember>> {
        let name = self.rest[2..].strip_prefix('{').and_then(|rest| Some(&rest[..rest.find('}')?]));
        let Some(name) = name else {
            return self.bad(2, "a property must be in braces", Some("write `\\p{Lu}`".into()));
        };
        let length = name.len() + 4;
        let Some(set) = unicode::property(name) else {
            return self.bad(length, &format!("there is no property `{name}`"), None);
        };
        self.advance(length);
        Some(Some(SetMember::Property(if negated { set.complement() } else { set })))
    }

    fn unknown(&mut self, escaped: char) -> Option<Option<SetMember>> {
        let message = format!("`\\{escaped}` is not an escape here");
        let help = (!escaped.is_alphanumeric()).then(|| format!("write `{escaped}` alone"));
        self.bad(1 + escaped.len_utf8(), &message, help)
    }

    fn bad(
        &mut self,
        length: usize,
        message: &str,
        help: Option<String>,
    ) -> Option<Option<SetMember>> {
        let start = self.span.range().start + self.at;
        let span = Span::new(self.span.source, start, start + length);
        let mut diagnostic = Diagnostic::at(codes::BAD_ESCAPE, span, message);
        diagnostic.help = help;
        self.reading.report(diagnostic);
        None
    }
}

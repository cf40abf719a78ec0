//! Characters in ANTLR's spelling.

use std::fmt::Write as _;
use std::path::Path;

use gramercy_regular::CharSet;

use crate::antlr4::gather::gather;
use crate::antlr4::sets::{self, Case};
use crate::antlr4::tree::{Atom, Texts};
use crate::{LoadOptions, Memory, Reading};

/// A literal in quotes.
pub(super) fn literal(text: &str) -> String {
    let mut spelled = String::from("'");
    text.chars().for_each(|c| push_char(&mut spelled, c.into(), '\''));
    spelled.push('\'');
    spelled
}

/// The code points of a written literal, if it is one.
pub(super) fn literal_value(spelled: &str) -> Option<Vec<u32>> {
    let inner = spelled.strip_prefix('\'')?.strip_suffix('\'')?;
    read_atom(spelled, |reading, texts, atom, span| match atom {
        Atom::Literal if !inner.is_empty() => sets::literal(reading, texts.get(span), span),
        _ => None,
    })
}

/// A set in the spelling `known`, if that means the same where case is or is not ignored; `None` if
/// no spelling means exactly this set there.
pub(super) fn set(chars: &CharSet, known: &str, case: Case) -> Option<String> {
    let means_it = |spelled: &str| set_value(spelled, case).as_ref() == Some(chars);
    if means_it(known) {
        return Some(known.to_owned());
    }
    Some(plain_set(chars)).filter(|spelled| case == Case::Matters || means_it(spelled))
}

/// A set where case matters.
pub(super) fn plain_set(chars: &CharSet) -> String {
    if chars.complement().is_empty() {
        return ".".to_owned();
    }
    let rest = chars.complement();
    if chars.is_empty() || rest.ranges().len() < chars.ranges().len() {
        return format!("~{}", brackets(&rest));
    }
    brackets(chars)
}

fn brackets(chars: &CharSet) -> String {
    let mut spelled = String::from("[");
    for &(first, last) in chars.ranges() {
        push_char(&mut spelled, first, ']');
        if last > first + 1 {
            spelled.push('-');
        }
        if last > first {
            push_char(&mut spelled, last, ']');
        }
    }
    spelled.push(']');
    spelled
}

/// The meaning of a written set, if it is one.
fn set_value(spelled: &str, case: Case) -> Option<CharSet> {
    read_atom(spelled, |reading, texts, atom, span| match atom {
        Atom::Any | Atom::Set | Atom::Range(..) | Atom::Not(_) => {
            sets::of_atom(reading, texts, atom, span, case)
        }
        _ => None,
    })
}

/// Reads a text that may be one element of a lexer rule.
fn read_atom<T>(
    text: &str,
    value: impl FnOnce(&mut Reading<'_>, &Texts, &Atom, gramercy_base::Span) -> Option<T>,
) -> Option<T> {
    let files = Memory::with("A.g4", format!("lexer grammar A; A : {text}\n;"));
    let (options, path) = (LoadOptions::default(), Path::new("A.g4"));
    let mut reading = Reading::new(&files, &options);
    let source = reading.read_source(path, None)?;
    let mut texts = Texts::default();
    let unit = gather(&mut reading, &mut texts, source, path);
    let [rule] = &unit.lexical[..] else {
        return None;
    };
    let [alternative] = &rule.body.alternatives[..] else {
        return None;
    };
    let [element] = &alternative.elements[..] else {
        return None;
    };
    let is_bare = element.suffix.is_none() && !element.adorned && alternative.commands.is_empty();
    if reading.has_errors() || !is_bare || texts.get(element.span) != text {
        return None;
    }
    value(&mut reading, &texts, &element.atom, element.span)
}

fn push_char(spelled: &mut String, code: u32, closing: char) {
    let escaped = match char::from_u32(code) {
        Some('\n') => "\\n",
        Some('\r') => "\\r",
        Some('\t') => "\\t",
        Some('\x08') => "\\b",
        Some('\x0C') => "\\f",
        Some('\\') => "\\\\",
        Some('\'') if closing == '\'' => "\\'",
        Some(']') if closing == ']' => "\\]",
        Some('-') if closing == ']' => "\\-",
        Some(c) if c.is_ascii_graphic() || c == ' ' || (!c.is_ascii() && c.is_alphanumeric()) => {
            spelled.push(c);
            return;
        }
        _ => {
            write!(spelled, "\\u{{{code:X}}}").expect("writing to a string does not fail");
            return;
        }
    };
    spelled.push_str(escaped);
}

#[cfg(test)]
mod tests {
    use super::{Case, literal, literal_value, plain_set, set, set_value};
    use gramercy_regular::CharSet;

    #[test]
    fn literals_are_read_back() {
        for text in
            ["if", "it's", "a\\b", "\n\r\t\u{8}\u{c}\u{0}\u{7f}", "äß語", "\u{feff}😀", "\"]-"]
        {
            let codes: Vec<u32> = text.chars().map(u32::from).collect();
            assert_eq!(literal_value(&literal(text)), Some(codes), "{text:?}");
        }
        for wrong in ["'a' 'b'", "''", "'a", "[a]", "'a';B:'b'", "'a'*", "/**/'a'"] {
            assert_eq!(literal_value(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn sets_are_read_back() {
        let sets = [
            CharSet::empty(),
            CharSet::any(),
            CharSet::range(0xD800, 0xDFFF),
            "a-z]\\^ \n'[".chars().collect(),
            "ab".chars().collect::<CharSet>().complement(),
            CharSet::from_ranges([(97, 122), (65, 90), (0x1F600, 0x1F64F)]),
        ];
        for chars in sets {
            let spelled = plain_set(&chars);
            assert_eq!(set_value(&spelled, Case::Matters), Some(chars), "{spelled}");
        }
    }

    #[test]
    fn known_spellings_are_kept_where_they_fit() {
        let check = |chars: &CharSet, known: &str, case: Case, expected: Option<&str>| {
            assert_eq!(set(chars, known, case).as_deref(), expected, "{known}");
        };
        let letters = CharSet::from_ranges([(65, 90), (97, 122)]);
        check(&letters, "[a-z]", Case::Ignored, Some("[a-z]"));
        check(&letters, "[a-z]", Case::Matters, Some("[A-Za-z]"));
        check(&letters, "[A-Za-z]", Case::Ignored, Some("[A-Za-z]"));
        check(&CharSet::range(65, 90), "[A-Z]", Case::Ignored, None);
        check(&CharSet::single('a'), "a", Case::Matters, Some("[a]"));
    }
}

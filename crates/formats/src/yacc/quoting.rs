//! Escapes and unescapes quoted characters.

use std::ops::Range;

/// The meaning of an escaped text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unescaped {
    pub(crate) text: String,
    pub(crate) mistakes: Vec<Mistake>,
}

/// An invalid escape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mistake {
    /// Its bytes in the escaped text.
    pub(crate) range: Range<usize>,
    pub(crate) message: String,
}

/// Decodes the escapes of C. Octal and hexadecimal ones are bytes; together they may be UTF-8,
/// otherwise each is the code point of its value.
pub(crate) fn unescape(escaped: &str) -> Unescaped {
    let mut decoder = Decoder { rest: escaped, at: 0, bytes: Vec::new(), mistakes: Vec::new() };
    while !decoder.rest.is_empty() {
        let plain = decoder.rest.find('\\').unwrap_or(decoder.rest.len());
        decoder.bytes.extend_from_slice(&decoder.rest.as_bytes()[..plain]);
        decoder.take(plain);
        if !decoder.rest.is_empty() {
            decoder.escape();
        }
    }
    let Decoder { bytes, mistakes, .. } = decoder;
    let text = String::from_utf8(bytes)
        .unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect());
    Unescaped { text, mistakes }
}

struct Decoder<'e> {
    rest: &'e str,
    at: usize,
    bytes: Vec<u8>,
    mistakes: Vec<Mistake>,
}

impl Decoder<'_> {
    fn take(&mut self, bytes: usize) {
        self.rest = &self.rest[bytes..];
        self.at += bytes;
    }

    fn escape(&mut self) {
        let second = self.rest.chars().nth(1);
        let (length, value) = match second {
            Some('0'..='7') => self.digits(1, 3, 8),
            Some('x') => self.digits(2, usize::MAX, 16),
            Some('u') => self.digits(2, 4, 16),
            Some('U') => self.digits(2, 8, 16),
            Some(c) => (1 + c.len_utf8(), simple(c)),
            None => (1, None),
        };
        match value {
            Some(value) if value > 0 => self.push(value, second),
            _ => self.complain(length, value),
        }
        self.take(length);
    }

    fn push(&mut self, value: u32, second: Option<char>) {
        match (u8::try_from(value), char::from_u32(value)) {
            (Ok(byte), _) if !matches!(second, Some('u' | 'U')) => self.bytes.push(byte),
            (_, Some(c)) => self.bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            (_, None) => unreachable!("invariant: the digits were checked"),
        }
    }

    fn complain(&mut self, length: usize, value: Option<u32>) {
        let escape = &self.rest[..length];
        let message = match value {
            Some(_) => "a token cannot hold the character NUL".to_string(),
            None => format!("`{escape}` is not an escape of C"),
        };
        self.mistakes.push(Mistake { range: self.at..self.at + length, message });
        self.bytes.push(b'?');
    }

    /// The length and value of an escape whose digits begin at `start`. Without digits, or beyond
    /// the largest character, it has no value.
    fn digits(&self, start: usize, most: usize, radix: u32) -> (usize, Option<u32>) {
        let digits = &self.rest[start..];
        let end = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len()).min(most);
        let value = u32::from_str_radix(&digits[..end], radix).ok();
        (start + end, value.filter(|&value| char::from_u32(value).is_some()))
    }
}

fn simple(c: char) -> Option<u32> {
    let value = match c {
        'a' => 7,
        'b' => 8,
        't' => 9,
        'n' => 10,
        'v' => 11,
        'f' => 12,
        'r' => 13,
        '"' | '\'' | '?' | '\\' => c as u32,
        _ => return None,
    };
    Some(value)
}

/// A text in quotes, with the necessary escapes.
pub(crate) fn quote(text: &str, quote: char) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push(quote);
    for c in text.chars() {
        match c {
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '\r' => quoted.push_str("\\r"),
            '\\' => quoted.push_str("\\\\"),
            c if c == quote => quoted.extend(['\\', c]),
            // Three octal digits cannot merge with a following digit.
            c if c.is_ascii_control() => quoted.push_str(&format!("\\{:03o}", c as u32)),
            c => quoted.push(c),
        }
    }
    quoted.push(quote);
    quoted
}

#[cfg(test)]
mod tests {
    use super::{quote, unescape};

    #[test]
    fn escapes_are_those_of_c() {
        let check = |escaped: &str, expected: &str| {
            let found = unescape(escaped);
            assert_eq!((found.text.as_str(), found.mistakes.len()), (expected, 0), "{escaped}");
        };
        check(r"a\tb\n", "a\tb\n");
        check(r#"\'\"\?\\"#, "'\"?\\");
        check(r"\7\07\0079", "\u{7}\u{7}\u{7}9");
        check(r"\x41\x0a", "A\n");
        check(r"\303\244", "\u{e4}");
        check(r"\344", "\u{e4}");
        check(r"\u00e4\U0001F600", "\u{e4}\u{1f600}");
    }

    #[test]
    fn invalid_escapes_are_errors() {
        let check = |escaped: &str, at: std::ops::Range<usize>| {
            let ranges: Vec<_> = unescape(escaped).mistakes.into_iter().map(|m| m.range).collect();
            assert_eq!(ranges, [at], "{escaped}");
        };
        check(r"a\qb", 1..3);
        check(r"\0", 0..2);
        check(r"\xg", 0..2);
        check(r"\x110000", 0..8);
        check(r"\ud800", 0..6);
        check("\\", 0..1);
        check("\\\u{e4}", 0..3);
    }

    #[test]
    fn quoting_is_undone_by_unescaping() {
        for text in ["", "a", "'", "\"", "\\", "\n\t\r\u{1}1", "\u{e4}"] {
            for mark in ['\'', '"'] {
                let quoted = quote(text, mark);
                assert_eq!(unescape(&quoted[1..quoted.len() - 1]).text, text);
            }
        }
    }
}

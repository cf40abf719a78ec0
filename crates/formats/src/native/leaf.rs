//! Reads the leaves of right-hand sides: literals, ranges, character classes, regular expressions,
//! `.` and `~`. A leaf must end on its line, so a missing quotation mark affects only one line.

use gramercy_base::{Diagnostic, Span};
use gramercy_regular::dialect::rust;
use gramercy_regular::{CharSet, Regex, unicode};

use crate::codes;
use crate::ebnf::numbers::Lost;
use crate::ebnf::pattern;
use crate::ebnf::scanner::Scanner;
use crate::ebnf::syntax::{ExprNode, ExprNodeKind, Pattern};

const ESCAPES: &str = "valid escapes are \\n \\r \\t \\0 \\a \\b \\f \\v, \\xHH, \\uHHHH, \\u{…}, and a backslash before punctuation";
const SETS: &str = "dDsSwW";

/// The meaning of an escape sequence.
enum Escape {
    /// A code point, possibly a surrogate.
    Code(u32),
    /// A set, such as `\p{L}`; only in character classes.
    Set(CharSet),
}

impl<'t> Scanner<'_, '_, 't> {
    /// Reads a leaf that is not a name, if one is next.
    pub(super) fn leaf(&mut self) -> Result<Option<ExprNodeKind>, Lost> {
        Ok(Some(match self.cursor.peek() {
            Some('"' | '\'') => self.literal_or_range()?,
            Some('[') => ExprNodeKind::Chars(Box::new(self.class()?)),
            Some('/') => self.pattern()?,
            Some('~') => self.any_but()?,
            Some('.') if !self.cursor.rest().starts_with("..") => {
                self.cursor.bump();
                ExprNodeKind::Any
            }
            _ => return Ok(None),
        }))
    }

    /// Reads `"abc"`, `'abc'`, or `"a".."z"`.
    fn literal_or_range(&mut self) -> Result<ExprNodeKind, Lost> {
        let start = self.cursor.offset();
        let first = self.literal()?;
        let mut ahead = self.ahead();
        if !ahead.eat("..") {
            return Ok(ExprNodeKind::Literal(first));
        }
        self.cursor.seek(ahead.offset());
        if !matches!(self.next(), Some('"' | '\'')) {
            self.reading
                .report(self.expected("a second character").help("a range is \"a\"..\"z\""));
            return Err(Lost);
        }
        let last = self.literal()?;
        let span = self.cursor.span_from(start);
        let ends = (only_char(&first), only_char(&last));
        let message = match ends {
            (Some(first), Some(last)) if first <= last => {
                return Ok(ExprNodeKind::Chars(Box::new(CharSet::range(
                    first.into(),
                    last.into(),
                ))));
            }
            (Some(_), Some(_)) => "this range is reversed",
            _ => "a range goes from one character to another",
        };
        self.reading.report(Diagnostic::at(codes::BAD_REGEX, span, message));
        Ok(ExprNodeKind::Literal("".into()))
    }

    /// Reads a literal from its quotation mark.
    pub(super) fn literal(&mut self) -> Result<Box<str>, Lost> {
        let start = self.cursor.offset();
        let quote = self.cursor.bump().expect("invariant: a quotation mark comes next");
        let mut text = String::new();
        loop {
            text.push_str(self.cursor.eat_while(|c| c != quote && !"\\\n".contains(c)));
            match self.cursor.peek() {
                Some('\\') => text.extend(self.escaped_char()),
                Some(c) if c == quote => {
                    self.cursor.bump();
                    return Ok(text.into());
                }
                _ => return Err(self.unterminated(start, "literal", quote)),
            }
        }
    }

    fn unterminated(&mut self, start: usize, what: &str, close: char) -> Lost {
        let span = self.cursor.span_from(start);
        let opening = Span { end: span.start + 1, ..span };
        let diagnostic =
            Diagnostic::at(codes::UNTERMINATED, opening, format!("this {what} has no end"));
        let help = format!("close it with `{close}` on the same line");
        self.reading.report(diagnostic.help(help));
        Lost
    }

    /// Reads an escape sequence for one character; others are reported.
    fn escaped_char(&mut self) -> Option<char> {
        let start = self.cursor.offset();
        let code = match self.escape()? {
            Escape::Code(code) => code,
            Escape::Set(_) => {
                return self.bad_escape(start, "is a set; put it in brackets");
            }
        };
        if (0xD800..0xDC00).contains(&code) && self.cursor.rest().starts_with("\\u") {
            let Escape::Code(low @ 0xDC00..=0xDFFF) = self.escape()? else {
                return self.bad_escape(start, "is half of a surrogate pair");
            };
            return char::from_u32(0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00));
        }
        char::from_u32(code).or_else(|| self.bad_escape(start, "is not a character"))
    }

    fn bad_escape<T>(&mut self, start: usize, why: &str) -> Option<T> {
        let message = format!("`{}` {why}", self.cursor.text_from(start));
        let span = self.cursor.span_from(start);
        self.reading.report(Diagnostic::at(codes::BAD_ESCAPE, span, message));
        None
    }

    fn unknown_escape<T>(&mut self, start: usize) -> Option<T> {
        let message = format!("`{}` is not an escape sequence", self.cursor.text_from(start));
        let span = self.cursor.span_from(start);
        self.reading.report(Diagnostic::at(codes::BAD_ESCAPE, span, message).help(ESCAPES));
        None
    }

    /// Reads an escape sequence from its backslash; an invalid one is reported.
    fn escape(&mut self) -> Option<Escape> {
        let start = self.cursor.offset();
        self.cursor.bump();
        let code = match self.cursor.peek().filter(|&c| c != '\n') {
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('0') => '\0',
            Some('a') => '\u{7}',
            Some('b') => '\u{8}',
            Some('f') => '\u{C}',
            Some('v') => '\u{B}',
            Some(c) if c.is_ascii_punctuation() => c,
            Some(c @ ('x' | 'u')) => return self.hexadecimal(start, if c == 'x' { 2 } else { 4 }),
            Some('p' | 'P') => return self.property(start),
            Some(c) if SETS.contains(c) => {
                self.cursor.bump();
                return self.set(start);
            }
            other => {
                self.cursor.seek(self.cursor.offset() + other.map_or(0, char::len_utf8));
                return self.unknown_escape(start);
            }
        };
        self.cursor.bump();
        Some(Escape::Code(code.into()))
    }

    /// Reads `\xHH`, `\uHHHH`, or either with braces.
    fn hexadecimal(&mut self, start: usize, digits: usize) -> Option<Escape> {
        self.cursor.bump();
        let hex = |text: &str| {
            let all = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit());
            all.then(|| u32::from_str_radix(text, 16).ok()).flatten()
        };
        let code = if self.cursor.eat("{") {
            let inside = self.cursor.eat_while(|c| c.is_ascii_hexdigit());
            hex(inside).filter(|_| self.cursor.eat("}"))
        } else {
            let code = self.cursor.rest().get(..digits).and_then(hex);
            let length = if code.is_some() { digits } else { 0 };
            self.cursor.seek(self.cursor.offset() + length);
            code
        };
        match code.filter(|&code| code <= gramercy_regular::chars::MAX) {
            Some(code) => Some(Escape::Code(code)),
            None => self.bad_escape(start, "is not a code point"),
        }
    }

    /// Reads `\p{…}`, `\P{…}` or `\pL`.
    fn property(&mut self, start: usize) -> Option<Escape> {
        let without = self.cursor.bump() == Some('P');
        let name = if self.cursor.eat("{") {
            let name = self.cursor.eat_while(|c| !"}]\n".contains(c));
            self.cursor.eat("}");
            name
        } else {
            let letter = self.cursor.offset();
            if self.cursor.peek().is_some_and(|c| c.is_ascii_alphabetic()) {
                self.cursor.bump();
            }
            self.cursor.text_from(letter)
        };
        match unicode::property(name) {
            Some(set) => Some(Escape::Set(if without { set.complement() } else { set })),
            None => self.bad_escape(start, "is not a Unicode property"),
        }
    }

    /// The set of the escape sequence from `start` to here, such as `\d`.
    fn set(&mut self, start: usize) -> Option<Escape> {
        match rust::parse(self.cursor.text_from(start)) {
            Ok(Regex::Chars(set)) => Some(Escape::Set(set)),
            _ => self.unknown_escape(start),
        }
    }

    /// Reads a character class from its bracket.
    fn class(&mut self) -> Result<CharSet, Lost> {
        let start = self.cursor.offset();
        self.cursor.bump();
        let negated = self.cursor.eat("^");
        let (mut ranges, mut sound) = (Vec::new(), true);
        while !self.cursor.eat("]") {
            if matches!(self.cursor.peek(), None | Some('\n')) {
                return Err(self.unterminated(start, "character class", ']'));
            }
            sound &= self.class_item(&mut ranges).is_some();
        }
        let set = CharSet::from_ranges(ranges);
        let set = if negated { set.complement() } else { set };
        if set.is_empty() && sound {
            let span = self.cursor.span_from(start);
            let message = "this character class matches nothing";
            self.reading.report(Diagnostic::at(codes::EMPTY_REGEX, span, message));
        }
        Ok(set)
    }

    /// Reads a character, a range or a set; `None` if it is invalid, which is reported.
    fn class_item(&mut self, ranges: &mut Vec<(u32, u32)>) -> Option<()> {
        let start = self.cursor.offset();
        let first = match self.class_unit()? {
            Escape::Code(first) => first,
            Escape::Set(set) => {
                ranges.extend(set.ranges());
                return Some(());
            }
        };
        let mut last = first;
        if self.cursor.peek() == Some('-')
            && !matches!(self.cursor.peek_second(), None | Some(']' | '\n'))
        {
            self.cursor.bump();
            match self.class_unit()? {
                Escape::Code(code) if first <= code => last = code,
                _ => {
                    let message = "a range goes from one character to a later one";
                    let span = self.cursor.span_from(start);
                    self.reading.report(Diagnostic::at(codes::BAD_REGEX, span, message));
                    return None;
                }
            }
        }
        ranges.push((first, last));
        Some(())
    }

    fn class_unit(&mut self) -> Option<Escape> {
        match self.cursor.peek()? {
            '\\' => self.escape(),
            c => {
                self.cursor.bump();
                Some(Escape::Code(c.into()))
            }
        }
    }

    /// Reads `/…/`, or `/…/tribble` in Tribble's dialect.
    fn pattern(&mut self) -> Result<ExprNodeKind, Lost> {
        let start = self.cursor.offset();
        let source = self.between_slashes(start)?;
        let end = self.cursor.offset();
        let dialect = self.cursor.eat_while(|c| c.is_ascii_alphanumeric());
        let pattern = match dialect {
            "" => self.rust_pattern(source, start),
            "tribble" => {
                let behind = self.cursor.offset();
                self.cursor.seek(start);
                let decoded = self.tribble_pattern().ok_or(Lost)?;
                self.cursor.seek(behind);
                pattern::read_brics(self.reading, &decoded)
            }
            other => {
                let message = format!("there is no dialect `{other}` of regular expressions");
                let span = self.cursor.span_from(end);
                let help =
                    "the other dialect is `/…/tribble`; put a space before the name of a rule";
                self.reading.report(Diagnostic::at(codes::BAD_REGEX, span, message).help(help));
                None
            }
        };
        let Some(pattern) = pattern else { return Ok(ExprNodeKind::Literal("".into())) };
        Ok(ExprNodeKind::Pattern(Box::new(pattern)))
    }

    fn between_slashes(&mut self, start: usize) -> Result<&'t str, Lost> {
        self.cursor.bump();
        loop {
            self.cursor.eat_while(|c| !"/\\\n".contains(c));
            match self.cursor.bump() {
                Some('/') => break,
                Some('\\') if !matches!(self.cursor.peek(), None | Some('\n')) => {
                    self.cursor.bump();
                }
                _ => return Err(self.unterminated(start, "regular expression", '/')),
            }
        }
        let written = self.cursor.text_from(start);
        Ok(&written[1..written.len() - 1])
    }

    fn rust_pattern(&mut self, source: &str, start: usize) -> Option<Pattern> {
        let file = self.here().source;
        let first = start + 1;
        let span =
            |range: std::ops::Range<usize>| Span::new(file, first + range.start, first + range.end);
        pattern::read(self.reading, source, rust::parse, &span)
    }

    /// Reads `~x` or `~(x | y)`: any one character or token except these.
    fn any_but(&mut self) -> Result<ExprNodeKind, Lost> {
        self.cursor.bump();
        if !self.eat("(") {
            return Ok(ExprNodeKind::AnyBut([self.unit()?].into()));
        }
        let mut units = vec![self.unit()?];
        while self.eat("|") {
            units.push(self.unit()?);
        }
        if !self.eat(")") {
            self.reading.report(self.expected("`|` or `)`"));
            return Err(Lost);
        }
        Ok(ExprNodeKind::AnyBut(units.into()))
    }

    /// Reads a name, literal, range or class.
    fn unit(&mut self) -> Result<ExprNode, Lost> {
        let next = self.next();
        let start = self.cursor.offset();
        let kind = match next {
            Some('"' | '\'') => self.literal_or_range()?,
            Some('[') => ExprNodeKind::Chars(Box::new(self.class()?)),
            _ => match self.name()? {
                Some(name) => ExprNodeKind::Name(name.id),
                None => {
                    self.reading.report(self.expected("a token, a literal or a character class"));
                    return Err(Lost);
                }
            },
        };
        Ok(ExprNode { kind, span: self.cursor.span_from(start) })
    }
}

fn only_char(text: &str) -> Option<char> {
    let mut chars = text.chars();
    chars.next().filter(|_| chars.next().is_none())
}

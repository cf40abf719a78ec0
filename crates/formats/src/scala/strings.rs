//! Scala's string and character literals. As in Scala, `\uXXXX` also works in raw strings, unless
//! its backslash is itself escaped.

use gramercy_base::Diagnostic;

use crate::codes;
use crate::ebnf::decoded::Decoded;
use crate::ebnf::numbers::Lost;
use crate::ebnf::scanner::Scanner;

impl Scanner<'_, '_, '_> {
    /// Reads a string from its opening quotation mark.
    pub(super) fn scala_string(&mut self) -> Result<Decoded, Lost> {
        let start = self.cursor.offset();
        let raw = self.cursor.eat("\"\"\"");
        if !raw {
            self.cursor.bump();
        }
        let opening = self.cursor.span_from(start);
        let mut decoded = Decoded::new(opening.source, self.cursor.offset());
        let ended =
            if raw { self.raw_string(&mut decoded) } else { self.plain_string(&mut decoded) };
        if !ended {
            let message = "this string has no end";
            self.reading.report(Diagnostic::at(codes::UNTERMINATED, opening, message));
            return Err(Lost);
        }
        Ok(decoded)
    }

    /// Reads up to the closing quotation mark, which must be on the same line.
    fn plain_string(&mut self, decoded: &mut Decoded) -> bool {
        loop {
            let at = self.cursor.offset();
            let plain = self.cursor.eat_while(|c| !"\"\\\n".contains(c));
            decoded.verbatim(plain, at);
            let at = self.cursor.offset();
            match self.cursor.peek() {
                Some('"') => {
                    decoded.end(at);
                    self.cursor.bump();
                    return true;
                }
                Some('\\') => {
                    let c = self.scala_escape();
                    decoded.escaped(c, at);
                }
                _ => return false,
            }
        }
    }

    /// Reads up to three quotation marks; further ones directly before them belong to the string.
    fn raw_string(&mut self, decoded: &mut Decoded) -> bool {
        loop {
            let at = self.cursor.offset();
            let plain = self.cursor.eat_while(|c| c != '"' && c != '\\');
            decoded.verbatim(plain, at);
            let at = self.cursor.offset();
            if self.cursor.rest().starts_with("\"\"\"") {
                let marks = self.cursor.eat_while(|c| c == '"');
                decoded.verbatim(&marks[3..], at);
                decoded.end(at + marks.len() - 3);
                return true;
            }
            if self.cursor.rest().starts_with("\\u") {
                let c = self.scala_escape();
                decoded.escaped(c, at);
                continue;
            }
            let Some(c) = self.cursor.bump() else { return false };
            decoded.escaped(c, at);
            if c == '\\' && self.cursor.peek() == Some('\\') {
                self.cursor.bump();
                decoded.escaped('\\', at + 1);
            }
        }
    }

    /// Reads a character in single quotation marks, if there is one.
    pub(super) fn scala_char(&mut self) -> Option<char> {
        let mut ahead = self.cursor.clone();
        ahead.bump();
        let c = ahead.peek().filter(|&c| c != '\'' && c != '\n')?;
        if c == '\\' {
            self.cursor.bump();
            let c = self.scala_escape();
            if !self.cursor.eat("'") {
                self.reading.report(self.expected("`'` after the character"));
            }
            return Some(c);
        }
        ahead.bump();
        if !ahead.eat("'") {
            return None;
        }
        self.cursor.seek(ahead.offset());
        Some(c)
    }

    /// Reads an escape sequence from its backslash; an invalid one is reported.
    fn scala_escape(&mut self) -> char {
        let start = self.cursor.offset();
        self.cursor.bump();
        let c = self.cursor.bump();
        let meant = match c {
            Some('b') => Some('\u{8}'),
            Some('t') => Some('\t'),
            Some('n') => Some('\n'),
            Some('f') => Some('\u{C}'),
            Some('r') => Some('\r'),
            Some('"' | '\'' | '\\') => c,
            Some(digit @ '0'..='7') => self.octal(digit),
            Some('u') => self.unicode(),
            _ => None,
        };
        meant.unwrap_or_else(|| {
            let span = self.cursor.span_from(start);
            let written = self.cursor.text_from(start);
            let message = match written.len() {
                6.. => format!("`{written}` is half of a surrogate pair"),
                _ => format!("`{written}` is not an escape sequence"),
            };
            let help =
                "valid escapes are \\b \\t \\n \\f \\r \\\" \\' \\\\ and \\u with four hexadecimal digits";
            self.reading.report(Diagnostic::at(codes::BAD_ESCAPE, span, message).help(help));
            char::REPLACEMENT_CHARACTER
        })
    }

    /// Reads up to three octal digits, as long as the value fits in a byte.
    fn octal(&mut self, first: char) -> Option<char> {
        let mut value = first.to_digit(8)?;
        for _ in 0..2 {
            let Some(digit) = self.cursor.peek().and_then(|c| c.to_digit(8)) else { break };
            if value * 8 + digit > 0xFF {
                break;
            }
            value = value * 8 + digit;
            self.cursor.bump();
        }
        char::from_u32(value)
    }

    /// After `\u`: a code unit, or two that form a character.
    fn unicode(&mut self) -> Option<char> {
        let first = self.code_unit()?;
        if let Some(c) = char::from_u32(first.into()) {
            return Some(c);
        }
        if !self.cursor.eat("\\u") {
            return None;
        }
        let second = self.code_unit()?;
        char::decode_utf16([first, second]).next()?.ok()
    }

    fn code_unit(&mut self) -> Option<u16> {
        self.cursor.eat_while(|c| c == 'u');
        let digits = self.cursor.rest().get(..4)?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        self.cursor.seek(self.cursor.offset() + 4);
        u16::from_str_radix(digits, 16).ok()
    }
}

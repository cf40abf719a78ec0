//! The regular expressions of Tribble's text notation are escaped twice: the text between the
//! slashes is decoded like a literal, and the result is a pattern of the brics dialect, which has
//! its own backslash. So a literal parenthesis is `\\(`; `\(` is a grouping parenthesis.

use gramercy_base::{Diagnostic, Span};

use crate::codes;
use crate::ebnf::decoded::Decoded;
use crate::ebnf::scanner::Scanner;

const HELP: &str =
    "valid escapes are \\\" \\\\ \\n \\r \\t, and in regular expressions \\/ \\( \\)";

impl Scanner<'_, '_, '_> {
    /// Reads a literal from its opening quotation mark; `None` if it is not closed.
    pub(crate) fn tribble_literal(&mut self) -> Option<Decoded> {
        self.tribble_text('"', &|c| match c {
            'n' => Some('\n'),
            'r' => Some('\r'),
            't' => Some('\t'),
            '"' | '\\' => Some(c),
            _ => None,
        })
    }

    /// Reads a regular expression from its opening slash and decodes it once; `None` if it is not
    /// closed.
    pub(crate) fn tribble_pattern(&mut self) -> Option<Decoded> {
        self.tribble_text('/', &|c| match c {
            'n' => Some('\n'),
            'r' => Some('\r'),
            't' => Some('\t'),
            '"' | '\\' | '/' | '(' | ')' => Some(c),
            _ => None,
        })
    }

    fn tribble_text(
        &mut self,
        delimiter: char,
        unescape: &dyn Fn(char) -> Option<char>,
    ) -> Option<Decoded> {
        let start = self.cursor.offset();
        self.cursor.bump();
        let opening = self.cursor.span_from(start);
        let mut decoded = Decoded::new(opening.source, self.cursor.offset());
        let mut raw_quote = None;
        loop {
            let at = self.cursor.offset();
            let plain = self.cursor.eat_while(|c| c != delimiter && c != '\\' && c != '"');
            decoded.verbatim(plain, at);
            let at = self.cursor.offset();
            match self.cursor.bump() {
                Some(c) if c == delimiter => {
                    decoded.end(at);
                    self.refuse_raw_quote(raw_quote);
                    return Some(decoded);
                }
                Some('\\') if !self.cursor.at_end() => {
                    let c = self.cursor.bump().expect("invariant: not at the end");
                    let meant = unescape(c).unwrap_or_else(|| {
                        let message = format!("`\\{c}` is not an escape sequence");
                        let span = self.cursor.span_from(at);
                        self.reading
                            .report(Diagnostic::at(codes::BAD_ESCAPE, span, message).help(HELP));
                        c
                    });
                    decoded.escaped(meant, at);
                }
                Some('"') => {
                    raw_quote.get_or_insert(self.cursor.span_from(at));
                    decoded.escaped('\\', at);
                    decoded.escaped('"', at);
                }
                _ => {
                    let (what, close) = match delimiter {
                        '"' => ("literal", "\""),
                        _ => ("regular expression", "/"),
                    };
                    let message = format!("this {what} has no end");
                    let diagnostic = Diagnostic::at(codes::UNTERMINATED, opening, message);
                    self.reading.report(diagnostic.help(format!("close it with `{close}`")));
                    return None;
                }
            }
        }
    }

    fn refuse_raw_quote(&mut self, quote: Option<Span>) {
        if let Some(quote) = quote {
            let message = "a quotation mark in a regular expression must be escaped";
            let diagnostic = Diagnostic::at(codes::BAD_REGEX, quote, message);
            self.reading.report(diagnostic.help("write `\\\"`"));
        }
    }
}

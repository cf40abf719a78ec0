//! Moves over a file: white space and comments, unexpected tokens, and recovery after an error.

use gramercy_base::{Diagnostic, Span};

use super::syntax::Tree;
use crate::cursor::Cursor;
use crate::{Reading, codes};

/// The position in a file, and the state of reading.
pub(crate) struct Scanner<'a, 'r, 't> {
    pub(crate) cursor: Cursor<'t>,
    pub(crate) reading: &'a mut Reading<'r>,
    pub(crate) tree: Tree,
}

/// The properties of a notation that error recovery needs.
pub(crate) struct Style {
    /// Whether a character may be part of a name.
    pub(crate) is_name: fn(char) -> bool,
    /// The delimiters of texts: quotation marks, and the slashes of a regular expression.
    pub(crate) quotes: &'static str,
    /// Whether a statement begins at a name.
    pub(crate) begins_statement: for<'t> fn(Cursor<'t>) -> bool,
}

impl<'t> Scanner<'_, '_, 't> {
    /// Skips white space, `//` comments and nested `/* */` comments.
    pub(crate) fn trivia(&mut self) {
        if let Some(comment) = skip_trivia(&mut self.cursor) {
            let message = "this comment has no end";
            let help = "close it with `*/`; comments nest, so each `/*` needs its own";
            self.reading.report(Diagnostic::at(codes::UNTERMINATED, comment, message).help(help));
        }
    }

    /// A cursor after the following white space and comments.
    pub(crate) fn ahead(&self) -> Cursor<'t> {
        let mut ahead = self.cursor.clone();
        skip_trivia(&mut ahead);
        ahead
    }

    /// The next character after white space and comments.
    pub(crate) fn next(&mut self) -> Option<char> {
        self.trivia();
        self.cursor.peek()
    }

    /// Takes `expected` if it is next after white space and comments.
    pub(crate) fn eat(&mut self, expected: &str) -> bool {
        self.trivia();
        self.cursor.eat(expected)
    }

    /// The empty span at the current position.
    pub(crate) fn here(&self) -> Span {
        self.cursor.span_from(self.cursor.offset())
    }

    /// The next word or character.
    pub(crate) fn next_span(&self) -> Span {
        let mut end = self.cursor.clone();
        if end.eat_while(|c| c.is_alphanumeric() || c == '_').is_empty() {
            end.bump();
        }
        end.span_from(self.cursor.offset())
    }

    /// A description of the next token, for a message.
    fn found(&self) -> String {
        let next = self.cursor.rest();
        let word = &next[..next.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(0)];
        match next.chars().next() {
            None => "the end of the file".into(),
            Some(c) if c.is_control() => format!("the character U+{:04X}", u32::from(c)),
            Some(_) if !word.is_empty() && word.len() <= 40 => format!("`{word}`"),
            Some(c) => format!("`{c}`"),
        }
    }

    /// The error that a different token is expected.
    pub(crate) fn expected(&self, what: &str) -> Diagnostic {
        let message = format!("expected {what}, found {}", self.found());
        Diagnostic::at(codes::SYNTAX, self.next_span(), message)
    }

    /// Skips to after the next semicolon, or to before the probable beginning of the next statement.
    pub(crate) fn recover(&mut self, style: &Style) {
        while let Some(next) = self.next() {
            if (style.is_name)(next) {
                if (style.begins_statement)(self.cursor.clone()) {
                    return;
                }
                self.cursor.eat_while(style.is_name);
            } else if style.quotes.contains(next) {
                self.skip_quoted(next);
            } else {
                self.cursor.bump();
                if next == ';' {
                    return;
                }
            }
        }
    }

    /// Skips to after the closing quotation mark, or to the end of the line if there is none on it.
    fn skip_quoted(&mut self, quote: char) {
        self.cursor.bump();
        while let Some(next) = self.cursor.peek().filter(|&next| next != '\n') {
            self.cursor.bump();
            if next == '\\' && self.cursor.peek() != Some('\n') {
                self.cursor.bump();
            }
            if next == quote {
                return;
            }
        }
    }
}

/// Skips white space and comments; returns the beginning of a comment that is not closed.
pub(crate) fn skip_trivia(cursor: &mut Cursor<'_>) -> Option<Span> {
    loop {
        cursor.eat_while(char::is_whitespace);
        let start = cursor.offset();
        if cursor.eat("//") {
            cursor.eat_while(|c| c != '\n');
        } else if cursor.eat("/*") {
            let opening = cursor.span_from(start);
            if !skip_comment(cursor) {
                return Some(opening);
            }
        } else {
            return None;
        }
    }
}

/// Skips to the end of an open comment; returns whether it is closed.
fn skip_comment(cursor: &mut Cursor<'_>) -> bool {
    let mut depth = 1;
    while depth > 0 {
        cursor.eat_while(|c| c != '/' && c != '*');
        if cursor.eat("/*") {
            depth += 1;
        } else if cursor.eat("*/") {
            depth -= 1;
        } else if cursor.bump().is_none() {
            return false;
        }
    }
    true
}

/// Skips a byte order mark at the beginning of the file.
pub(crate) fn skip_byte_order_mark(cursor: &mut Cursor<'_>) {
    cursor.eat("\u{FEFF}");
}

#[cfg(test)]
mod tests {
    use super::skip_trivia;
    use crate::cursor::Cursor;
    use gramercy_base::{Id, SourceId};

    #[test]
    fn comments_nest_and_need_an_end() {
        let check = |text: &str, rest: &str, ended: bool| {
            let mut cursor = Cursor::new(SourceId::from_index(0), text);
            let open = skip_trivia(&mut cursor);
            assert_eq!((cursor.rest(), open.is_none()), (rest, ended), "{text:?}");
        };
        check(" \t\r\n\u{A0}x", "x", true);
        check("// a\n// b\nx", "x", true);
        check("/* a */x", "x", true);
        check("/**/x", "x", true);
        check("/*/ */x", "x", true);
        check("/* /* a */ b */x", "x", true);
        check("/* /* a */ b", "", false);
        check("/*", "", false);
        check("//", "", true);
        check("/ x", "/ x", true);
    }
}

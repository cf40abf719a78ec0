//! The lexer for the declarations and the rules of a yacc file. The epilogue is not read.
//!
//! Names, numbers, quoted characters, strings, tags and braced code are as in bison 3.8. Constructs
//! of other yaccs and of older files that bison rejects (quoted names of several characters, `%<`,
//! `%0`) are accepted too. Errors inside a token are reported here, and the token is returned
//! anyway. Linear in the text.

use std::borrow::Cow;

use gramercy_base::{Diagnostic, Span};

use super::host_code::{CodeFacts, CodeScanner};
use super::{codes as yacc_codes, quoting};
use crate::cursor::Cursor;
use crate::{Reading, codes};

/// The largest number that bison accepts.
const LARGEST_NUMBER: u64 = i32::MAX as u64;

/// The kind of a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind<'t> {
    /// A name: letters, digits, `_`, `.` and `-`.
    Name(&'t str),
    /// A number, decimal or hexadecimal.
    Number(u32),
    /// Characters in single quotes, without escapes.
    Quoted(Cow<'t, str>),
    /// Characters in double quotes, without escapes.
    Text(Cow<'t, str>),
    /// A string to be translated: `_("...")`.
    Translatable(Cow<'t, str>),
    /// A `%` directive, without the `%`.
    Directive(&'t str),
    /// `%{ ... %}`.
    Prologue,
    /// `{ ... }`.
    Code(CodeFacts<'t>),
    /// `%?{ ... }`.
    Predicate,
    /// `<...>`.
    Tag,
    /// `[name]`.
    Label(&'t str),
    /// `%%`.
    Separator,
    /// `:`
    Colon,
    /// `;`
    Semicolon,
    /// `|`
    Pipe,
    /// `=`
    Equal,
    /// `,`
    Comma,
    /// `(`
    Open,
    /// `)`
    Close,
    /// `?`, `*` or `+` after a symbol.
    Suffix(char),
    /// A character that is not part of yacc.
    Stray(char),
    /// The end of the file.
    End,
}

/// A token and its span.
#[derive(Clone, Debug)]
pub(crate) struct Token<'t> {
    pub(crate) kind: Kind<'t>,
    pub(crate) span: Span,
}

/// The scanner.
pub(crate) struct Lexer<'p, 'r, 't> {
    pub(crate) reading: &'p mut Reading<'r>,
    cursor: Cursor<'t>,
    code: CodeScanner,
    separators: usize,
}

impl<'p, 'r, 't> Lexer<'p, 'r, 't> {
    pub(crate) fn new(reading: &'p mut Reading<'r>, mut cursor: Cursor<'t>) -> Self {
        cursor.eat("\u{feff}");
        Self { reading, cursor, code: CodeScanner::default(), separators: 0 }
    }

    /// The next token; at the end of the file and after the second `%%`, always [`Kind::End`].
    pub(crate) fn next(&mut self) -> Token<'t> {
        if self.separators == 2 {
            self.cursor.eat_while(|_| true);
        }
        self.skip_space();
        let start = self.cursor.offset();
        let kind = match self.cursor.peek() {
            None => Kind::End,
            Some(first) => self.token(first, start),
        };
        Token { kind, span: self.cursor.span_from(start) }
    }

    fn token(&mut self, first: char, start: usize) -> Kind<'t> {
        match first {
            '_' if self.cursor.eat("_(\"") => {
                let text = self.quoted(start, '"');
                if !self.cursor.eat(")") {
                    self.report_here(start, codes::UNTERMINATED, "this `_(` has no `)`");
                }
                Kind::Translatable(text)
            }
            'a'..='z' | 'A'..='Z' | '_' | '.' => Kind::Name(self.cursor.eat_while(is_in_name)),
            '0'..='9' => self.number(start),
            '%' => self.percent(),
            '\'' => {
                self.cursor.bump();
                let text = self.quoted(start, '\'');
                if text.is_empty() {
                    self.report_here(start, codes::SYNTAX, "there is nothing between the quotes");
                }
                Kind::Quoted(text)
            }
            '"' => {
                self.cursor.bump();
                Kind::Text(self.quoted(start, '"'))
            }
            '{' => {
                self.cursor.bump();
                Kind::Code(self.code.block(self.reading, &mut self.cursor))
            }
            '<' => self.tag(start),
            '[' => self.label(start),
            _ => self.single(first),
        }
    }

    fn single(&mut self, first: char) -> Kind<'t> {
        self.cursor.bump();
        match first {
            ':' => Kind::Colon,
            ';' => Kind::Semicolon,
            '|' => Kind::Pipe,
            '=' => Kind::Equal,
            ',' => Kind::Comma,
            '(' => Kind::Open,
            ')' => Kind::Close,
            '?' | '*' | '+' => Kind::Suffix(first),
            _ => Kind::Stray(first),
        }
    }

    fn skip_space(&mut self) {
        loop {
            let at_file_start = self.cursor.offset() == 0;
            let space = self.cursor.eat_while(char::is_whitespace);
            let at_line_start = at_file_start || space.contains('\n');
            let start = self.cursor.offset();
            if self.cursor.eat("//") {
                self.cursor.eat_while(|c| c != '\n');
            } else if self.cursor.eat("/*") {
                let open = self.cursor.span_from(start);
                if !self.cursor.eat_past("*/") {
                    let message = "this comment has no `*/`";
                    self.reading.report(Diagnostic::at(codes::UNTERMINATED, open, message));
                }
            } else if at_line_start && self.cursor.peek() == Some('#') {
                self.preprocessor_line(start);
            } else {
                return;
            }
        }
    }

    fn preprocessor_line(&mut self, start: usize) {
        while self.cursor.eat_while(|c| c != '\n').trim_end_matches('\r').ends_with('\\') {
            self.cursor.eat("\n");
        }
        let line = self.cursor.text_from(start);
        if line.starts_with("#line ") {
            return;
        }
        let word = line[1..].split_whitespace().next().unwrap_or_default();
        let message = format!("a preprocessor line `#{word}` stands outside of C code");
        let help = "yacc reads all lines; run the preprocessor first, or remove the line";
        let span = self.cursor.span_from(start);
        self.reading
            .report(Diagnostic::at(yacc_codes::PREPROCESSOR_LINE, span, message).help(help));
    }

    fn number(&mut self, start: usize) -> Kind<'t> {
        let text = self.cursor.eat_while(is_in_name);
        let hexadecimal = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
        let value = match hexadecimal {
            Some(digits) => u64::from_str_radix(digits, 16),
            None => text.parse(),
        };
        let all_digits = match hexadecimal {
            Some(digits) => digits.bytes().all(|byte| byte.is_ascii_hexdigit()),
            None => text.bytes().all(|byte| byte.is_ascii_digit()),
        };
        if !all_digits {
            let message = format!("`{text}` is neither a number nor a name");
            self.report_here(start, codes::SYNTAX, &message);
            return Kind::Name(text);
        }
        let fits = value.ok().filter(|&value| value <= LARGEST_NUMBER);
        if fits.is_none() {
            let message = format!("this number is larger than {LARGEST_NUMBER}");
            self.report_here(start, codes::BAD_NUMBER, &message);
        }
        Kind::Number(fits.and_then(|value| u32::try_from(value).ok()).unwrap_or(u32::MAX))
    }

    fn percent(&mut self) -> Kind<'t> {
        self.cursor.bump();
        match self.cursor.peek() {
            Some('%') => {
                self.cursor.bump();
                self.separators += 1;
                Kind::Separator
            }
            Some('{') => {
                self.cursor.bump();
                self.code.prologue(self.reading, &mut self.cursor);
                Kind::Prologue
            }
            Some('?') => self.predicate(),
            Some('<' | '>' | '=' | '0' | '2') => {
                let sign = self.cursor.offset();
                self.cursor.bump();
                Kind::Directive(self.cursor.text_from(sign))
            }
            Some(c) if c.is_ascii_alphabetic() => {
                Kind::Directive(self.cursor.eat_while(|c| is_in_name(c) && c != '.'))
            }
            _ => Kind::Stray('%'),
        }
    }

    fn predicate(&mut self) -> Kind<'t> {
        let after_percent = self.cursor.offset();
        self.cursor.bump();
        self.cursor.eat_while(char::is_whitespace);
        if self.cursor.eat("{") {
            self.code.block(self.reading, &mut self.cursor);
            return Kind::Predicate;
        }
        self.cursor.seek(after_percent);
        Kind::Stray('%')
    }

    /// The text up to the quote, which must be on the same line. The opening quote is already
    /// taken.
    fn quoted(&mut self, start: usize, quote: char) -> Cow<'t, str> {
        let open = self.cursor.offset();
        let mut escaped = false;
        loop {
            self.cursor.eat_while(|c| c != quote && c != '\\' && c != '\n');
            match self.cursor.peek() {
                Some('\\') => {
                    escaped = true;
                    self.cursor.bump();
                    if self.cursor.peek() != Some('\n') {
                        self.cursor.bump();
                    }
                }
                Some(c) if c == quote => break,
                _ => {
                    self.report_open(start, quote);
                    return Cow::Borrowed(self.cursor.text_from(open).trim_end());
                }
            }
        }
        let text = self.cursor.text_from(open);
        self.cursor.bump();
        if text.contains('\0') {
            self.report_here(start, codes::SYNTAX, "a token cannot hold the character NUL");
        }
        if escaped { Cow::Owned(self.unescaped(text, open)) } else { Cow::Borrowed(text) }
    }

    fn report_open(&mut self, start: usize, quote: char) {
        let what = if quote == '"' { "string" } else { "quoted token" };
        let message = format!("this {what} has no closing `{quote}` on its line");
        self.report_here(start, codes::UNTERMINATED, &message);
    }

    fn unescaped(&mut self, text: &str, open: usize) -> String {
        let quoting::Unescaped { text, mistakes } = quoting::unescape(text);
        for mistake in mistakes {
            let span = Span::new(
                self.cursor.span_from(open).source,
                open + mistake.range.start,
                open + mistake.range.end,
            );
            let help = "valid escapes are \\a \\b \\f \\n \\r \\t \\v \\\\ \\' \\\" \\? \\123 \\x1F \\u12AB";
            self.reading
                .report(Diagnostic::at(codes::BAD_ESCAPE, span, mistake.message).help(help));
        }
        text
    }

    /// A tag, whose angle brackets may be nested. It ends on its line.
    fn tag(&mut self, start: usize) -> Kind<'t> {
        self.cursor.bump();
        let mut depth = 1_usize;
        while depth > 0 {
            self.cursor.eat_while(|c| !matches!(c, '<' | '>' | '-' | '\n'));
            match self.cursor.peek() {
                Some('<') => depth += 1,
                Some('>') => depth -= 1,
                Some('-') if self.cursor.eat("->") => continue,
                Some('-') => {}
                _ => {
                    self.report_here(start, codes::UNTERMINATED, "this `<` has no `>` on its line");
                    return Kind::Tag;
                }
            }
            self.cursor.bump();
        }
        Kind::Tag
    }

    fn label(&mut self, start: usize) -> Kind<'t> {
        self.cursor.bump();
        self.cursor.eat_while(char::is_whitespace);
        let name = self.cursor.eat_while(is_in_name);
        self.cursor.eat_while(char::is_whitespace);
        if name.is_empty() || name.starts_with(|c: char| c == '-' || c.is_ascii_digit()) {
            self.report_here(start, codes::SYNTAX, "a `[` needs a name and a `]`");
            self.cursor.eat("]");
        } else if !self.cursor.eat("]") {
            self.report_here(start, codes::UNTERMINATED, "this `[` has no `]` after its name");
        }
        Kind::Label(name)
    }

    fn report_here(&mut self, start: usize, code: gramercy_base::Code, message: &str) {
        let span = self.cursor.span_from(start);
        self.reading.report(Diagnostic::at(code, span, message));
    }
}

/// Whether a name may continue with this character.
pub(crate) fn is_in_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-')
}

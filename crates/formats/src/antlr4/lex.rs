//! The lexer of a `.g4` file.
//!
//! The meaning of `[` depends on the position: a character set in a lexer rule, target code
//! elsewhere. So the parser asks for one token at a time; brackets and braces are single tokens,
//! and the parser asks for the rest with [`Lexer::char_set`], [`Lexer::arguments`] or
//! [`Lexer::code`]. As in ANTLR, target code has strings in `'` and `"`, `\` for escapes and the
//! comments of C.
//!
//! Linear in the text, without recursion.

use gramercy_base::{Diagnostic, SourceId, Span};

use crate::cursor::Cursor;
use crate::{Reading, codes};

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name or keyword.
    Name,
    /// `'…'`.
    Literal,
    Integer,
    Colon,
    ColonColon,
    Comma,
    Semicolon,
    LeftParenthesis,
    RightParenthesis,
    /// The beginning of code or of a section; see [`Lexer::code`].
    LeftBrace,
    RightBrace,
    /// The beginning of a set or of arguments; see [`Lexer::char_set`].
    LeftBracket,
    Arrow,
    Less,
    Greater,
    Assign,
    PlusAssign,
    Question,
    Star,
    Plus,
    Or,
    Dot,
    Range,
    At,
    Hash,
    Tilde,
    /// An invalid character, which is already reported.
    Bad,
    End,
}

/// One token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) span: Span,
}

/// A lexer over one file.
pub(super) struct Lexer<'l, 'r, 't> {
    pub(super) reading: &'l mut Reading<'r>,
    source: SourceId,
    text: &'t str,
    cursor: Cursor<'t>,
    /// Whether an unclosed construct extends to the end of the file.
    pub(super) ran_out: bool,
}

impl<'l, 'r, 't> Lexer<'l, 'r, 't> {
    pub(super) fn new(reading: &'l mut Reading<'r>, source: SourceId, text: &'t str) -> Self {
        Self { reading, source, text, cursor: Cursor::new(source, text), ran_out: false }
    }

    /// The text under a span of this file.
    pub(super) fn text(&self, span: Span) -> &'t str {
        &self.text[span.range()]
    }

    /// The next token.
    pub(super) fn next(&mut self) -> Token {
        self.skip_space();
        let start = self.cursor.offset();
        let kind = self.kind();
        Token { kind, span: self.cursor.span_from(start) }
    }

    /// Whether a brace follows the last token: `options {` is one token in ANTLR.
    pub(super) fn brace_follows(&self) -> bool {
        self.cursor.rest().trim_start().starts_with('{')
    }

    fn skip_space(&mut self) {
        loop {
            // Byte order marks are space, as in ANTLR.
            self.cursor.eat_while(|c| matches!(c, ' ' | '\t' | '\r' | '\n' | '\x0C' | '\u{FEFF}'));
            let start = self.cursor.offset();
            if self.cursor.eat("//") {
                self.cursor.eat_while(|c| !matches!(c, '\r' | '\n'));
            } else if self.cursor.eat("/*") {
                if !self.cursor.eat_past("*/") {
                    self.unterminated(start, "comment", "end it with `*/`");
                }
            } else {
                return;
            }
        }
    }

    fn kind(&mut self) -> Kind {
        let Some(first) = self.cursor.peek() else {
            return Kind::End;
        };
        if is_name_start(first) {
            self.cursor.eat_while(is_name_part);
            return Kind::Name;
        }
        if first.is_ascii_digit() {
            self.cursor.eat_while(|c| c.is_ascii_digit());
            return Kind::Integer;
        }
        if first == '\'' {
            self.literal();
            return Kind::Literal;
        }
        self.punctuation().unwrap_or_else(|| self.bad())
    }

    fn punctuation(&mut self) -> Option<Kind> {
        const LONG: [(&str, Kind); 4] = [
            ("::", Kind::ColonColon),
            ("..", Kind::Range),
            ("->", Kind::Arrow),
            ("+=", Kind::PlusAssign),
        ];
        if let Some((_, kind)) = LONG.iter().find(|(text, _)| self.cursor.eat(text)) {
            return Some(*kind);
        }
        let kind = match self.cursor.peek()? {
            ':' => Kind::Colon,
            ',' => Kind::Comma,
            ';' => Kind::Semicolon,
            '(' => Kind::LeftParenthesis,
            ')' => Kind::RightParenthesis,
            '{' => Kind::LeftBrace,
            '}' => Kind::RightBrace,
            '[' => Kind::LeftBracket,
            '<' => Kind::Less,
            '>' => Kind::Greater,
            '=' => Kind::Assign,
            '?' => Kind::Question,
            '*' => Kind::Star,
            '+' => Kind::Plus,
            '|' => Kind::Or,
            '.' => Kind::Dot,
            '@' => Kind::At,
            '#' => Kind::Hash,
            '~' => Kind::Tilde,
            _ => return None,
        };
        self.cursor.bump();
        Some(kind)
    }

    /// A run of invalid characters.
    fn bad(&mut self) -> Kind {
        let start = self.cursor.offset();
        let is_bad = |c: char| {
            !is_name_start(c)
                && !c.is_whitespace()
                && !c.is_ascii_digit()
                && !"':,;(){}[]<>=?*+|.@#~/\u{FEFF}".contains(c)
        };
        if self.cursor.bump() != Some('"') || !self.rest_of_quoted() {
            self.cursor.eat_while(is_bad);
        }
        let found = self.cursor.text_from(start);
        let message = format!("`{}` has no meaning here", shown(found));
        let mut diagnostic = Diagnostic::at(codes::SYNTAX, self.cursor.span_from(start), message);
        diagnostic.help = match found.chars().next() {
            Some('"') => Some("ANTLR's literals are in single quotes".into()),
            Some('_') => Some("names begin with a letter".into()),
            Some('^' | '!') => {
                Some("the tree operators of ANTLR 3 do not exist any more; remove them".into())
            }
            _ => None,
        };
        self.reading.report(diagnostic);
        Kind::Bad
    }

    /// Takes the rest of a text in double quotes on this line; returns whether it is closed there.
    fn rest_of_quoted(&mut self) -> bool {
        // Not the whole line: it may be long and have many quotes.
        let found = self.cursor.rest().match_indices(['"', '\r', '\n']).next();
        let end =
            found.filter(|(_, found)| *found == "\"").map(|(at, _)| self.cursor.offset() + at + 1);
        end.inspect(|&end| self.cursor.seek(end)).is_some()
    }

    fn literal(&mut self) {
        let start = self.cursor.offset();
        self.cursor.bump();
        loop {
            self.cursor.eat_while(|c| !matches!(c, '\'' | '\\' | '\r' | '\n'));
            match self.cursor.peek() {
                Some('\'') => {
                    self.cursor.bump();
                    return;
                }
                Some('\\') => self.escaped(),
                _ => {
                    return self.unterminated(start, "literal", "end it with `'` on the same line");
                }
            }
        }
    }

    /// A backslash and, within the line, the escaped character.
    fn escaped(&mut self) {
        self.cursor.bump();
        if !matches!(self.cursor.peek(), Some('\r' | '\n')) {
            self.cursor.bump();
        }
    }

    /// The rest of a character set after its bracket; returns the span of the whole set.
    pub(super) fn char_set(&mut self, open: Token) -> Span {
        loop {
            self.cursor.eat_while(|c| !matches!(c, ']' | '\\' | '\r' | '\n'));
            match self.cursor.peek() {
                Some(']') => {
                    self.cursor.bump();
                    break;
                }
                Some('\\') => self.escaped(),
                _ => {
                    let help = "end it with `]` on the same line; a bracket inside is `\\]`";
                    self.unterminated(open.span.range().start, "character set", help);
                    break;
                }
            }
        }
        self.cursor.span_from(open.span.range().start)
    }

    /// The rest of arguments after their bracket.
    pub(super) fn arguments(&mut self, open: Token) -> Span {
        self.balanced(open, '[', ']', "list of arguments")
    }

    /// The rest of target code after its brace.
    pub(super) fn code(&mut self, open: Token) -> Span {
        self.balanced(open, '{', '}', "action")
    }

    fn balanced(&mut self, open: Token, left: char, right: char, what: &str) -> Span {
        let start = open.span.range().start;
        let mut depth = 1;
        while depth > 0 {
            let quoted = |c| matches!(c, '\'' | '"' | '\\' | '/') || c == left || c == right;
            self.cursor.eat_while(|c| !quoted(c));
            match self.cursor.bump() {
                Some(quote @ ('\'' | '"')) => self.string(quote),
                Some('\\') if left == '{' => drop(self.cursor.bump()),
                Some('/') if left == '{' => self.comment_in_code(),
                Some(c) if c == left => depth += 1,
                Some(c) if c == right => depth -= 1,
                Some(_) => {}
                None => {
                    self.unterminated(start, what, &format!("end it with `{right}`"));
                    break;
                }
            }
        }
        self.cursor.span_from(start)
    }

    /// The rest of a string of the target language.
    fn string(&mut self, quote: char) {
        loop {
            self.cursor.eat_while(|c| c != quote && c != '\\');
            match self.cursor.bump() {
                Some('\\') => drop(self.cursor.bump()),
                _ => return,
            }
        }
    }

    /// The rest of a possible comment of the target language.
    fn comment_in_code(&mut self) {
        if self.cursor.eat("/") {
            self.cursor.eat_while(|c| !matches!(c, '\r' | '\n'));
        } else if self.cursor.eat("*") {
            self.cursor.eat_past("*/");
        }
    }

    fn unterminated(&mut self, start: usize, what: &str, help: &str) {
        let first_line = self.cursor.text_from(start).lines().next().unwrap_or_default();
        let span = Span::new(self.source, start, start + first_line.len());
        self.ran_out = self.cursor.at_end();
        let message = format!("this {what} has no end");
        self.reading.report(Diagnostic::at(codes::UNTERMINATED, span, message).help(help));
    }
}

/// Characters in a message: shortened, and without line breaks.
fn shown(text: &str) -> String {
    let mut shown = String::new();
    for c in text.chars().take(20) {
        match c.is_control() {
            true => shown.extend(c.escape_default()),
            false => shown.push(c),
        }
    }
    shown
}

/// Whether a name may begin with a character.
pub(super) fn is_name_start(c: char) -> bool {
    match c {
        'A'..='Z' | 'a'..='z' => true,
        c if c.is_ascii() => false,
        '\u{C0}'..='\u{D6}'
        | '\u{D8}'..='\u{F6}'
        | '\u{F8}'..='\u{2FF}'
        | '\u{370}'..='\u{37D}'
        | '\u{37F}'..='\u{1FFF}'
        | '\u{200C}'..='\u{200D}'
        | '\u{2070}'..='\u{218F}'
        | '\u{2C00}'..='\u{2FEF}'
        | '\u{3001}'..='\u{D7FF}'
        | '\u{F900}'..='\u{FDCF}'
        | '\u{FDF0}'..='\u{FEFE}'
        | '\u{FF00}'..='\u{FFFD}' => true,
        _ => false,
    }
}

/// Whether a name may contain a character.
pub(super) fn is_name_part(c: char) -> bool {
    is_name_start(c)
        || matches!(c, '0'..='9' | '_' | '\u{B7}' | '\u{300}'..='\u{36F}' | '\u{203F}'..='\u{2040}')
}

/// Whether a name is that of a token or lexer rule.
pub(super) fn is_token_name(name: &str) -> bool {
    name.chars().next().is_some_and(char::is_uppercase)
}

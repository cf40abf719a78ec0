//! Why an input is not in the language: one value, shown as JSON, in one line, or with the lines concerned.

use gramercy::Grammar;
use gramercy::base::{Diagnostic, Encoding, Sources, Span};
use gramercy::lexis::LexicalError;
use gramercy::parse::{ErrorClass, TextRejection, TokenSpan};
use serde::Serialize;

use super::Palette;
use super::diagnostics;
use crate::codes;

/// How many expected terminals are named in a sentence.
const NAMED: usize = 12;

/// How many characters of a token are quoted in a sentence.
const QUOTED: usize = 40;

/// How the end of the input is called among what is expected.
const END: &str = "end of input";

/// An input that is not in the language.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Rejected {
    pub(crate) input: String,
    #[serde(flatten)]
    pub(crate) error: PlacedError,
}

/// Where, and why. Bytes and tokens count from 0, lines and columns from 1.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct PlacedError {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) token: Option<usize>,
    pub(crate) byte: usize,
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) expected: Vec<String>,
    class: &'static str,
    #[serde(skip)]
    message: String,
    /// From where to where, in the text.
    #[serde(skip)]
    pub(crate) start: usize,
    #[serde(skip)]
    end: usize,
}

/// The class of a word that names no token.
const UNKNOWN_TOKEN: &str = "unknown-token";
const TOKENS_ONLY_HELP: &str = "this grammar has no lexer: an input is the names of tokens, separated by white space; \
     --lexer FILE adds a lexer";

/// Why an input has no text at all.
pub(crate) enum Problem {
    /// It is not text in its encoding from this byte on.
    NotText(usize, Encoding),
    /// It has at least this number of bytes.
    TooLarge(usize),
}

impl Rejected {
    /// A rejection by the parser; `token` is the one that cannot come.
    pub(crate) fn new(
        grammar: &Grammar,
        input: &str,
        text: &str,
        token: Option<&TokenSpan>,
        rejection: &TextRejection,
    ) -> Self {
        let byte = rejection.byte;
        let (class, message, end) = describe(grammar, text, token, rejection);
        let names = rejection.expected.iter().map(|id| grammar.terminals()[id].name.to_string());
        let at_end = rejection.end_expected.then(|| END.to_owned());
        let (line, column) = position(text.as_bytes(), byte);
        let error = PlacedError {
            token: Some(rejection.token),
            byte,
            line,
            column,
            expected: names.chain(at_end).collect(),
            class,
            message,
            start: byte,
            end,
        };
        Self { input: input.to_owned(), error }
    }

    /// An input without text.
    pub(crate) fn without_text(input: &str, content: &[u8], problem: &Problem) -> Self {
        let (byte, class, message) = match *problem {
            Problem::NotText(byte, encoding) => {
                let name =
                    if encoding.is_utf8() { "UTF-8".to_owned() } else { encoding.to_string() };
                let message = format!(
                    "this is not text: byte {byte} is not {name}; --encoding names another encoding, \
                     such as latin-1"
                );
                (byte, "encoding", message)
            }
            Problem::TooLarge(limit) => {
                (0, "size", format!("an input has fewer than {limit} bytes"))
            }
        };
        let (line, column) = position(content, byte);
        let (token, expected, start, end) = (None, Vec::new(), byte, byte);
        let error = PlacedError { token, byte, line, column, expected, class, message, start, end };
        Self { input: input.to_owned(), error }
    }

    /// In one line: `file:1:3: "+" cannot come here; expected …`.
    pub(crate) fn line(&self) -> String {
        let PlacedError { line, column, message, expected, .. } = &self.error;
        let expected = match expected_in_words(expected) {
            Some(expected) => format!("; {expected}"),
            None => String::new(),
        };
        format!("{}:{line}:{column}: {message}{expected}", plain(&self.input))
    }

    /// With the lines concerned; `text` is the input, if it has any.
    pub(crate) fn for_people(&self, text: Option<&str>, palette: Palette) -> String {
        let mut sources = Sources::new();
        let error = &self.error;
        let mut diagnostic = match text {
            Some(text) => {
                let source = sources.add(self.input.as_str(), text);
                let span = Span::new(source, error.start, error.end.max(error.start));
                Diagnostic::at(codes::REJECTED, span, error.message.as_str())
            }
            None => {
                let message = format!("{}: {}", plain(&self.input), error.message);
                Diagnostic::new(codes::REJECTED, message)
            }
        };
        diagnostic.notes.extend(expected_in_words(&error.expected));
        if error.class == UNKNOWN_TOKEN {
            diagnostic = diagnostic.help(TOKENS_ONLY_HELP);
        }
        diagnostics::for_people([&diagnostic], &sources, palette)
    }
}

#[cfg(test)]
impl PlacedError {
    /// An error on the first line, for tests.
    pub(crate) fn at(byte: usize, expected: &[&str]) -> Self {
        let expected = expected.iter().map(ToString::to_string).collect();
        let (message, class) = (String::new(), "token");
        let (token, line, column) = (None, 1, byte + 1);
        Self { token, byte, line, column, expected, class, message, start: byte, end: byte }
    }
}

/// The class, what is wrong in words, and where the place ends.
fn describe(
    grammar: &Grammar,
    text: &str,
    token: Option<&TokenSpan>,
    rejection: &TextRejection,
) -> (&'static str, String, usize) {
    let byte = rejection.byte;
    match &rejection.class {
        ErrorClass::End => ("end", "the input ends too early".to_owned(), byte),
        ErrorClass::Token(terminal) => {
            let end = token.map_or(byte, |token| token.end as usize);
            let quoted = quote(&text[byte..end]);
            let of = terminal.map(|terminal| &grammar.terminals()[terminal].name);
            // The name says more than the text, unless it is the text.
            let of = of.filter(|name| !name.contains(&text[byte..end]));
            let name = of.map_or(String::new(), |name| format!("{name} "));
            ("token", format!("{name}{quoted} cannot come here"), end)
        }
        ErrorClass::UnknownToken => {
            let word = text[byte..].split_whitespace().next().unwrap_or_default();
            (UNKNOWN_TOKEN, format!("there is no token {}", quote(word)), byte + word.len())
        }
        ErrorClass::Lexical(error) => lexical(text, byte, error),
        ErrorClass::Limit(_) => ("limit", "a limit was reached".to_owned(), byte),
    }
}

fn lexical(text: &str, byte: usize, error: &LexicalError) -> (&'static str, String, usize) {
    match error {
        LexicalError::NoMatch { start, end } => {
            let next = text[*end..].chars().next().map_or(0, char::len_utf8);
            let end = end + next;
            ("lexical", format!("no token begins with {}", quote(&text[*start..end])), end)
        }
        LexicalError::EmptyMatch { .. } => {
            ("lexical", "a lexical rule matches nothing here, again and again".to_owned(), byte)
        }
        LexicalError::PoppedEmptyStack { .. } => {
            ("lexical", "a mode is left here that was never entered".to_owned(), byte)
        }
        LexicalError::Limit(limit) => ("limit", limit.to_string(), byte),
    }
}

/// A piece of an input in backticks, cut short if it is long.
fn quote(text: &str) -> String {
    let end = text.char_indices().nth(QUOTED).map_or(text.len(), |(end, _)| end);
    let more = if end < text.len() { "…" } else { "" };
    format!("`{}{more}`", plain(&text[..end]))
}

/// Text with control characters escaped, so that it stays on its line.
pub(crate) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() {
            plain.extend(c.escape_debug());
        } else {
            plain.push(c);
        }
    }
    plain
}

fn expected_in_words(expected: &[String]) -> Option<String> {
    let named = &expected[..expected.len().min(NAMED)];
    let rest = expected.len() - named.len();
    match (named, rest) {
        ([], _) => None,
        ([only], _) => Some(format!("expected {only}")),
        ([first @ .., last], 0) => Some(format!("expected {} or {last}", first.join(", "))),
        (_, rest) => Some(format!("expected {}, or one of {rest} more", named.join(", "))),
    }
}

/// Line and column of a byte, both from 1; columns in code points.
pub(crate) fn position(content: &[u8], byte: usize) -> (usize, usize) {
    let before = &content[..byte.min(content.len())];
    let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let column = before[start..].iter().filter(|byte| !(0x80..0xC0).contains(*byte)).count() + 1;
    (line, column)
}

#[cfg(test)]
mod tests {
    use super::{expected_in_words, position, quote};

    #[test]
    fn places_count_lines_and_code_points() {
        let check =
            |text: &str, byte, expected| assert_eq!(position(text.as_bytes(), byte), expected);
        check("", 0, (1, 1));
        check("äb\nc", 2, (1, 2));
        check("äb\nc", 4, (2, 1));
        check("a\n", 2, (2, 1));
    }

    #[test]
    fn sentences_stay_short() {
        assert_eq!(quote("a\tb"), "`a\\tb`");
        assert_eq!(quote(&"x".repeat(50)), format!("`{}…`", "x".repeat(40)));
        let names = |n: usize| (0..n).map(|at| at.to_string()).collect::<Vec<_>>();
        assert_eq!(expected_in_words(&names(0)), None);
        assert_eq!(expected_in_words(&names(1)).as_deref(), Some("expected 0"));
        assert_eq!(expected_in_words(&names(3)).as_deref(), Some("expected 0, 1 or 2"));
        let many = expected_in_words(&names(14)).expect("some");
        assert!(many.ends_with("11, or one of 2 more"), "{many}");
    }
}

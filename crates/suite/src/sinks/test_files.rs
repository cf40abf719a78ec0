//! Test files for pytest and for Rust: the tests as a table, and a function that the user fills in with
//! a call of the program under test.
//!
//! From the first test that must be rejected on, every test is a function of its own, named by the class and the
//! place of its error, so that a report of failures says what a program overlooked.

use std::fmt::Write as _;
use std::io::Write;

use crate::sink::{Sink, SinkError, Wants};
use crate::test::{Content, Expect, Test};

/// The languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// For pytest.
    Python,
    /// For `cargo test`.
    Rust,
}

/// A test file.
#[derive(Debug)]
pub struct TestFile<W> {
    out: W,
    language: Language,
    part: Part,
}

/// Which part of the file was written last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Nothing,
    Table,
    Functions,
}

impl<W: Write> TestFile<W> {
    /// Writes to a stream.
    pub fn new(out: W, language: Language) -> Self {
        Self { out, language, part: Part::Nothing }
    }

    /// What is written in this language: the head of the file, and both ends of the table.
    fn frame(&self) -> [&'static str; 3] {
        match self.language {
            Language::Python => PYTHON,
            Language::Rust => RUST,
        }
    }

    /// Goes on with a part; none comes before an earlier one.
    fn begin(&mut self, part: Part) -> std::io::Result<()> {
        let [head, open, close] = self.frame();
        if self.part == Part::Nothing {
            self.out.write_all(head.as_bytes())?;
        }
        match (self.part, part) {
            (Part::Nothing, Part::Table) => self.out.write_all(open.as_bytes())?,
            (Part::Table, Part::Functions) => self.out.write_all(close.as_bytes())?,
            _ => {}
        }
        self.part = part;
        Ok(())
    }

    fn row(&mut self, test: &Test<'_>) -> std::io::Result<()> {
        let accepted = match self.language {
            Language::Python => "True",
            Language::Rust => "true",
        };
        let text = quote(&test.content.to_text(), self.language);
        writeln!(self.out, "    ({}, {text}, {accepted}),", test.id)
    }

    fn function(&mut self, test: &Test<'_>) -> std::io::Result<()> {
        let (id, not) = match test.expect {
            Expect::Accept => (format!("{}_accept", test.id), ""),
            Expect::Reject(error) => {
                let (class, line, column) = (error.class, error.line, error.column);
                (format!("{}_{class}_at_{line}_{column}", test.id), "not ")
            }
        };
        match (self.language, test.content) {
            (Language::Python, content) => {
                let text = match content {
                    Content::Text(text) => quote(text, self.language),
                    Content::Bytes(bytes) => quote_bytes(bytes),
                };
                writeln!(self.out, "\n\ndef test_{id}(accepts):\n    assert {not}accepts({text})")
            }
            (Language::Rust, content) => {
                let call = match content {
                    Content::Text(text) => format!("accepts({})", quote(text, self.language)),
                    Content::Bytes(bytes) => format!("accepts_bytes({})", quote_bytes(bytes)),
                };
                let not = if not.is_empty() { "" } else { "!" };
                writeln!(self.out, "\n#[test]\nfn test_{id}() {{\n    assert!({not}{call});\n}}")
            }
        }
    }
}

/// The bytes of an input that is not text, as both languages read them.
fn quote_bytes(bytes: &[u8]) -> String {
    let mut quoted = String::from("b\"");
    for &byte in bytes {
        match byte {
            b'"' | b'\\' => {
                quoted.push('\\');
                quoted.push(char::from(byte));
            }
            b' '..=b'~' => quoted.push(char::from(byte)),
            _ => {
                let _ = write!(quoted, "\\x{byte:02x}");
            }
        }
    }
    quoted.push('"');
    quoted
}

/// The head of the file, and what comes before and behind the table.
const PYTHON: [&str; 3] = [
    r#"# A suite made by gramercy. The fixture `accepts` of your conftest.py takes a text and says
# whether your program accepts it:
#
#     @pytest.fixture
#     def accepts():
#         return lambda text: my_parser.parse(text) is not None
import pytest
"#,
    r#"
TESTS = [
"#,
    r#"]


@pytest.mark.parametrize("number, text, expected", TESTS, ids=[str(test[0]) for test in TESTS])
def test_suite(accepts, number, text, expected):
    assert accepts(text) == expected
"#,
];

const RUST: [&str; 3] = [
    r#"// A suite made by gramercy. In a file of `tests/` that has a function
//
//     fn accepts(text: &str) -> bool
//
// around your program, include it: `include!("suite.rs");`
"#,
    r#"const TESTS: &[(u64, &str, bool)] = &[
"#,
    r#"];

#[test]
fn suite() {
    let is_wrong = |(_, text, expected): &&(u64, &str, bool)| accepts(text) != *expected;
    let wrong: Vec<_> = TESTS.iter().filter(is_wrong).collect();
    assert!(wrong.is_empty(), "{} of {}: {wrong:#?}", wrong.len(), TESTS.len());
}
"#,
];

/// A string literal that both languages read, but for what is not ASCII.
fn quote(text: &str, language: Language) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            ' '..='~' => quoted.push(c),
            c => {
                let _ = match language {
                    Language::Python => write!(quoted, "\\U{:08x}", u32::from(c)),
                    Language::Rust => write!(quoted, "\\u{{{:x}}}", u32::from(c)),
                };
            }
        }
    }
    quoted.push('"');
    quoted
}

impl<W: Write> Sink for TestFile<W> {
    fn wants(&self) -> Wants {
        Wants { rejection: true, ..Wants::TEXT }
    }

    fn put(&mut self, test: &Test<'_>) -> Result<(), SinkError> {
        if test.expect == Expect::Accept && self.part != Part::Functions {
            self.begin(Part::Table)?;
            Ok(self.row(test)?)
        } else {
            self.begin(Part::Functions)?;
            Ok(self.function(test)?)
        }
    }

    fn flush(&mut self) -> Result<(), SinkError> {
        Ok(self.out.flush()?)
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        if self.part == Part::Nothing {
            self.begin(Part::Table)?;
        }
        if self.part == Part::Table {
            let [.., close] = self.frame();
            self.out.write_all(close.as_bytes())?;
        }
        self.flush()
    }
}

//! Test files for pytest and for Rust: the tests as a table, and a function that the user fills in with
//! a call of the program under test.

use std::fmt::Write as _;
use std::io::Write;

use crate::sink::{Sink, SinkError};
use crate::test::{Expect, Test};

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
    begun: bool,
}

impl<W: Write> TestFile<W> {
    /// Writes to a stream.
    pub fn new(out: W, language: Language) -> Self {
        Self { out, language, begun: false }
    }

    fn begin(&mut self) -> std::io::Result<()> {
        let begun = std::mem::replace(&mut self.begun, true);
        match (begun, self.language) {
            (true, _) => Ok(()),
            (false, Language::Python) => self.out.write_all(PYTHON.0.as_bytes()),
            (false, Language::Rust) => self.out.write_all(RUST.0.as_bytes()),
        }
    }
}

/// What comes before and behind the table.
const PYTHON: (&str, &str) = (
    r#"# A suite made by gramercy. The fixture `accepts` of your conftest.py takes a text and says
# whether your program accepts it:
#
#     @pytest.fixture
#     def accepts():
#         return lambda text: my_parser.parse(text) is not None
import pytest

TESTS = [
"#,
    r#"]


@pytest.mark.parametrize("number, text, expected", TESTS, ids=[str(test[0]) for test in TESTS])
def test_suite(accepts, number, text, expected):
    assert accepts(text) == expected
"#,
);

const RUST: (&str, &str) = (
    r#"// A suite made by gramercy. In a file of `tests/` that has a function
//
//     fn accepts(text: &str) -> bool
//
// around your program, include it: `include!("suite.rs");`
const TESTS: &[(u64, &str, bool)] = &[
"#,
    r#"];

#[test]
fn suite() {
    let is_wrong = |(_, text, expected): &&(u64, &str, bool)| accepts(text) != *expected;
    let wrong: Vec<_> = TESTS.iter().filter(is_wrong).collect();
    assert!(wrong.is_empty(), "{} of {}: {wrong:#?}", wrong.len(), TESTS.len());
}
"#,
);

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
    fn put(&mut self, test: &Test<'_>) -> Result<(), SinkError> {
        self.begin()?;
        let accept = test.expect == Expect::Accept;
        let expected = match (self.language, accept) {
            (Language::Python, true) => "True",
            (Language::Python, false) => "False",
            (Language::Rust, true) => "true",
            (Language::Rust, false) => "false",
        };
        let text = quote(&test.content.to_text(), self.language);
        Ok(writeln!(self.out, "    ({}, {text}, {expected}),", test.id)?)
    }

    fn flush(&mut self) -> Result<(), SinkError> {
        Ok(self.out.flush()?)
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        self.begin()?;
        let end = match self.language {
            Language::Python => PYTHON.1,
            Language::Rust => RUST.1,
        };
        self.out.write_all(end.as_bytes())?;
        self.flush()
    }
}

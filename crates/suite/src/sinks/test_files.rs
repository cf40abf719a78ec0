//! Test files for pytest and for Rust. The user adds one function that calls the program under test. Each
//! test has a name that says what it was made for.

use std::fmt::Write as _;
use std::io::Write;

use crate::sink::{Sink, SinkError, Wants};
use crate::test::{Expect, Origin, Test};

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

/// What comes before and behind the tests.
const PYTHON: (&str, &str) = (
    r#"# A suite made by gramercy. The fixture `accepts` of your conftest.py takes a text and says
# whether your program accepts it; a parser may return anything, so only its exceptions count:
#
#     @pytest.fixture
#     def accepts():
#         def accepts(text):
#             try:
#                 my_parser.parse(text)
#             except my_parser.Error:
#                 return False
#             return True
#         return accepts
import pytest

TESTS = [
"#,
    r#"]


@pytest.mark.parametrize("text, expected", TESTS)
def test_suite(accepts, text, expected):
    assert accepts(text) == expected
"#,
);

const RUST: (&str, &str) = (
    r#"// A suite made by gramercy. In a file of `tests/` that has a function
//
//     fn accepts(text: &str) -> bool
//
// around your program, include it: `include!("suite.rs");`
"#,
    "",
);

/// The most characters of a name.
const NAME: usize = 48;

/// The name of a test: its number, and what it was made for in letters, digits and underscores.
fn name(test: &Test<'_>) -> String {
    let pattern = match test.origin {
        Origin::Target(pattern) => pattern.unwrap_or_default(),
        Origin::Mutation(mutation) => mutation.operator,
        Origin::Draw => "",
    };
    let mut name = format!("{:06}", test.id);
    let mut is_open = false;
    for c in pattern.chars() {
        match c.is_ascii_alphanumeric() {
            true if name.len() < NAME => {
                if !is_open {
                    name.push('_');
                }
                is_open = true;
                name.push(c.to_ascii_lowercase());
            }
            true => break,
            false => is_open = false,
        }
    }
    name
}

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
        Wants { target: true, ..Wants::TEXT }
    }

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
        let name = name(test);
        match self.language {
            Language::Python => {
                writeln!(self.out, "    pytest.param({text}, {expected}, id=\"{name}\"),")?;
            }
            Language::Rust => {
                writeln!(self.out, "\n#[test]\nfn test_{name}() {{")?;
                writeln!(self.out, "    assert_eq!(accepts({text}), {expected});\n}}")?;
            }
        }
        Ok(())
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

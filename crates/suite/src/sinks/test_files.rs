//! Test files for pytest and for Rust, with one function per test. The user adds one function that calls the
//! program under test. The name of a test says what it was made for, or the class and the place of its error.

use std::fmt::Write as _;
use std::io::Write;

use crate::sink::{Sink, SinkError, Wants};
use crate::test::{Content, Expect, Origin, Test};

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
            (false, Language::Python) => self.out.write_all(PYTHON.as_bytes()),
            (false, Language::Rust) => self.out.write_all(RUST.as_bytes()),
        }
    }
}

/// The head of a file for pytest.
const PYTHON: &str = r#"# A suite made by gramercy. The fixture `accepts` of your conftest.py takes a text, or bytes that
# are not UTF-8, and says whether your program accepts it; a parser may return anything, so only
# its exceptions count:
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
"#;

/// The head of a file for Rust.
const RUST: &str = r#"// A suite made by gramercy. In a file of `tests/` that has a function
//
//     fn accepts(text: &str) -> bool
//
// around your program, include it: `include!("suite.rs");`
// Inputs that are not UTF-8 need `fn accepts_bytes(bytes: &[u8]) -> bool` too.
"#;

/// The most characters of a name.
const MAX_NAME: usize = 48;

/// The name of a test: its number, and what it was made for in letters, digits and underscores.
fn name(test: &Test<'_>) -> String {
    if let Expect::Reject(error) = test.expect {
        let class = error.class.replace('-', "_");
        return format!("{:06}_{class}_at_{}_{}", test.id, error.line, error.column);
    }
    let pattern = match test.origin {
        Origin::Target(pattern) => pattern.unwrap_or_default(),
        Origin::Draw | Origin::Mutation(_) => "",
    };
    let mut name = format!("{:06}", test.id);
    let mut is_open = false;
    for c in pattern.chars() {
        match c.is_ascii_alphanumeric() {
            true if name.len() < MAX_NAME => {
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
        Wants { target: true, rejection: true, ..Wants::TEXT }
    }

    fn put(&mut self, test: &Test<'_>) -> Result<(), SinkError> {
        self.begin()?;
        let name = name(test);
        let is_accepted = test.expect == Expect::Accept;
        let (call, argument) = match test.content {
            Content::Text(text) => ("accepts", quote(text, self.language)),
            Content::Bytes(bytes) => ("accepts_bytes", quote_bytes(bytes)),
        };
        match self.language {
            Language::Python => {
                let not = if is_accepted { "" } else { "not " };
                writeln!(self.out, "\n\ndef test_{name}(accepts):")?;
                writeln!(self.out, "    assert {not}accepts({argument})")?;
            }
            Language::Rust => {
                let not = if is_accepted { "" } else { "!" };
                writeln!(self.out, "\n#[test]\nfn test_{name}() {{")?;
                writeln!(self.out, "    assert!({not}{call}({argument}));\n}}")?;
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), SinkError> {
        Ok(self.out.flush()?)
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        self.begin()?;
        self.flush()
    }
}

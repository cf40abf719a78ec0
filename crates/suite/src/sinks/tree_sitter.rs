//! The form of tree-sitter's `test/corpus`: a title between rules of equal signs, the text, and what is
//! expected after a rule of dashes.
//!
//! The syntax tree that another grammar gives to a text is not known here, so tests are marked to be
//! parsed without an error, or with one (`:error`), and the tree is left for `tree-sitter test --update`.
//!
//! Rules have a suffix, as tree-sitter allows, so that no line of a text is taken for one. It is the same
//! for all tests: what has another one than the first rule of the file is read as text. Tree-sitter takes
//! a line break off the end of a text, and so loses a carriage return that stands there.

use std::io::Write;

use crate::sink::{Sink, SinkError, Wants};
use crate::test::{Expect, Test};

/// A file for `test/corpus`.
#[derive(Debug)]
pub struct TreeSitter<W> {
    out: W,
}

impl<W: Write> TreeSitter<W> {
    /// Writes to a stream.
    pub fn new(out: W) -> Self {
        Self { out }
    }
}

/// What rules end with.
const SUFFIX: &str = "|gramercy|";

impl<W: Write> Sink for TreeSitter<W> {
    fn wants(&self) -> Wants {
        Wants { target: true, rejection: true, ..Wants::TEXT }
    }

    fn put(&mut self, test: &Test<'_>) -> Result<(), SinkError> {
        let title = match test.target() {
            Some(target) => format!("{} {}", test.id, target.replace(['\n', '\r'], " ")),
            None => match test.expect {
                Expect::Reject(error) if !error.class.is_empty() => {
                    format!("{} {} at {}:{}", test.id, error.class, error.line, error.column)
                }
                _ => test.id.to_string(),
            },
        };
        let mark = match test.expect {
            Expect::Accept => "",
            Expect::Reject(_) => ":error\n",
        };
        let text = test.content.to_text();
        writeln!(
            self.out,
            "==================={SUFFIX}\n{title}\n{mark}==================={SUFFIX}"
        )?;
        Ok(write!(self.out, "{text}\n---{SUFFIX}\n\n")?)
    }

    fn flush(&mut self) -> Result<(), SinkError> {
        Ok(self.out.flush()?)
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        self.flush()
    }
}

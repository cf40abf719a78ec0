//! The form of tree-sitter's `test/corpus`: a title between rules of equal signs, the text, and what is
//! expected behind a rule of dashes.
//!
//! The syntax tree that another grammar gives to a text is not known here, so tests are marked to be
//! parsed without an error, or with one (`:error`), and the tree is left for `tree-sitter test --update`.
//! Where a text holds a line that would end it, the rules get a suffix, as tree-sitter allows.

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

/// A suffix that no line of the text has behind a rule.
fn suffix(text: &str) -> String {
    let rules = |line: &str| line.starts_with("---") || line.starts_with("===");
    match text.lines().any(rules) {
        false => String::new(),
        true => {
            let clashes = |suffix: &str| text.contains(suffix);
            let bars = (1..).map(|length| "|".repeat(length));
            bars.into_iter().find(|suffix| !clashes(suffix)).expect("texts are finite")
        }
    }
}

impl<W: Write> Sink for TreeSitter<W> {
    fn wants(&self) -> Wants {
        Wants { target: true, ..Wants::default() }
    }

    fn put(&mut self, test: &Test<'_>) -> Result<(), SinkError> {
        let suffix = suffix(test.text);
        let title = match test.target {
            Some(target) => format!("{} {}", test.id, target.replace(['\n', '\r'], " ")),
            None => test.id.to_string(),
        };
        let mark = match test.expect {
            Expect::Accept => "",
            Expect::Reject(_) => ":error\n",
        };
        let Test { text, .. } = test;
        writeln!(
            self.out,
            "==================={suffix}\n{title}\n{mark}==================={suffix}"
        )?;
        Ok(write!(self.out, "{text}\n---{suffix}\n\n")?)
    }

    fn flush(&mut self) -> Result<(), SinkError> {
        Ok(self.out.flush()?)
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        self.flush()
    }
}

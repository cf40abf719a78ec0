//! One JSON document a test and line, with everything that is known about it.

use std::io::Write;

use serde::Serialize;

use crate::sink::{Sink, SinkError, Wants};
use crate::test::{Expect, Test};

/// The version of the documents.
const SCHEMA: u32 = 1;

/// A JSON document a line.
#[derive(Debug)]
pub struct Ndjson<W> {
    out: W,
    buffer: Vec<u8>,
}

impl<W: Write> Ndjson<W> {
    /// Writes to a stream.
    pub fn new(out: W) -> Self {
        Self { out, buffer: Vec::new() }
    }
}

#[derive(Serialize)]
struct Document<'t> {
    schema: u32,
    id: u64,
    text: &'t str,
    tokens: Vec<Token<'t>>,
    expect: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Error<'t>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<&'t str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    covers: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
}

#[derive(Serialize)]
struct Token<'t> {
    name: &'t str,
    text: &'t str,
    byte: usize,
}

#[derive(Serialize)]
struct Error<'t> {
    token: usize,
    byte: usize,
    line: usize,
    column: usize,
    expected: &'t [&'t str],
    class: &'t str,
}

impl<'t> Document<'t> {
    fn new(test: &Test<'t>) -> Self {
        let token = |token: &crate::test::Token<'t>| Token {
            name: token.name,
            text: &test.text[token.start..token.end],
            byte: token.start,
        };
        let covers = test.covers.iter().map(|of| format!("{}#{}", of.criterion, of.rank));
        Self {
            schema: SCHEMA,
            id: test.id,
            text: test.text,
            tokens: test.tokens.iter().map(token).collect(),
            expect: test.expect.as_str(),
            error: match test.expect {
                Expect::Accept => None,
                Expect::Reject(error) => Some(Error {
                    token: error.token,
                    byte: error.byte,
                    line: error.line,
                    column: error.column,
                    expected: &error.expected,
                    class: error.class,
                }),
            },
            target: test.target,
            covers: covers.collect(),
            seed: test.seed,
        }
    }
}

impl<W: Write> Sink for Ndjson<W> {
    fn wants(&self) -> Wants {
        Wants { tokens: true, target: true, covers: true }
    }

    fn put(&mut self, test: &Test<'_>) -> Result<(), SinkError> {
        serde_json::to_writer(&mut self.buffer, &Document::new(test))
            .map_err(std::io::Error::from)?;
        self.buffer.push(b'\n');
        Ok(())
    }

    fn flush(&mut self) -> Result<(), SinkError> {
        self.out.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(self.out.flush()?)
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        self.flush()
    }
}

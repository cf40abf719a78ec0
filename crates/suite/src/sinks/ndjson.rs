//! One JSON document per test and line, with everything that is known about the test.

use std::io::Write;

use crate::document::Document;
use crate::sink::{Sink, SinkError, Wants};
use crate::test::Test;

/// One JSON document per line.
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

impl<W: Write> Sink for Ndjson<W> {
    fn wants(&self) -> Wants {
        Wants { text: true, tokens: true, target: true, covers: true, rejection: true }
    }

    fn put(&mut self, test: &Test<'_>) -> Result<(), SinkError> {
        serde_json::to_writer(&mut self.buffer, &Document::of(test))
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

//! A test a line, or a test and a zero byte.
//!
//! On a line, newline, carriage return and backslash are written as `\n`, `\r` and `\\`, so that the
//! lines of a suite are its tests. Text without such characters is copied in pieces.

use std::io::Write;

use crate::sink::{Sink, SinkError};
use crate::test::Test;

/// A test a line.
#[derive(Debug)]
pub struct Lines<W>(Buffered<W>);

/// Tests that end in a zero byte each. A test that holds one itself cannot be told from two.
#[derive(Debug)]
pub struct Nul<W>(Buffered<W>);

/// What is gathered before it is written, since tests are small and writing is not free.
#[derive(Debug)]
struct Buffered<W> {
    out: W,
    bytes: Vec<u8>,
}

/// How many bytes are looked at in one go.
const PIECE: usize = 8;
/// How much is gathered before it is written.
const BUFFERED: usize = 1 << 16;

impl<W: Write> Buffered<W> {
    fn new(out: W) -> Self {
        Self { out, bytes: Vec::with_capacity(2 * BUFFERED) }
    }

    /// A test was appended, but for what ends it.
    fn end(&mut self, end: u8) -> Result<(), SinkError> {
        self.bytes.push(end);
        if self.bytes.len() >= BUFFERED { self.empty() } else { Ok(()) }
    }

    fn empty(&mut self) -> Result<(), SinkError> {
        self.out.write_all(&self.bytes)?;
        self.bytes.clear();
        Ok(())
    }

    fn flush(&mut self) -> Result<(), SinkError> {
        self.empty()?;
        Ok(self.out.flush()?)
    }
}

impl<W: Write> Lines<W> {
    /// Writes to a stream.
    pub fn new(out: W) -> Self {
        Self(Buffered::new(out))
    }
}

impl<W: Write> Nul<W> {
    /// Writes to a stream.
    pub fn new(out: W) -> Self {
        Self(Buffered::new(out))
    }
}

/// Appends a text that is to stay on its line: piece by piece, and those with special characters byte by
/// byte.
pub(crate) fn escape(text: &str, buffer: &mut Vec<u8>) {
    if !has_special(text.as_bytes()) {
        buffer.extend_from_slice(text.as_bytes());
        return;
    }
    let start = buffer.len();
    // Every byte may become two, and two are written for each.
    buffer.resize(start + 2 * text.len() + 1, 0);
    let (out, mut at) = (&mut buffer[start..], 0);
    let (pieces, rest) = text.as_bytes().as_chunks::<PIECE>();
    for piece in pieces {
        if has_special(piece) {
            at = escape_bytes(piece, out, at);
        } else {
            out[at..at + PIECE].copy_from_slice(piece);
            at += PIECE;
        }
    }
    at = escape_bytes(rest, out, at);
    buffer.truncate(start + at);
}

/// Looks for what is special in all bytes in one go, without a branch for each.
#[inline]
fn has_special(bytes: &[u8]) -> bool {
    let special =
        |byte: u8| u8::from(byte == b'\n') | u8::from(byte == b'\r') | u8::from(byte == b'\\');
    bytes.iter().fold(0, |found, &byte| found | special(byte)) != 0
}

/// How a byte is written: two bytes, and how many of them count.
const WRITTEN: [([u8; 2], u8); 256] = {
    let mut written = [([0; 2], 1); 256];
    let mut byte = 0;
    while byte <= u8::MAX as usize {
        written[byte].0[0] = byte.to_le_bytes()[0];
        byte += 1;
    }
    written[b'\n' as usize] = (*b"\\n", 2);
    written[b'\r' as usize] = (*b"\\r", 2);
    written[b'\\' as usize] = (*b"\\\\", 2);
    written
};

/// Writes bytes from a place on, without a branch for what is special; where the next one goes.
#[inline]
fn escape_bytes(bytes: &[u8], out: &mut [u8], mut at: usize) -> usize {
    for &byte in bytes {
        let (written, len) = WRITTEN[usize::from(byte)];
        out[at..at + 2].copy_from_slice(&written);
        at += usize::from(len);
    }
    at
}

impl<W: Write> Sink for Lines<W> {
    fn put(&mut self, test: &Test<'_>) -> Result<(), SinkError> {
        escape(test.text, &mut self.0.bytes);
        self.0.end(b'\n')
    }

    fn flush(&mut self) -> Result<(), SinkError> {
        self.0.flush()
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        self.0.flush()
    }
}

impl<W: Write> Sink for Nul<W> {
    fn put(&mut self, test: &Test<'_>) -> Result<(), SinkError> {
        self.0.bytes.extend_from_slice(test.text.as_bytes());
        self.0.end(0)
    }

    fn flush(&mut self) -> Result<(), SinkError> {
        self.0.flush()
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn a_test_stays_on_its_line() {
        let check = |text: &str, expected: &str| {
            let mut buffer = Vec::new();
            escape(text, &mut buffer);
            assert_eq!(String::from_utf8_lossy(&buffer), expected);
        };
        check("", "");
        check("plain äöü", "plain äöü");
        check("a\nb\r\nc\\", "a\\nb\\r\\nc\\\\");
        check("\n", "\\n");
        check("\\n", "\\\\n");
        let long = "0123456789".repeat(10);
        check(&long, &long);
        check(&format!("{long}\n{long}"), &format!("{long}\\n{long}"));
    }
}

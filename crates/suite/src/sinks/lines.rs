//! One test per line, or tests that end in a zero byte.
//!
//! On a line, newline, carriage return and backslash are written as `\n`, `\r` and `\\`, so that the
//! lines of a suite are its tests. Text without such characters is copied as it is.

use std::io::Write;

use crate::sink::{Rendering, Sink, SinkError};
use crate::test::Test;

/// One test per line.
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

/// How lines are written.
const LINE: Rendering = Rendering { append: escape, end: b'\n' };
/// How tests are written that end in a zero byte.
const ENDED_BY_NUL: Rendering =
    Rendering { append: |text, buffer| buffer.extend_from_slice(text), end: 0 };

/// How many bytes are copied in one go if none of them is special, where few are and where more are.
const LARGE_BLOCK: usize = 256;
const BLOCK: usize = 32;
/// How many bytes are escaped in one go: twice as many make a word.
const PIECE: usize = 4;
/// How much is gathered before it is written.
const BUFFERED: usize = 1 << 16;

impl<W: Write> Buffered<W> {
    fn new(out: W) -> Self {
        Self { out, bytes: Vec::with_capacity(2 * BUFFERED) }
    }

    fn put(&mut self, text: &[u8], Rendering { append, end }: Rendering) -> Result<(), SinkError> {
        append(text, &mut self.bytes);
        self.bytes.push(end);
        if self.bytes.len() >= BUFFERED { self.empty() } else { Ok(()) }
    }

    fn put_rendered(&mut self, tests: &[u8]) -> Result<(), SinkError> {
        if self.bytes.len() + tests.len() > BUFFERED {
            self.empty()?;
        }
        if tests.len() > BUFFERED {
            return Ok(self.out.write_all(tests)?);
        }
        self.bytes.extend_from_slice(tests);
        Ok(())
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

/// Appends a text that is to stay on its line.
pub(crate) fn escape(text: &[u8], buffer: &mut Vec<u8>) {
    if !has_special(text) {
        buffer.extend_from_slice(text);
        return;
    }
    let start = buffer.len();
    // Every byte may become two, and a word is written for every piece.
    buffer.resize(start + 2 * text.len() + 2 * PIECE, 0);
    let (out, mut at) = (&mut buffer[start..], 0);
    for large in text.chunks(LARGE_BLOCK) {
        if has_special(large) {
            at = escape_blocks(large, out, at);
        } else {
            out[at..at + large.len()].copy_from_slice(large);
            at += large.len();
        }
    }
    buffer.truncate(start + at);
}

/// Writes some bytes to a place, block by block; where the next ones go.
#[inline(always)]
fn escape_blocks(bytes: &[u8], out: &mut [u8], mut at: usize) -> usize {
    let (blocks, rest) = bytes.as_chunks::<BLOCK>();
    for block in blocks {
        if has_special(block) {
            at = escape_pieces(block, out, at);
        } else {
            out[at..at + BLOCK].copy_from_slice(block);
            at += BLOCK;
        }
    }
    escape_pieces(rest, out, at)
}

/// Writes some bytes to a place, piece by piece; where the next ones go.
#[inline(always)]
fn escape_pieces(bytes: &[u8], out: &mut [u8], mut at: usize) -> usize {
    for piece in bytes.chunks(PIECE) {
        at = escape_piece(piece, out, at);
    }
    at
}

/// Looks for what is special in all bytes in one go, without a branch for each.
#[inline]
fn has_special(bytes: &[u8]) -> bool {
    let special =
        |byte: u8| u8::from(byte == b'\n') | u8::from(byte == b'\r') | u8::from(byte == b'\\');
    bytes.iter().fold(0, |found, &byte| found | special(byte)) != 0
}

/// How a byte is written: up to two bytes, and how many bits they have.
const WRITTEN: [(u16, u16); 256] = {
    let mut written = [(0, 8); 256];
    let mut byte = 0;
    while byte < 256 {
        written[byte as usize].0 = byte;
        byte += 1;
    }
    written[b'\n' as usize] = (u16::from_le_bytes(*b"\\n"), 16);
    written[b'\r' as usize] = (u16::from_le_bytes(*b"\\r"), 16);
    written[b'\\' as usize] = (u16::from_le_bytes(*b"\\\\"), 16);
    written
};

/// Writes a few bytes to a place, without a branch for what is special; where the next ones go. They are
/// put together in a word.
#[inline(always)]
fn escape_piece(piece: &[u8], out: &mut [u8], at: usize) -> usize {
    let (mut word, mut bits) = (0_u64, 0);
    for &byte in piece {
        let (written, len) = WRITTEN[usize::from(byte)];
        word |= u64::from(written) << bits;
        bits += u32::from(len);
    }
    out[at..at + 2 * PIECE].copy_from_slice(&word.to_le_bytes());
    at + bits as usize / 8
}

impl<W: Write> Sink for Lines<W> {
    fn put(&mut self, test: &Test<'_>) -> Result<(), SinkError> {
        self.0.put(test.content.as_bytes(), LINE)
    }

    fn rendering(&self) -> Option<Rendering> {
        Some(LINE)
    }

    fn put_rendered(&mut self, tests: &[u8]) -> Result<(), SinkError> {
        self.0.put_rendered(tests)
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
        self.0.put(test.content.as_bytes(), ENDED_BY_NUL)
    }

    fn rendering(&self) -> Option<Rendering> {
        Some(ENDED_BY_NUL)
    }

    fn put_rendered(&mut self, tests: &[u8]) -> Result<(), SinkError> {
        self.0.put_rendered(tests)
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
            escape(text.as_bytes(), &mut buffer);
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

//! A position in a text that moves forward, character by character.

use gramercy_base::{SourceId, Span};

/// A cursor over one source.
#[derive(Clone, Debug)]
pub struct Cursor<'t> {
    source: SourceId,
    text: &'t str,
    at: usize,
}

impl<'t> Cursor<'t> {
    /// At the beginning of a text.
    #[must_use]
    pub fn new(source: SourceId, text: &'t str) -> Self {
        Self { source, text, at: 0 }
    }

    /// The byte offset.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.at
    }

    /// Moves to a byte offset on a character boundary.
    pub fn seek(&mut self, offset: usize) {
        debug_assert!(self.text.is_char_boundary(offset), "invariant: a cursor is between chars");
        self.at = offset;
    }

    /// The rest of the text.
    #[must_use]
    pub fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Whether the rest is empty.
    #[must_use]
    pub fn at_end(&self) -> bool {
        self.at == self.text.len()
    }

    /// The next character.
    #[must_use]
    pub fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// The character after the next one.
    #[must_use]
    pub fn peek_second(&self) -> Option<char> {
        self.rest().chars().nth(1)
    }

    /// Takes the next character.
    pub fn bump(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    /// Takes `expected` if it is next.
    pub fn eat(&mut self, expected: &str) -> bool {
        let found = self.rest().starts_with(expected);
        if found {
            self.at += expected.len();
        }
        found
    }

    /// Takes characters while they are accepted.
    pub fn eat_while(&mut self, mut wanted: impl FnMut(char) -> bool) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// Takes everything up to and including `end`. If `end` does not occur, takes the rest and
    /// returns `false`.
    pub fn eat_past(&mut self, end: &str) -> bool {
        let found = self.rest().find(end);
        self.at = found.map_or(self.text.len(), |at| self.at + at + end.len());
        found.is_some()
    }

    /// The span from a byte offset to here.
    #[must_use]
    pub fn span_from(&self, start: usize) -> Span {
        Span::new(self.source, start, self.at)
    }

    /// The text from a byte offset to here.
    #[must_use]
    pub fn text_from(&self, start: usize) -> &'t str {
        &self.text[start..self.at]
    }
}

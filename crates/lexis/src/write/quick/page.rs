//! Where texts are put down, token by token.
//!
//! A token that cannot stand where it is put spoils the text; that is noticed at the end, so that putting
//! a token has no way to fail and hardly a branch. Cost: a draw, three look-ups and a copy a token.

use std::ops::Range;

use gramercy_base::{Draw, Id};
use gramercy_grammar::TerminalId;

use super::{Entry, IMPOSSIBLE, Quick, WIDE};
use crate::write::Choice;

/// The last key of the draws, which tells them from others.
const KEY: u64 = 0x71;

/// Memory for one text, used again for the next.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// The text, and room behind it.
    bytes: Vec<u8>,
    len: usize,
}

/// What is known of a text on a page, beside the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paged {
    /// Whether names stand in for lexemes that nobody knows.
    pub placeholders: bool,
}

impl Page {
    /// The text; nothing if it was spoilt.
    #[must_use]
    pub fn text(&self) -> &str {
        str::from_utf8(&self.bytes[..self.len]).unwrap_or_default()
    }

    /// How many bytes the text has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Puts some bytes of many to a place; behind those there are more of them than are copied at once.
    #[inline(always)]
    fn copy(&mut self, from: &[u8], start: usize, at: usize, len: usize) {
        if len <= WIDE
            && let Some(to) = self.bytes.get_mut(at..at + WIDE)
        {
            to.copy_from_slice(&from[start..start + WIDE]);
            return;
        }
        self.copy_long(at, &from[start..start + len]);
    }

    #[inline(never)]
    fn copy_long(&mut self, at: usize, from: &[u8]) {
        if self.bytes.len() < at + from.len() + WIDE {
            self.bytes.resize(2 * (at + from.len() + WIDE), 0);
        }
        self.bytes[at..at + from.len()].copy_from_slice(from);
    }
}

impl Quick {
    /// Writes a token string onto a page, and tells of every token which lexeme was drawn and where it
    /// lies; `None` if the text is empty or has tokens that cannot be written so.
    #[inline]
    pub(in crate::write) fn put(
        &self,
        tokens: &[TerminalId],
        choice: &Choice<'_>,
        page: &mut Page,
        mut each: impl FnMut(usize, Range<usize>),
    ) -> Option<Paged> {
        let mut draw = Draw::new([choice.seed, choice.test, 0, KEY]);
        let (mut row, mut len) = (self.first_row, 0);
        // Of the bytes that were left out between lexemes, all bits.
        let (mut skips, mut placeholders) = (0, false);
        for &token in tokens {
            let (at, Entry { skip, context }) = self.next(row, token, &mut draw);
            let lexeme = &self.lexemes[at];
            let skipped = u32::from(skip & !IMPOSSIBLE);
            let start = (lexeme.start + skipped) as usize;
            let size = (lexeme.len - skipped) as usize;
            page.copy(&self.bytes, start, len, size);
            len += size;
            row = self.rows[at * self.contexts + usize::from(context)];
            skips |= skip;
            placeholders |= lexeme.is_placeholder;
            each(at, len - (lexeme.len - self.blank) as usize..len);
        }
        skips |= self.entries[(row + self.end) as usize].skip;
        let is_spoilt = skips & IMPOSSIBLE != 0 || tokens.is_empty();
        page.len = if is_spoilt { 0 } else { len };
        (!is_spoilt).then_some(Paged { placeholders })
    }

    /// Draws a lexeme, and finds what goes before it.
    #[inline(always)]
    fn next(&self, row: u32, token: TerminalId, draw: &mut Draw) -> (usize, Entry) {
        let (first, count) = self.pools[token.index()];
        let drawn = ((draw.number() >> 32) * u64::from(count)) >> 32;
        let at = first as usize + usize::try_from(drawn).unwrap_or(0);
        (at, self.entries[(row + self.lexemes[at].column) as usize])
    }
}

/// Tries whether tokens can stand where they are, by the lexemes that would be drawn for them.
#[derive(Clone, Debug)]
pub struct Trial<'q> {
    quick: &'q Quick,
    keys: [u64; 4],
    draw: Draw,
    /// The rows before every token and behind the last.
    rows: Vec<u32>,
}

impl<'q> Trial<'q> {
    pub(in crate::write) fn new(quick: &'q Quick, choice: &Choice<'_>) -> Self {
        let keys = [choice.seed, choice.test, 0, KEY];
        Self { quick, keys, draw: Draw::new(keys), rows: vec![quick.first_row] }
    }

    /// Puts a token behind the others; `false` if it cannot stand there. Then only
    /// [`rewind`](Self::rewind) makes sense.
    pub fn put(&mut self, token: TerminalId) -> bool {
        let (at, Entry { skip, context }) = self.quick.next(self.row(), token, &mut self.draw);
        self.rows.push(self.quick.rows[at * self.quick.contexts + usize::from(context)]);
        skip & IMPOSSIBLE == 0
    }

    /// Whether the text can end here.
    #[must_use]
    pub fn can_end(&self) -> bool {
        let end = self.quick.entries[(self.row() + self.quick.end) as usize];
        end.skip & IMPOSSIBLE == 0
    }

    /// Goes back to where so many tokens were put.
    pub fn rewind(&mut self, tokens: usize) {
        self.rows.truncate(tokens + 1);
        self.draw = Draw::new(self.keys);
        self.draw.skip(tokens as u64);
    }

    fn row(&self) -> u32 {
        *self.rows.last().expect("invariant: there is one before the first token")
    }
}

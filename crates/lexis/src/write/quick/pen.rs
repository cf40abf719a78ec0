//! What texts are written with, token by token.
//!
//! A token that cannot stand where it is put spoils the text; that is noticed at the end, so that putting
//! a token has no way to fail and hardly a branch. Cost: a draw, three look-ups and a copy a token.

use std::ops::Range;

use gramercy_base::{Draw, Id};
use gramercy_grammar::TerminalId;

use super::{IMPOSSIBLE, Quick, WIDE};
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

impl Page {
    /// Appends some bytes of many; behind those there are more of them than are copied at once.
    #[inline(always)]
    fn copy(&mut self, from: &[u8], start: usize, len: usize) {
        let at = self.len;
        self.len += len;
        if len <= WIDE
            && let Some(to) = self.bytes.get_mut(at..at + WIDE)
        {
            to.copy_from_slice(&from[start..start + WIDE]);
            return;
        }
        self.copy_long(at, &from[start..start + len]);
    }

    #[cold]
    fn copy_long(&mut self, at: usize, from: &[u8]) {
        if self.bytes.len() < at + from.len() + WIDE {
            self.bytes.resize(2 * (at + from.len() + WIDE), 0);
        }
        self.bytes[at..at + from.len()].copy_from_slice(from);
    }

    /// The text that a pen finished last; nothing if it was spoilt.
    #[must_use]
    pub fn text(&self) -> &str {
        str::from_utf8(&self.bytes[..self.len]).unwrap_or_default()
    }
}

/// Writes one text from pools of lexemes onto a page.
#[derive(Debug)]
pub struct Pen<'q> {
    quick: &'q Quick,
    page: &'q mut Page,
    keys: [u64; 4],
    draw: Draw,
    /// The row of the lexeme before.
    row: u32,
    tokens: usize,
    /// Of the bytes that were left out between lexemes, all bits.
    skips: u8,
    placeholders: bool,
}

/// A text that was written with a [`Pen`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Penned<'p> {
    /// The text.
    pub text: &'p str,
    /// Whether names stand in for lexemes that nobody knows.
    pub placeholders: bool,
}

impl<'q> Pen<'q> {
    pub(in crate::write) fn new(quick: &'q Quick, choice: &Choice<'_>, page: &'q mut Page) -> Self {
        let keys = [choice.seed, choice.test, 0, KEY];
        let (draw, row) = (Draw::new(keys), quick.first_row);
        page.len = 0;
        Self { quick, page, keys, draw, row, tokens: 0, skips: 0, placeholders: false }
    }

    /// Forgets what was written.
    pub fn restart(&mut self) {
        let Self { quick, keys, .. } = *self;
        self.page.len = 0;
        (self.draw, self.row) = (Draw::new(keys), quick.first_row);
        (self.tokens, self.skips, self.placeholders) = (0, 0, false);
    }

    /// How many tokens were put.
    #[inline]
    #[must_use]
    pub fn token_count(&self) -> usize {
        self.tokens
    }

    /// Puts a token.
    #[inline(always)]
    pub fn put(&mut self, token: TerminalId) {
        self.place(token);
    }

    /// Puts a token, and says which lexeme was drawn and where it lies.
    #[inline(always)]
    pub(super) fn place(&mut self, token: TerminalId) -> (usize, Range<usize>) {
        let quick = self.quick;
        let (first, len) = quick.pools[token.index()];
        let drawn = ((self.draw.number() >> 32) * u64::from(len)) >> 32;
        let at = first as usize + usize::try_from(drawn).unwrap_or(0);
        let lexeme = &quick.lexemes[at];
        let skip = quick.skips[(self.row + lexeme.column) as usize];
        let skipped = u32::from(skip & !IMPOSSIBLE);
        let (start, len) = (lexeme.start + skipped, lexeme.len - skipped);
        self.page.copy(&quick.bytes, start as usize, len as usize);
        self.row = lexeme.row;
        self.tokens += 1;
        self.skips |= skip;
        self.placeholders |= lexeme.is_placeholder;
        let end = self.page.len;
        (at, end - (lexeme.len - quick.blank) as usize..end)
    }

    /// The text; `None` if it is empty or has tokens that cannot be written so.
    #[must_use]
    pub fn finish(self) -> Option<Penned<'q>> {
        let is_spoilt = self.skips & IMPOSSIBLE != 0 || self.tokens == 0;
        if is_spoilt {
            self.page.len = 0;
            return None;
        }
        let text = str::from_utf8(&self.page.bytes[..self.page.len]).ok()?;
        Some(Penned { text, placeholders: self.placeholders })
    }
}

//! Where texts are put down, token by token.
//!
//! A token that cannot stand where it is put spoils the text; that is noticed at the end, so that putting
//! a token has no way to fail and hardly a branch. Cost: a draw, three look-ups and a copy a token.

use std::ops::Range;

use gramercy_base::{Draw, Id};
use gramercy_grammar::TerminalId;

use super::{Entry, IMPOSSIBLE, LinkId, PLACEHOLDER, Quick, WIDE};
use crate::write::Choice;

/// The last key of the draws, which tells them from others.
const KEY: u64 = 0x71;

/// Memory for one text, used again for the next.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// The text, and room after it.
    bytes: Vec<u8>,
    len: usize,
}

/// What is known of a text on a page, beside the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paged {
    /// Whether names stand in for lexemes that nobody knows.
    pub placeholders: bool,
    /// How many bytes the text has, which may be written with more.
    pub bytes: usize,
}

impl Page {
    /// The text; nothing if it was spoilt.
    #[must_use]
    pub fn text(&self) -> &str {
        str::from_utf8(self.bytes()).unwrap_or_default()
    }

    /// The bytes that were written; none if the text was spoilt.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// How many bytes were written.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Reserves `bytes`, and room for what is copied beyond them.
    fn make_room(&mut self, bytes: usize) {
        if self.bytes.len() < bytes + WIDE {
            self.bytes.resize(bytes + WIDE, 0);
        }
    }

    /// Puts some bytes of many to a place where there is room; after those there are more of them than
    /// are copied at once.
    #[inline(always)]
    fn copy(&mut self, from: &[u8], start: usize, at: usize, len: usize) {
        self.bytes[at..at + WIDE].copy_from_slice(&from[start..start + WIDE]);
        if len > WIDE {
            self.copy_long(at, &from[start..start + len]);
        }
    }

    #[inline(never)]
    fn copy_long(&mut self, at: usize, from: &[u8]) {
        self.bytes[at..at + from.len()].copy_from_slice(from);
    }
}

/// Where a lexeme is drawn from.
#[derive(Clone, Copy, Debug)]
pub(super) struct PoolSampler {
    /// The first lexeme, and how many there are.
    pub(super) first: u32,
    pub(super) count: u32,
    /// How many draws are left out before and after, for others that have no choice.
    pub(super) before: u32,
    pub(super) behind: u32,
}

impl PoolSampler {
    /// That of a token, by its pool.
    #[inline(always)]
    pub(super) fn of_token((first, count): (u32, u32)) -> Self {
        Self { first, count, before: 0, behind: 0 }
    }

    /// Draws a lexeme.
    #[inline(always)]
    fn draw(self, draw: &mut Draw) -> usize {
        draw.skip(self.before.into());
        let drawn = ((draw.number() >> 32) * u64::from(self.count)) >> 32;
        draw.skip(self.behind.into());
        self.first as usize + drawn as usize
    }
}

/// Bytes for which room is made at once, if a lexeme is not longer.
const ROOM: usize = 1 << 12;

impl Quick {
    /// Writes a token string onto a page, and tells of every token which lexeme was drawn and where it
    /// lies; `None` if the text is empty or has tokens that cannot be written so.
    #[inline]
    pub(in crate::write) fn put(
        &self,
        tokens: &[TerminalId],
        choice: &Choice<'_>,
        page: &mut Page,
        each: impl FnMut(usize, Range<usize>),
    ) -> Option<Paged> {
        match self.contexts {
            1 => self.put_all::<true, _>(tokens, |token| self.sampler(token), choice, page, each),
            _ => self.put_all::<false, _>(tokens, |token| self.sampler(token), choice, page, each),
        }
    }

    /// Writes links, where there is but one context.
    pub(super) fn put_links(
        &self,
        links: &[LinkId],
        samplers: &[PoolSampler],
        choice: &Choice<'_>,
        page: &mut Page,
    ) -> Option<Paged> {
        self.put_all::<true, _>(links, |link| samplers[link.index()], choice, page, |_, _| ())
    }

    /// Where there is but one context, what stands before a lexeme hangs on its neighbour alone, and so the
    /// processor need not wait for one token to begin with the next.
    #[inline]
    fn put_all<const ONE_CONTEXT: bool, T: Id>(
        &self,
        tokens: &[T],
        sampler: impl Fn(T) -> PoolSampler,
        choice: &Choice<'_>,
        page: &mut Page,
        mut each: impl FnMut(usize, Range<usize>),
    ) -> Option<Paged> {
        let mut draw = Draw::new([choice.seed, choice.test, 0, KEY]);
        let (mut row, mut len) = (self.first_row, 0);
        // Of the bytes that were left out between lexemes, and of their lengths, all bits.
        let (mut skips, mut marks) = (0, 0);
        let mut added = 0;
        let longest = self.longest as usize;
        for tokens in tokens.chunks((ROOM / longest.max(1)).max(1)) {
            page.make_room(len + tokens.len() * longest);
            for &token in tokens {
                let at = sampler(token).draw(&mut draw);
                let lexeme = &self.lexemes[at];
                let Entry { skip, context } = self.entries[(row + lexeme.column) as usize];
                let skipped = u32::from(skip & !IMPOSSIBLE);
                let start = (lexeme.start + skipped) as usize;
                let size = (lexeme.len() - skipped) as usize;
                page.copy(&self.bytes, start, len, size);
                len += size;
                row = if ONE_CONTEXT { lexeme.row } else { self.row(at, context) };
                skips |= skip;
                marks |= lexeme.marked_len;
                added += lexeme.added as usize;
                each(at, len - (lexeme.len() - self.blank) as usize..len);
            }
        }
        skips |= self.entries[(row + self.end) as usize].skip;
        let is_spoilt = skips & IMPOSSIBLE != 0 || tokens.is_empty();
        page.len = if is_spoilt { 0 } else { len };
        let placeholders = marks & PLACEHOLDER != 0;
        (!is_spoilt).then_some(Paged { placeholders, bytes: len - added })
    }

    #[inline(always)]
    fn sampler(&self, token: TerminalId) -> PoolSampler {
        PoolSampler::of_token(self.pools[token.index()])
    }

    /// The row after a lexeme in a context.
    #[inline(always)]
    fn row(&self, lexeme: usize, context: u8) -> u32 {
        self.rows[lexeme * self.contexts + usize::from(context)]
    }
}

/// Tries whether tokens can stand where they are, by the lexemes that would be drawn for them.
#[derive(Clone, Debug)]
pub struct Trial<'q> {
    quick: &'q Quick,
    keys: [u64; 4],
    draw: Draw,
    /// The row after the last token, and those before every token.
    row: u32,
    rows: Vec<u32>,
}

impl<'q> Trial<'q> {
    pub(in crate::write) fn new(quick: &'q Quick, choice: &Choice<'_>) -> Self {
        let keys = [choice.seed, choice.test, 0, KEY];
        Self { quick, keys, draw: Draw::new(keys), row: quick.first_row, rows: Vec::new() }
    }

    /// Puts a token after the others; `false` if it cannot stand there. Then only
    /// [`rewind`](Self::rewind) makes sense.
    #[inline]
    pub fn put(&mut self, token: TerminalId) -> bool {
        let at = self.quick.sampler(token).draw(&mut self.draw);
        let entry = self.row + self.quick.lexemes[at].column;
        let Entry { skip, context } = self.quick.entries[entry as usize];
        self.rows.push(self.row);
        self.row = self.quick.row(at, context);
        skip & IMPOSSIBLE == 0
    }

    /// Whether the text can end here.
    #[must_use]
    pub fn can_end(&self) -> bool {
        let end = self.quick.entries[(self.row + self.quick.end) as usize];
        end.skip & IMPOSSIBLE == 0
    }

    /// Goes back to the state after `tokens` tokens.
    pub fn rewind(&mut self, tokens: usize) {
        self.row = self.rows.get(tokens).copied().unwrap_or(self.row);
        self.rows.truncate(tokens);
        self.draw = Draw::new(self.keys);
        self.draw.skip(tokens as u64);
    }
}

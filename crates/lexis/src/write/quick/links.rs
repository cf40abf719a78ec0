//! Several tokens that are written at once.
//!
//! A *link* stands for a few tokens next to each other of which at most one has several lexemes. Its own
//! lexemes are the texts of all its tokens with what goes between them, so to write it costs as much as
//! to write one token. Draws are skipped as its tokens would use them: a text is the same whether its
//! tokens are put down alone or in links.
//!
//! Cost: linear in the lexemes that links have, and they are bounded.

use gramercy_base::{Id, Map, to_u32};
use gramercy_grammar::TerminalId;

use super::page::{Page, Paged, PoolSampler};
use super::{Entry, IMPOSSIBLE, Lexeme, PLACEHOLDER, Quick, WIDE};
use crate::write::Choice;

/// Lexemes of all links together.
const MAX_LEXEMES: usize = 1 << 13;

gramercy_base::define_id!(pub struct LinkId, "some tokens that are written at once");

/// Token strings as links.
#[derive(Clone, Debug)]
pub struct Links {
    /// With the lexemes of links after those of tokens.
    quick: Quick,
    /// The lexemes of each link; a token is a link of its own.
    samplers: Vec<PoolSampler>,
    known: Map<Box<[TerminalId]>, LinkId>,
    lexemes: usize,
}

/// Appends a text as somebody else wants to have it, each of its characters by itself.
pub type Render = fn(&[u8], &mut Vec<u8>);

impl Links {
    /// No links yet but every token; `None` where what goes between two tokens hangs on those before, or
    /// where it would be written differently.
    pub(in crate::write) fn new(quick: &Quick, render: Option<Render>) -> Option<Self> {
        if quick.contexts != 1 {
            return None;
        }
        let mut links = Self {
            samplers: quick.pools.iter().map(|&pool| PoolSampler::of_token(pool)).collect(),
            quick: quick.clone(),
            known: Map::default(),
            lexemes: 0,
        };
        if let Some(render) = render {
            links.render(render)?;
        }
        Some(links)
    }

    /// From now on writes lexemes in another way.
    fn render(&mut self, render: Render) -> Option<()> {
        let quick = &mut self.quick;
        let blank = quick.blank as usize;
        let mut bytes = Vec::new();
        for lexeme in &mut quick.lexemes {
            let from = &quick.bytes[lexeme.start as usize..][..lexeme.len() as usize];
            let start = bytes.len();
            render(from, &mut bytes);
            if bytes[start..start + blank] != from[..blank] {
                return None;
            }
            lexeme.start = to_u32(start);
            lexeme.added = to_u32(bytes.len() - start - from.len());
            lexeme.marked_len += lexeme.added;
            quick.longest = quick.longest.max(lexeme.len());
        }
        bytes.resize(bytes.len() + WIDE, 0);
        quick.bytes = bytes;
        Some(())
    }

    /// The link of a token.
    #[inline]
    #[must_use]
    pub fn of_token(token: TerminalId) -> LinkId {
        LinkId::from_index(token.index())
    }

    /// Some tokens as few links.
    pub fn chain(&mut self, mut tokens: &[TerminalId]) -> Vec<LinkId> {
        let mut chain = Vec::new();
        while !tokens.is_empty() {
            let (link, rest) = tokens.split_at(self.longest_link(tokens));
            chain.push(self.link(link));
            tokens = rest;
        }
        chain
    }

    /// How many tokens from the first on make a link.
    fn longest_link(&self, tokens: &[TerminalId]) -> usize {
        let (mut several, mut bytes, mut count) = (1, 0, 0);
        for token in tokens {
            let pool = self.pool(*token);
            bytes += pool.iter().map(|lexeme| lexeme.len() as usize).max().unwrap_or(0);
            if pool.len() > 1 {
                several *= pool.len();
                if several > pool.len() {
                    break;
                }
            }
            if bytes > WIDE || self.lexemes + several > MAX_LEXEMES {
                break;
            }
            count += 1;
        }
        count.max(1)
    }

    fn pool(&self, token: TerminalId) -> &[Lexeme] {
        let (first, count) = self.quick.pools[token.index()];
        &self.quick.lexemes[first as usize..][..count as usize]
    }

    fn link(&mut self, tokens: &[TerminalId]) -> LinkId {
        if let [token] = tokens {
            return Self::of_token(*token);
        }
        if let Some(&known) = self.known.get(tokens) {
            return known;
        }
        let varied = tokens.iter().position(|&token| self.pool(token).len() > 1).unwrap_or(0);
        let count = self.pool(tokens[varied]).len();
        let first = self.quick.lexemes.len();
        for at in 0..count {
            let lexeme = |(place, &token): (usize, &TerminalId)| {
                self.pool(token)[if place == varied { at } else { 0 }]
            };
            let parts: Vec<Lexeme> = tokens.iter().enumerate().map(lexeme).collect();
            let joined = self.join(&parts);
            self.quick.longest = self.quick.longest.max(joined.len());
            self.quick.lexemes.push(joined);
        }
        self.lexemes += count;
        let link = LinkId::from_index(self.samplers.len());
        let (before, behind) = (to_u32(varied), to_u32(tokens.len() - 1 - varied));
        self.samplers.push(PoolSampler {
            first: to_u32(first),
            count: to_u32(count),
            before,
            behind,
        });
        self.known.insert(tokens.into(), link);
        link
    }

    /// Some lexemes as one.
    fn join(&mut self, parts: &[Lexeme]) -> Lexeme {
        let quick = &mut self.quick;
        // There are some bytes more in the end, for what is copied at once.
        quick.bytes.truncate(quick.bytes.len() - WIDE);
        let (start, mut joined) = (to_u32(quick.bytes.len()), parts[0]);
        let (mut before, mut added) = (None, 0);
        for part in parts {
            let skip = match before {
                None => 0,
                Some(row) => {
                    let Entry { skip, .. } = quick.entries[(row + part.column) as usize];
                    if skip & IMPOSSIBLE != 0 {
                        joined.column = quick.nowhere();
                    }
                    u32::from(skip & !IMPOSSIBLE)
                }
            };
            let from = (part.start + skip) as usize..(part.start + part.len()) as usize;
            quick.bytes.extend_from_within(from);
            joined.marked_len |= part.marked_len & PLACEHOLDER;
            added += part.added;
            joined.row = part.row;
            before = Some(part.row);
        }
        let mark = joined.marked_len & PLACEHOLDER;
        joined.marked_len = (to_u32(quick.bytes.len()) - start) | mark;
        (joined.start, joined.added) = (start, added);
        quick.bytes.resize(quick.bytes.len() + WIDE, 0);
        joined
    }

    /// Writes a token string onto a page; `None` as [`Writer::write_page`](crate::Writer::write_page).
    #[must_use]
    pub fn write_page(
        &self,
        links: &[LinkId],
        choice: &Choice<'_>,
        page: &mut Page,
    ) -> Option<Paged> {
        let is_usual = choice.fixed.is_empty() && !self.quick.is_proven(choice.test);
        if is_usual { self.quick.put_links(links, &self.samplers, choice, page) } else { None }
    }
}

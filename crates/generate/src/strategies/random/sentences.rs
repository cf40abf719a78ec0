//! Sentences that grow as trees do, but without the trees: all that stands before, between and behind the
//! open parts of a production is a phrase that is put down at once. The same is drawn in the same order,
//! so whoever wants the tree too gets the tree of the same sentence.

use gramercy_base::{Draw, Table};
use gramercy_coverage::Views;
use gramercy_grammar::{NonterminalId, ProductionId, Symbol};

use crate::draft::Receiver;
use crate::strategies::random::endings::Endings;
use crate::strategies::random::growth::{Growth, PATIENCE, Scratch, cut, up_to};
use crate::strategies::random::parts::Parts;
use crate::strategies::random::phrases::{Phrase, Phrases, Sound};
use crate::strategies::random::shapes::{Shapes, SharesOf};

/// Productions as phrases.
#[derive(Debug)]
pub(super) struct Sentences {
    heads: Table<NonterminalId, Head>,
    rules: Table<ProductionId, Rule>,
    opens: Vec<OpenPart>,
}

/// What is asked of every nonterminal that grows.
#[derive(Clone, Copy, Debug)]
struct Head {
    least: u32,
    is_endless: bool,
    shapes: SharesOf,
}

/// A production: where its open parts lie, and what is behind the last.
#[derive(Clone, Copy, Debug)]
struct Rule {
    least: u32,
    first: u32,
    opens: u32,
    tail: Phrase,
}

/// A part that can have more tokens than the least, and what is before it.
#[derive(Clone, Copy, Debug)]
struct OpenPart {
    before: Phrase,
    nonterminal: NonterminalId,
    least: u32,
    room: u32,
}

/// A part of a production that was begun.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    before: Phrase,
    part: Option<(NonterminalId, Share)>,
}

/// What a part gets.
#[derive(Clone, Copy, Debug)]
struct Share {
    /// So many tokens; 0 for a shortest yield.
    tokens: u32,
    /// How many times it was handed down whole.
    whole: u32,
}

impl Sentences {
    pub(super) fn new(
        views: &Views<'_>,
        (parts, shapes): (&Parts, &Shapes),
        endings: &Endings,
        phrases: &mut Phrases,
    ) -> Self {
        let cfg = views.bnf.cfg();
        let head = |id| Head {
            least: parts.least(id),
            is_endless: parts.is_endless(id),
            shapes: shapes.of(id),
        };
        let heads = cfg.nonterminals().map(head).collect();
        let rules = Table::with_capacity(cfg.production_count());
        let mut sentences = Self { heads, rules, opens: Vec::new() };
        for production in cfg.productions() {
            sentences.add(parts, production, |sounds| phrases.keep(sounds, endings));
        }
        sentences
    }

    fn add(
        &mut self,
        parts: &Parts,
        production: ProductionId,
        mut phrase: impl FnMut(&[Sound]) -> Phrase,
    ) {
        let (split, mut sounds) = (parts.split(production), Vec::new());
        let fit = |n: usize| u32::try_from(n).expect("invariant: symbols fit");
        let first = fit(self.opens.len());
        for part in split.parts {
            match part.symbol {
                Symbol::Nonterminal(nonterminal) if part.room > 0 => {
                    let (least, room) = (part.least, part.room);
                    let before = phrase(&sounds);
                    self.opens.push(OpenPart { before, nonterminal, least, room });
                    sounds.clear();
                }
                Symbol::Nonterminal(id) => sounds.push(Sound::Close(id)),
                Symbol::Terminal(token) => sounds.push(Sound::Token(token)),
            }
        }
        let opens = fit(self.opens.len()) - first;
        self.rules.push(Rule { least: split.least, first, opens, tail: phrase(&sounds) });
    }
}

impl Growth {
    /// Grows a part of a sentence from a share, or as short as possible.
    pub(super) fn grow_sentence(
        &self,
        nonterminal: NonterminalId,
        tokens: Option<u32>,
        draw: &mut Draw,
        scratch: &mut Scratch,
        into: &mut impl Receiver,
    ) {
        let share = Share { tokens: tokens.unwrap_or(0), whole: 0 };
        scratch.owed = 0;
        self.grow_part(nonterminal, share, draw, scratch, into);
        while let Some(Waiting { before, part }) = scratch.waiting.pop() {
            if !before.is_empty() {
                self.put_phrase(before, draw, scratch, into);
            }
            if let Some((nonterminal, share)) = part {
                self.grow_part(nonterminal, share, draw, scratch, into);
            }
        }
    }

    /// Puts a part down up to where its first open part is closed off; the rest waits.
    #[inline]
    fn grow_part(
        &self,
        mut nonterminal: NonterminalId,
        mut share: Share,
        draw: &mut Draw,
        scratch: &mut Scratch,
        into: &mut impl Receiver,
    ) {
        while share.tokens > 0 {
            let head = &self.sentences.heads[nonterminal];
            if head.is_endless {
                share.tokens = share.tokens.saturating_add(std::mem::take(&mut scratch.owed));
            }
            // What is still owed may be taken by a part, which a shape does not know.
            let more = share.tokens.saturating_sub(head.least);
            if scratch.owed == 0
                && let Some(shape) = self.shapes.choose(head.shapes, more, draw)
            {
                let (phrase, owed) = self.shapes.heard(shape);
                self.put_phrase(phrase, draw, scratch, into);
                scratch.owed = owed;
                return;
            }
            let production = self.urns.choose(nonterminal, share.tokens, draw);
            let production = production.expect("invariant: it can have so many tokens");
            let rule = &self.sentences.rules[production];
            let opens = &self.sentences.opens[rule.first as usize..][..rule.opens as usize];
            let more = share.tokens.saturating_sub(rule.least);
            let [first, ..] = opens else {
                scratch.owed = scratch.owed.saturating_add(more);
                return self.put_phrase(rule.tail, draw, scratch, into);
            };
            if !first.before.is_empty() {
                self.put_phrase(first.before, draw, scratch, into);
            }
            if !rule.tail.is_empty() {
                scratch.waiting.push(Waiting { before: rule.tail, part: None });
            }
            share = scratch.share_out(opens, (more, share), draw);
            nonterminal = first.nonterminal;
        }
        self.close(nonterminal, draw, &mut scratch.low, into);
    }

    #[inline(never)]
    fn put_phrase(
        &self,
        phrase: Phrase,
        draw: &mut Draw,
        scratch: &mut Scratch,
        into: &mut impl Receiver,
    ) {
        self.phrases.put(phrase, (&self.endings, draw), into, |id, draw, into| {
            self.close_by_nodes(id, draw, &mut scratch.low, into);
        });
    }
}

/// The share of a part that gets some tokens beyond the least.
#[inline]
fn hand_down(part: &OpenPart, more: u32, from: Share, owed: &mut u32) -> Share {
    let tokens = part.least.saturating_add(more);
    let whole = if tokens >= from.tokens { from.whole + 1 } else { 0 };
    if more == 0 || whole > PATIENCE {
        *owed = owed.saturating_add(more);
        return Share { tokens: 0, whole: 0 };
    }
    Share { tokens, whole }
}

impl Scratch {
    /// Shares tokens beyond the least out among some open parts: all but the first wait with theirs, and
    /// what nobody can take is owed. The share of the first.
    #[inline]
    fn share_out(
        &mut self,
        opens: &[OpenPart],
        (more, from): (u32, Share),
        draw: &mut Draw,
    ) -> Share {
        let (part, left) = match opens {
            [only] => {
                let part = more.min(only.room);
                (part, more - part)
            }
            [one, other] => {
                let (part, rest) = halves((one, other), more, draw);
                self.wait(other, rest, from);
                (part, more - part - rest)
            }
            _ => self.share_among_many(opens, (more, from), draw),
        };
        self.owed = self.owed.saturating_add(left);
        hand_down(&opens[0], part, from, &mut self.owed)
    }

    #[inline]
    fn wait(&mut self, part: &OpenPart, more: u32, from: Share) {
        let share = hand_down(part, more, from, &mut self.owed);
        self.waiting.push(Waiting { before: part.before, part: Some((part.nonterminal, share)) });
    }

    /// What the first gets, and what is left over.
    fn share_among_many(
        &mut self,
        opens: &[OpenPart],
        (more, from): (u32, Share),
        draw: &mut Draw,
    ) -> (u32, u32) {
        let mut shares = std::mem::take(&mut self.shares);
        shares.clear();
        shares.resize(opens.len(), 0);
        self.open.clear();
        self.open.extend((0..).take(opens.len()));
        let room = |at: u32| opens[at as usize].room;
        let left = cut(more, room, draw, (&mut shares, &mut self.open));
        for (part, &more) in opens.iter().zip(&shares).skip(1).rev() {
            self.wait(part, more, from);
        }
        let part = shares[0];
        self.shares = shares;
        (part, left)
    }
}

/// What two parts get of some tokens: one of them takes a random part, and the other the rest.
#[inline]
fn halves((one, other): (&OpenPart, &OpenPart), more: u32, draw: &mut Draw) -> (u32, u32) {
    if more == 0 {
        return (0, 0);
    }
    let drawn = draw.number();
    let wanted = up_to(more, drawn);
    if drawn & 1 == 0 {
        let part = wanted.min(one.room);
        (part, (more - part).min(other.room))
    } else {
        let rest = wanted.min(other.room);
        ((more - rest).min(one.room), rest)
    }
}

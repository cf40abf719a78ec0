//! Sentences that grow as trees do, but without the trees: all that stands before, between and after the
//! open parts of a production is a phrase that is put down at once. Productions for which nothing is drawn are
//! part of the one before. The same is drawn in the same order, so a caller that also needs the tree gets the tree of
//! the same sentence.

use gramercy_base::{Draw, Id, Map, Table, to_u32};
use gramercy_grammar::{NonterminalId, ProductionId, Symbol};
use gramercy_language::Language;

use crate::fast::phrases::{Phrase, Phrases, Sound};
use crate::grow::alias_tables::{ANY, AliasTables};
use crate::grow::aliases::{self, AliasSlot};
use crate::grow::endings::{Choices, Endings};
use crate::grow::growth::{Growth, PATIENCE, Scratch, cut, up_to};
use crate::grow::parts::{Parts, ProductionPart};
use crate::grow::receivers::Receiver;
use crate::grow::shapes::{Shapes, SharesOf};

/// How many productions are put in a row.
const MAX_ROW: usize = 8;

/// Productions as phrases.
#[derive(Debug)]
pub(crate) struct Sentences {
    heads: Table<NonterminalId, Head>,
    rules: Table<SoundRuleId, SoundRule>,
    opens: Vec<OpenPart>,
    /// What large shares are chosen by.
    slots: Vec<AliasSlot<SoundRuleId>>,
}

gramercy_base::define_id!(struct SoundRuleId, "a production as phrases, or several in a row");

/// What is asked of every nonterminal that grows.
#[derive(Clone, Copy, Debug)]
struct Head {
    least: u32,
    is_endless: bool,
    shapes: SharesOf,
    /// From this number of tokens on, all fit.
    gapless: u32,
    /// From this number of tokens on: where the slots are, and how many.
    large: u32,
    first: u32,
    count: u32,
}

/// A production: where its open parts lie, and what is after the last.
#[derive(Clone, Copy, Debug)]
struct SoundRule {
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
pub(crate) struct Waiting {
    before: Phrase,
    part: Option<(NonterminalId, Share)>,
}

/// What a part gets.
#[derive(Clone, Copy, Debug)]
struct Share {
    /// The number of tokens; 0 for a shortest yield.
    tokens: u32,
    /// How many times it was handed down whole.
    whole: u32,
}

/// A production, or several in a row, before it is kept.
#[derive(Clone, Debug, Default)]
struct Outline {
    least: u32,
    opens: Vec<(Vec<Sound>, OpenSymbol)>,
    tail: Vec<Sound>,
}

/// A part that can have more tokens than the least.
#[derive(Clone, Copy, Debug)]
struct OpenSymbol {
    nonterminal: NonterminalId,
    least: u32,
    room: u32,
}

/// What sentences are made from.
struct SentenceBuilder<'m> {
    parts: &'m Parts,
    alias_tables: &'m AliasTables,
    shapes: &'m Shapes,
    endings: &'m Endings,
}

impl SentenceBuilder<'_> {
    /// A production. A part with only one production and one open part is what that consists of: nothing is
    /// drawn for it.
    fn outline(&self, production: ProductionId) -> Outline {
        let split = self.parts.split(production);
        let mut outline = Outline { least: split.least, ..Outline::default() };
        self.add(split.parts, &mut outline);
        outline
    }

    fn add(&self, parts: &[ProductionPart], outline: &mut Outline) {
        for part in parts {
            let nonterminal = match part.symbol {
                Symbol::Terminal(token) => {
                    outline.tail.push(Sound::Token(token));
                    continue;
                }
                Symbol::Nonterminal(id) => id,
            };
            if part.room == 0 {
                outline.tail.push(Sound::Close(nonterminal));
            } else if let Some(only) = self.parts.passes_on(nonterminal) {
                self.add(self.parts.split(only).parts, outline);
            } else {
                let open = OpenSymbol { nonterminal, least: part.least, room: part.room };
                outline.opens.push((std::mem::take(&mut outline.tail), open));
            }
        }
    }

    /// From how many tokens on what is chosen for a nonterminal does not hang on their number.
    fn large(&self, nonterminal: NonterminalId) -> Option<u32> {
        let shapes = self.parts.least(nonterminal) + self.shapes.of(nonterminal).rows() + 1;
        let gapless = self.parts.without_gap(nonterminal);
        Some(self.alias_tables.last_level(nonterminal)?.max(shapes).max(gapless))
    }

    /// What a nonterminal with many tokens is chosen from, and how many these are. Where a production hands all of
    /// them down to a nonterminal that has but one choice then, that is part of it: nothing is drawn for it.
    fn choices(&self, nonterminal: NonterminalId) -> Option<(u32, Map<ProductionId, Outline>)> {
        let mut large = self.large(nonterminal).filter(|_| self.parts.is_endless(nonterminal))?;
        let mut choices = Map::default();
        for (production, _) in self.alias_tables.chances(nonterminal, large)? {
            let mut outline = self.outline(production);
            for _ in 0..MAX_ROW {
                let Some((longer, from)) = self.go_on(&outline) else { break };
                (outline, large) = (longer, large.max(from));
            }
            choices.insert(production, outline);
        }
        Some((large, choices))
    }

    /// Whether there is something to choose.
    fn is_drawn(&self, sound: &Sound) -> bool {
        match sound {
            Sound::Token(_) => false,
            Sound::Close(id) => !matches!(self.endings.of(*id), Choices::One(_)),
        }
    }

    /// What hands all tokens down, with the only choice that is left then, and from how many tokens on.
    fn go_on(&self, outline: &Outline) -> Option<(Outline, u32)> {
        let [(before, open)] = &outline.opens[..] else { return None };
        // What is drawn for them would be drawn before the rest.
        if before.iter().any(|sound| self.is_drawn(sound)) {
            return None;
        }
        let id = open.nonterminal;
        let from = self.large(id).filter(|_| self.parts.is_endless(id))?;
        let [(only, _)] = self.alias_tables.chances(id, from)?[..] else { return None };
        let below = self.outline(only);
        // What is handed down whole has to be counted.
        if below.opens.iter().any(|(_, part)| part.least >= below.least) {
            return None;
        }
        let mut opens = below.opens;
        let mut tail = below.tail;
        let first = opens.first_mut().map_or(&mut tail, |(sounds, _)| sounds);
        first.splice(0..0, before.iter().copied());
        tail.extend_from_slice(&outline.tail);
        let more = outline.least - open.least;
        Some((Outline { least: below.least + more, opens, tail }, from + more))
    }
}

impl Sentences {
    pub(crate) fn new(
        language: &Language,
        (parts, alias_tables, shapes): (&Parts, &AliasTables, &Shapes),
        endings: &Endings,
        phrases: &mut Phrases,
    ) -> Self {
        let cfg = language.bnf().cfg();
        let making = SentenceBuilder { parts, alias_tables, shapes, endings };
        let mut sentences = Self {
            heads: Table::with_capacity(cfg.nonterminal_count()),
            rules: Table::with_capacity(cfg.production_count()),
            opens: Vec::new(),
            slots: Vec::new(),
        };
        let mut phrase = |sounds: &[Sound]| phrases.keep(sounds, endings);
        for production in cfg.productions() {
            sentences.add(&making.outline(production), &mut phrase);
        }
        for id in cfg.nonterminals() {
            let first = sentences.slots.len();
            let mut large = ANY;
            if let Some((from, choices)) = making.choices(id) {
                large = from;
                let mut rules = Map::default();
                for slot in alias_tables.last_slots(id) {
                    let slot = slot.map(|production| {
                        let add = || sentences.add(&choices[&production], &mut phrase);
                        *rules.entry(production).or_insert_with(add)
                    });
                    sentences.slots.push(slot);
                }
            }
            sentences.heads.push(Head {
                least: parts.least(id),
                is_endless: parts.is_endless(id),
                shapes: shapes.of(id),
                gapless: parts.without_gap(id),
                large,
                first: to_u32(first),
                count: to_u32(sentences.slots.len() - first),
            });
        }
        sentences
    }

    fn add(
        &mut self,
        outline: &Outline,
        phrase: &mut impl FnMut(&[Sound]) -> Phrase,
    ) -> SoundRuleId {
        let first = to_u32(self.opens.len());
        for (sounds, OpenSymbol { nonterminal, least, room }) in &outline.opens {
            let (nonterminal, least, room) = (*nonterminal, *least, *room);
            self.opens.push(OpenPart { before: phrase(sounds), nonterminal, least, room });
        }
        let opens = to_u32(self.opens.len()) - first;
        let tail = phrase(&outline.tail);
        self.rules.push(SoundRule { least: outline.least, first, opens, tail })
    }

    /// The rule of a production.
    #[inline]
    fn of(production: ProductionId) -> SoundRuleId {
        SoundRuleId::from_index(production.index())
    }
}

impl Growth {
    /// Grows a part of a sentence from a share, or as short as possible.
    pub(crate) fn grow_sentence(
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
                let (phrase, owed) = self.shapes.phrase(shape);
                self.put_phrase(phrase, draw, scratch, into);
                scratch.owed = owed;
                return;
            }
            if share.tokens < head.gapless {
                share.tokens = self.fit(nonterminal, share.tokens, scratch);
                if share.tokens <= head.least {
                    break;
                }
            }
            let rule = if share.tokens >= head.large && share.whole < PATIENCE {
                let slots = &self.sentences.slots[head.first as usize..][..head.count as usize];
                aliases::choose(slots, draw)
            } else {
                let production = self.alias_tables.choose(nonterminal, share.tokens, draw);
                Sentences::of(production.expect("invariant: it can have so many tokens"))
            };
            let rule = &self.sentences.rules[rule];
            let opens = &self.sentences.opens[rule.first as usize..][..rule.opens as usize];
            let more = share.tokens.saturating_sub(rule.least);
            let [first, ..] = opens else {
                scratch.owed = scratch.owed.saturating_add(more);
                return self.put_phrase(rule.tail, draw, scratch, into);
            };
            if !rule.tail.is_empty() {
                scratch.waiting.push(Waiting { before: rule.tail, part: None });
            }
            share = scratch.share_out(opens, (more, share), draw);
            if !first.before.is_empty() {
                self.put_phrase(first.before, draw, scratch, into);
            }
            nonterminal = first.nonterminal;
        }
        self.close(nonterminal, draw, &mut scratch.low, into);
    }

    #[inline(always)]
    fn put_phrase(
        &self,
        phrase: Phrase,
        draw: &mut Draw,
        scratch: &mut Scratch,
        into: &mut impl Receiver,
    ) {
        match phrase.as_run() {
            Some(run) => into.run(run, self.phrases.runs()),
            None => self.put_stretches(phrase, draw, scratch, into),
        }
    }

    #[inline(never)]
    fn put_stretches(
        &self,
        phrase: Phrase,
        draw: &mut Draw,
        scratch: &mut Scratch,
        into: &mut impl Receiver,
    ) {
        self.phrases.put(phrase, draw, into, |id, draw, into| {
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

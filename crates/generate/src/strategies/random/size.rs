//! Towards a number of tokens.
//!
//! Every open place has its own share of the wish. At a nonterminal with a share, one of the
//! productions is drawn that can have so many tokens; what the share leaves beyond the least is cut at
//! random places among those of its symbols that can take it. So trees grow everywhere and not only
//! at their left edge, and the wish is met but where lengths have gaps (a list of pairs has no odd
//! length). What a place cannot take is owed, and the next one that can be of any length gets it too; a
//! test misses by what is still owed at its end. The nearest of some attempts is taken if it missed by
//! more than a tenth. Where a share is the least there is, only
//! shortest productions are drawn, and only so deep as that takes and a little more: else a rule that
//! may be empty could go on for ever without a token; so does a share that is handed down whole many
//! times, which no length may fit.
//!
//! What is asked of productions and symbols again and again is in flat tables ([`Parts`]), and so are the
//! shortest trees of nonterminals that have few ([`Endings`]). Cost: for every node beside those a draw or
//! two and a look-up.

use gramercy_analysis::{Longest, LongestYield, ShortestYield, shortest_yield};
use gramercy_base::Draw;
use gramercy_coverage::Views;
use gramercy_grammar::{NonterminalId, Symbol};
use gramercy_lexis::Pen;

use crate::draft::{Draft, Receiver};
use crate::strategies::random::endings::{Ending, Endings};
use crate::strategies::random::lengths::{self, Nearest};
use crate::strategies::random::parts::{Parts, Split};
use crate::strategies::random::urns::Urns;
use crate::strategies::random::{RandomError, RandomOptions};
use crate::strategy::{Indexed, Scribe};
use crate::weighing::weights;

/// How far from the wish a test may be, as one part in so many; two tokens in any case.
pub const TOLERANCE: u64 = 10;
/// How often a share is handed down whole until it is given up.
const PATIENCE: u32 = 30;
/// How often the aim is corrected, and by how many trees each time.
const ROUNDS: usize = 3;
const SAMPLES: u64 = 16;
/// So many tokens in all of them suffice.
const LARGE: u64 = 1 << 16;
/// How often a test is tried that misses by more.
const TRIES: u64 = 20;

/// Random trees of about a number of tokens.
#[derive(Debug)]
pub struct Sized<'v> {
    views: &'v Views<'v>,
    /// Productions by the tokens they can have.
    urns: Urns,
    /// Those with shortest yields, by the least height of their trees.
    low: Urns,
    /// Whole trees of shortest yields.
    endings: Endings,
    parts: Parts,
    tokens: u64,
    /// What is shared out so that trees have the wished tokens in the mean: gaps in lengths only lose
    /// some.
    aim: u64,
    seed: u64,
    count: u64,
}

/// Memory that the nodes of a tree use one after the other.
#[derive(Default)]
struct Scratch {
    stack: Vec<Open>,
    /// Of a production's parts, how many tokens beyond the least they get.
    shares: Vec<u32>,
    open: Vec<u32>,
    /// Tokens that could not be placed so far.
    owed: u32,
}

/// A symbol that is still to be derived.
#[derive(Clone, Copy, Debug)]
struct Open {
    symbol: Symbol,
    share: Share,
}

/// What may be made of a symbol.
#[derive(Clone, Copy, Debug)]
enum Share {
    /// About so many tokens, handed down whole so many times.
    Tokens(u32, u32),
    /// A shortest yield, by a tree of at most this height.
    Least(u32),
}

impl<'v> Sized<'v> {
    /// Trees of about so many tokens.
    ///
    /// # Errors
    /// If all sentences are shorter or longer by more than the tolerance.
    pub fn new(
        views: &'v Views<'v>,
        options: &RandomOptions,
        tokens: u64,
    ) -> Result<Self, RandomError> {
        let (bnf, productive) = (views.bnf, &views.productive);
        let usable = |production| productive.has_production(production);
        let shortest = ShortestYield::among(bnf, shortest_yield::Length::Terminals, &usable);
        let longest = LongestYield::of(bnf, productive);
        let least = shortest.length(bnf.start()).ok_or(RandomError::NoSentence)?;
        if least > most_for(tokens) {
            return Err(RandomError::TooShort { least });
        }
        if let Longest::Tokens(most) = longest.length(bnf.start())
            && most < least_for(tokens)
        {
            return Err(RandomError::TooLong { most });
        }
        let weights = weights(views, options.weighing);
        let parts = Parts::new(views, &shortest, &longest);
        let urns = Urns::new(views, &weights, |production| parts.bounds(production));
        let low = Urns::new(views, &weights, |production| parts.heights(production));
        let endings = Endings::new(views, &parts, &weights);
        let (seed, count, aim) = (options.seed, options.count, tokens);
        let mut sized = Self { views, urns, low, endings, parts, tokens, aim, seed, count };
        (0..ROUNDS).for_each(|_| sized.take_aim());
        sized.check_length()?;
        Ok(sized)
    }

    /// Corrects the aim by how far some trees are from the wish.
    fn take_aim(&mut self) {
        let (mut draft, mut scratch) = (Draft::default(), Scratch::default());
        // One large tree says as much as many small ones.
        let samples = (LARGE / self.tokens.max(1)).clamp(1, SAMPLES);
        for sample in 0..samples {
            let mut draw = Draw::new([self.seed, sample, 0, 1]);
            self.draw_tree(&mut draw, &mut scratch, &mut draft);
        }
        let found = u128::from((draft.tokens.len() as u64).max(1));
        let corrected =
            u128::from(self.aim) * u128::from(self.tokens) * u128::from(samples) / found;
        let corrected = u64::try_from(corrected).unwrap_or(u64::MAX);
        self.aim = corrected.clamp(self.tokens, self.tokens.saturating_mul(2));
    }

    /// Whether sentences of about this length exist, which is seldom in doubt.
    fn check_length(&self) -> Result<(), RandomError> {
        let mut draft = Draft::default();
        self.make(0, 0, &mut draft);
        if self.missed(draft.tokens.len()) <= tolerance(self.tokens) {
            return Ok(());
        }
        match lengths::gap(self.views, least_for(self.tokens), most_for(self.tokens)) {
            Some(Nearest { below, above }) => Err(RandomError::NoSize { below, above }),
            None => Ok(()),
        }
    }

    /// How far so many tokens are from the wish.
    fn missed(&self, tokens: usize) -> u64 {
        self.tokens.abs_diff(tokens as u64)
    }

    /// Makes a test: the first of some trees that is near enough, or else the nearest.
    fn fill(&self, keys: [u64; 3], scratch: &mut Scratch, into: &mut impl Receiver) {
        let (mut least, mut best) = (u64::MAX, 0);
        for try_number in 0..=TRIES {
            // After the last try the best one is made again.
            let chosen = if try_number == TRIES { best } else { try_number };
            into.restart();
            let mut draw = Draw::new([keys[0], keys[1], keys[2], 2 + chosen]);
            self.draw_tree(&mut draw, scratch, into);
            let missed = self.missed(into.token_count());
            if missed <= tolerance(self.tokens) {
                return;
            }
            if missed < least {
                (least, best) = (missed, chosen);
            }
        }
    }

    fn draw_tree(&self, draw: &mut Draw, scratch: &mut Scratch, into: &mut impl Receiver) {
        let start = self.views.bnf.start();
        let aim = u32::try_from(self.aim).unwrap_or(u32::MAX - 1);
        let share = match aim <= self.parts.least(start) {
            true => Share::Least(self.parts.height(start)),
            false => Share::Tokens(aim, 0),
        };
        scratch.owed = 0;
        scratch.stack.push(Open { symbol: Symbol::Nonterminal(start), share });
        while let Some(Open { symbol, share }) = scratch.stack.pop() {
            match (symbol, share) {
                (Symbol::Terminal(terminal), _) => into.token(terminal),
                (Symbol::Nonterminal(nonterminal), Share::Tokens(tokens, whole)) => {
                    self.grow(nonterminal, (tokens, whole), draw, scratch, into);
                }
                (Symbol::Nonterminal(nonterminal), Share::Least(height)) => {
                    self.close(nonterminal, height, draw, &mut scratch.stack, into);
                }
            }
        }
    }

    /// Derives a nonterminal with a share, and goes on with its first part that has one, until there is
    /// none; the rest of the symbols are left on the stack.
    #[inline]
    fn grow<R: Receiver>(
        &self,
        mut nonterminal: NonterminalId,
        (mut tokens, mut whole): (u32, u32),
        draw: &mut Draw,
        scratch: &mut Scratch,
        into: &mut R,
    ) {
        loop {
            if self.parts.is_endless(nonterminal) {
                tokens = tokens.saturating_add(std::mem::take(&mut scratch.owed));
            }
            let production = self.urns.choose(nonterminal, tokens, draw);
            let production = production.expect("invariant: it can have so many tokens");
            let split = self.parts.split(production);
            into.production(production);
            spread(&split, tokens.saturating_sub(split.least), draw, scratch);
            let first = self.put_least(&split, draw, scratch, into);
            let Some(part) = split.parts.get(first) else { return };
            push_rest::<R>(&split, first + 1, (tokens, whole), scratch);
            let more = scratch.shares[first];
            whole = if part.least.saturating_add(more) >= tokens { whole + 1 } else { 0 };
            tokens = part.least.saturating_add(more);
            match part.symbol {
                Symbol::Nonterminal(next) if whole <= PATIENCE => nonterminal = next,
                symbol => {
                    scratch.owed = scratch.owed.saturating_add(more);
                    scratch.stack.push(Open { symbol, share: Share::Least(part.height) });
                    return;
                }
            }
        }
    }

    /// Puts the parts of a production up to the first that has a share; which one that is.
    #[inline]
    fn put_least<R: Receiver>(
        &self,
        split: &Split<'_>,
        draw: &mut Draw,
        scratch: &mut Scratch,
        into: &mut R,
    ) -> usize {
        let Scratch { stack, shares, .. } = scratch;
        for (at, (part, &more)) in split.parts.iter().zip(&*shares).enumerate() {
            match part.symbol {
                _ if more > 0 => return at,
                Symbol::Terminal(terminal) => into.token(terminal),
                Symbol::Nonterminal(_) if part.is_silent && !R::WANTS_TREE => {}
                Symbol::Nonterminal(id) => self.close(id, part.height, draw, stack, into),
            }
        }
        split.parts.len()
    }

    /// Puts a whole tree with a shortest yield.
    #[inline]
    fn close<R: Receiver>(
        &self,
        nonterminal: NonterminalId,
        height: u32,
        draw: &mut Draw,
        stack: &mut Vec<Open>,
        into: &mut R,
    ) {
        match self.endings.choose(nonterminal, draw) {
            Some(ending) => self.put(ending, into),
            None => self.close_by_nodes(nonterminal, height, draw, stack, into),
        }
    }

    #[inline]
    fn put<R: Receiver>(&self, ending: Ending, into: &mut R) {
        if R::WANTS_TREE {
            self.endings.productions(ending).iter().for_each(|&id| into.production(id));
        }
        self.endings.tokens(ending).iter().for_each(|&token| into.token(token));
    }

    /// As [`close`](Self::close), where there are many such trees: node by node.
    fn close_by_nodes<R: Receiver>(
        &self,
        nonterminal: NonterminalId,
        height: u32,
        draw: &mut Draw,
        stack: &mut Vec<Open>,
        into: &mut R,
    ) {
        let base = stack.len();
        let (symbol, share) = (Symbol::Nonterminal(nonterminal), Share::Least(height));
        stack.push(Open { symbol, share });
        while stack.len() > base
            && let Some(Open { symbol, share: Share::Least(height) }) = stack.pop()
        {
            let id = match symbol {
                Symbol::Terminal(terminal) => {
                    into.token(terminal);
                    continue;
                }
                Symbol::Nonterminal(id) => id,
            };
            if let Some(ending) = self.endings.choose(id, draw) {
                self.put(ending, into);
                continue;
            }
            let production = self.low.choose(id, height, draw);
            let production = production.expect("invariant: a tree of this height exists");
            into.production(production);
            let share = Share::Least(height.wrapping_sub(1));
            let heard = self.parts.split(production).parts.iter().rev();
            let heard = heard.filter(|part| R::WANTS_TREE || !part.is_silent);
            stack.extend(heard.map(|part| Open { symbol: part.symbol, share }));
        }
    }
}

/// Puts the parts of a production from one on onto the stack, each with what it got of so many tokens.
#[inline]
fn push_rest<R: Receiver>(
    split: &Split<'_>,
    from: usize,
    (tokens, whole): (u32, u32),
    scratch: &mut Scratch,
) {
    let Scratch { stack, shares, owed, .. } = scratch;
    let parts = split.parts.iter().zip(&shares[..split.parts.len()]).skip(from);
    for (part, &more) in parts.rev() {
        let whole = if part.least.saturating_add(more) >= tokens { whole + 1 } else { 0 };
        let share = match more {
            0 if part.is_silent && !R::WANTS_TREE => continue,
            0 => Share::Least(part.height),
            more if whole > PATIENCE => {
                *owed = owed.saturating_add(more);
                Share::Least(part.height)
            }
            more => Share::Tokens(part.least.saturating_add(more), whole),
        };
        stack.push(Open { symbol: part.symbol, share });
    }
}

/// Finds how many tokens beyond the least each part of a production gets; what is left over is owed.
#[inline]
fn spread(split: &Split<'_>, more: u32, draw: &mut Draw, scratch: &mut Scratch) {
    let Scratch { shares, open, owed, .. } = scratch;
    if shares.len() < split.parts.len() {
        shares.resize(split.parts.len(), 0);
    }
    let shares = &mut shares[..split.parts.len()];
    shares.iter_mut().for_each(|share| *share = 0);
    let room = |at: u32| split.parts[at as usize].room;
    let left = match *split.opens {
        [] => more,
        [..] if more == 0 => 0,
        [only] => {
            let part = more.min(room(only));
            shares[only as usize] = part;
            more - part
        }
        [one, other] => {
            let drawn = draw.number();
            let (first, last) = if drawn & 1 == 0 { (one, other) } else { (other, one) };
            let part = up_to(more, drawn).min(room(first));
            let rest = (more - part).min(room(last));
            shares[first as usize] = part;
            shares[last as usize] = rest;
            more - part - rest
        }
        _ => {
            open.clear();
            open.extend_from_slice(split.opens);
            cut(more, room, draw, (shares, open))
        }
    };
    *owed = owed.saturating_add(left);
}

/// In an order of its own each takes a random part of what is left, and the last takes all; what is left
/// then.
#[inline]
fn cut(
    mut left: u32,
    room: impl Fn(u32) -> u32,
    draw: &mut Draw,
    (shares, open): (&mut [u32], &mut Vec<u32>),
) -> u32 {
    while left > 0 && !open.is_empty() {
        let at = open.swap_remove(if open.len() == 1 { 0 } else { draw.below(open.len()) });
        let wanted = if open.is_empty() { left } else { up_to(left, draw.number()) };
        let part = wanted.min(room(at));
        shares[at as usize] = part;
        left -= part;
    }
    left
}

/// A number up to a greatest one, by the upper bits of what was drawn.
#[inline]
fn up_to(most: u32, drawn: u64) -> u32 {
    let wide = (drawn >> 32) * (u64::from(most) + 1);
    u32::try_from(wide >> 32).expect("invariant: at most the most")
}

fn tolerance(tokens: u64) -> u64 {
    (tokens / TOLERANCE).max(2)
}

fn least_for(tokens: u64) -> u64 {
    tokens.saturating_sub(tolerance(tokens))
}

fn most_for(tokens: u64) -> u64 {
    tokens.saturating_add(tolerance(tokens))
}

impl Indexed for Sized<'_> {
    fn count(&self) -> u64 {
        self.count
    }

    fn make(&self, number: u64, attempt: u32, draft: &mut Draft) -> bool {
        self.fill([self.seed, number, attempt.into()], &mut Scratch::default(), draft);
        true
    }

    fn scribe(&self) -> Option<Box<dyn Scribe + '_>> {
        Some(Box::new(SizedScribe { strategy: self, scratch: Scratch::default() }))
    }
}

struct SizedScribe<'s> {
    strategy: &'s Sized<'s>,
    scratch: Scratch,
}

impl Scribe for SizedScribe<'_> {
    fn write(&mut self, number: u64, pen: &mut Pen<'_>) {
        self.strategy.fill([self.strategy.seed, number, 0], &mut self.scratch, pen);
    }
}

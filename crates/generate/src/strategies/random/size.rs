//! Towards a number of tokens.
//!
//! Every open place has its own share of the wish. At a nonterminal with a share, one of the
//! productions is drawn that can have so many tokens; what the share leaves beyond the least is cut at
//! random places among those of its symbols that can take it. So trees grow everywhere and not only
//! at their left edge, and the wish is met but where lengths have gaps (a list of pairs has no odd
//! length), which a test makes up for elsewhere or misses by a few tokens. The nearest of some
//! attempts is taken if it missed by more than a tenth. Where a share is the least there is, only
//! shortest productions are drawn, and only so deep as that takes and a little more: else a rule that
//! may be empty could go on for ever without a token; so does a share that is handed down whole many
//! times, which no length may fit.
//!
//! What is asked of productions and symbols again and again is in flat tables. Cost: for every node a
//! draw or two and a search among few productions; for a share that few productions can have, a look
//! at all productions of its nonterminal.

use gramercy_analysis::{Heights, Longest, LongestYield, ShortestYield, shortest_yield};
use gramercy_base::{Draw, Id, Table};
use gramercy_coverage::Views;
use gramercy_grammar::{NonterminalId, ProductionId, Symbol};

use crate::draft::Draft;
use crate::strategies::random::lengths::{self, Nearest};
use crate::strategies::random::urns::Urns;
use crate::strategies::random::{RandomError, RandomOptions};
use crate::strategy::Indexed;
use crate::weighing::weights;

/// How far from the wish a test may be, as one part in so many; two tokens in any case.
pub const TOLERANCE: u64 = 10;
/// How much deeper than need be a part of least length may become.
const PLAY: u32 = 2;
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
    urns: Urns,
    /// The productions that can be of any length.
    long: Urns,
    /// Those with shortest yields, by the least height of their trees.
    low: Urns,
    tables: Tables,
    tokens: u64,
    /// What is shared out so that trees have the wished tokens in the mean: gaps in lengths only lose
    /// some.
    aim: u64,
    seed: u64,
    count: u64,
}

/// What is known of symbols and productions.
#[derive(Debug)]
struct Tables {
    /// Of every production the symbols, the last first.
    parts: Vec<Part>,
    starts: Vec<u32>,
    /// The most tokens of a production; the greatest number if there is no bound.
    reach: Table<ProductionId, u64>,
    /// The most tokens of those productions of a nonterminal that have a bound.
    bounded: Table<NonterminalId, u64>,
    /// The least tokens of a nonterminal, and the production that has them.
    shortest: Table<NonterminalId, Option<(u64, ProductionId)>>,
    /// Of trees with shortest yields only.
    height: Table<NonterminalId, u32>,
    production_height: Table<ProductionId, Option<u32>>,
}

/// A symbol of a production.
#[derive(Clone, Copy, Debug)]
struct Part {
    symbol: Symbol,
    /// The least tokens it has, and how many more it can have.
    least: u64,
    room: u64,
}

impl Tables {
    fn new(views: &Views<'_>, shortest: &ShortestYield, longest: &LongestYield) -> Self {
        let bnf = views.bnf;
        let usable = |id: ProductionId| views.productive.has_production(id);
        let is_shortest = |production| {
            let lhs = shortest.length(bnf.lhs(production));
            usable(production) && shortest.of_production(bnf, production) == lhs
        };
        let heights = Heights::among(bnf, &is_shortest);
        let mut tables = Self {
            parts: Vec::new(),
            starts: vec![0],
            reach: Table::filled(0, bnf.production_count()),
            bounded: Table::filled(0, bnf.cfg().nonterminal_count()),
            shortest: Table::filled(None, bnf.cfg().nonterminal_count()),
            height: Table::filled(u32::MAX, bnf.cfg().nonterminal_count()),
            production_height: Table::filled(None, bnf.production_count()),
        };
        for id in bnf.cfg().nonterminals() {
            tables.shortest[id] = shortest.length(id).zip(shortest.production(id));
            tables.height[id] = heights.height(id).unwrap_or(u32::MAX);
        }
        for id in bnf.cfg().productions() {
            tables.add(bnf.rhs(id), (shortest, longest));
            let reach = most(longest.of_symbols(bnf.rhs(id)));
            tables.reach[id] = reach;
            let bounded = &mut tables.bounded[bnf.lhs(id)];
            if usable(id) && reach < u64::MAX {
                *bounded = reach.max(*bounded);
            }
            let height = heights.of_production(bnf, id).filter(|_| is_shortest(id));
            tables.production_height[id] = height;
        }
        tables
    }

    fn add(&mut self, rhs: &[Symbol], (shortest, longest): (&ShortestYield, &LongestYield)) {
        let part = |&symbol: &Symbol| {
            let least = shortest.of_symbols(&[symbol]).unwrap_or(u64::MAX);
            let room = match most(longest.of_symbols(&[symbol])) {
                u64::MAX => u64::MAX,
                most => most.saturating_sub(least),
            };
            Part { symbol, least, room }
        };
        self.parts.extend(rhs.iter().rev().map(part));
        self.starts.push(u32::try_from(self.parts.len()).expect("invariant: symbols fit"));
    }

    #[inline]
    fn parts(&self, production: ProductionId) -> &[Part] {
        let at = production.index();
        &self.parts[self.starts[at] as usize..self.starts[at + 1] as usize]
    }
}

fn most(longest: Longest) -> u64 {
    match longest {
        Longest::Nothing => 0,
        Longest::Tokens(most) => most.min(u64::MAX - 1),
        Longest::Unbounded => u64::MAX,
    }
}

/// Memory that the nodes of a tree use one after the other.
#[derive(Default)]
struct Scratch {
    stack: Vec<(Symbol, Share)>,
    parts: Vec<(Part, u64)>,
    open: Vec<usize>,
}

/// What may be made of a symbol.
#[derive(Clone, Copy, Debug)]
enum Share {
    /// About so many tokens, handed down whole so many times.
    Tokens(u64, u32),
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
        let cost =
            |production| shortest.of_production(bnf, production).filter(|_| usable(production));
        let urns = Urns::new(views, &weights, cost);
        let tables = Tables::new(views, &shortest, &longest);
        let is_long = |production: &ProductionId| tables.reach[*production] == u64::MAX;
        let long = Urns::new(views, &weights, |production| {
            cost(production).filter(|_| is_long(&production))
        });
        let (seed, count) = (options.seed, options.count);
        let low = Urns::new(views, &weights, |id| tables.production_height[id].map(u64::from));
        let mut sized = Self { views, urns, long, low, tables, tokens, aim: tokens, seed, count };
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
        if self.missed(&draft) <= tolerance(self.tokens) {
            return Ok(());
        }
        match lengths::gap(self.views, least_for(self.tokens), most_for(self.tokens)) {
            Some(Nearest { below, above }) => Err(RandomError::NoSize { below, above }),
            None => Ok(()),
        }
    }

    /// How far the tokens of a draft are from the wish.
    fn missed(&self, draft: &Draft) -> u64 {
        self.tokens.abs_diff(draft.tokens.len() as u64)
    }

    fn draw_tree(&self, draw: &mut Draw, scratch: &mut Scratch, draft: &mut Draft) {
        let start = self.views.bnf.start();
        scratch.stack.push((Symbol::Nonterminal(start), self.share(start, self.aim, 0)));
        while let Some((symbol, share)) = scratch.stack.pop() {
            let nonterminal = match symbol {
                Symbol::Terminal(terminal) => {
                    draft.tokens.push(terminal);
                    continue;
                }
                Symbol::Nonterminal(nonterminal) => nonterminal,
            };
            match share {
                Share::Tokens(tokens, whole) => {
                    let production = self.choose(nonterminal, tokens, draw);
                    draft.productions.push(production);
                    self.spread(production, tokens, draw, scratch);
                    for (part, tokens_of_part) in scratch.parts.drain(..) {
                        let whole = if tokens_of_part == tokens { whole + 1 } else { 0 };
                        let share = match part.symbol {
                            Symbol::Terminal(_) => Share::Least(0),
                            Symbol::Nonterminal(id) => self.share(id, tokens_of_part, whole),
                        };
                        scratch.stack.push((part.symbol, share));
                    }
                }
                Share::Least(height) => {
                    let production = self.choose_shortest(nonterminal, height, draw);
                    draft.productions.push(production);
                    let below = Share::Least(height - 1);
                    let parts = self.tables.parts(production).iter();
                    scratch.stack.extend(parts.map(|part| (part.symbol, below)));
                }
            }
        }
    }

    #[inline]
    fn least(&self, nonterminal: NonterminalId) -> (u64, ProductionId) {
        self.tables.shortest[nonterminal].expect("invariant: the nonterminal is productive")
    }

    #[inline]
    fn share(&self, nonterminal: NonterminalId, tokens: u64, whole: u32) -> Share {
        if tokens <= self.least(nonterminal).0 || whole > PATIENCE {
            return Share::Least(self.tables.height[nonterminal] + PLAY);
        }
        Share::Tokens(tokens, whole)
    }

    /// One of the productions with a shortest yield and at most this height.
    fn choose_shortest(
        &self,
        nonterminal: NonterminalId,
        height: u32,
        draw: &mut Draw,
    ) -> ProductionId {
        let low = self.low.choose(nonterminal, height.into(), draw.number());
        low.expect("invariant: a tree of this height exists")
    }

    /// A production that can have so many tokens; else one that comes nearest from below, else the
    /// shortest.
    fn choose(&self, nonterminal: NonterminalId, share: u64, draw: &mut Draw) -> ProductionId {
        let reach = |id: &ProductionId| self.tables.reach[*id];
        if share > self.tables.bounded[nonterminal]
            && let Some(long) = self.long.choose(nonterminal, share, draw.number())
        {
            return long;
        }
        let reaches = |id: &ProductionId| reach(id) >= share;
        if let Some(one) = self.urns.choose_if(nonterminal, share, draw.number(), reaches) {
            return one;
        }
        let nearest = self.urns.allowed(nonterminal, share).max_by_key(reach);
        nearest.unwrap_or_else(|| self.least(nonterminal).1)
    }

    /// Puts the symbols of a production, the last first, each with its part of the share, into the
    /// scratch memory.
    fn spread(
        &self,
        production: ProductionId,
        share: u64,
        draw: &mut Draw,
        Scratch { parts, open, .. }: &mut Scratch,
    ) {
        let mut left = share;
        open.clear();
        for (at, &part) in self.tables.parts(production).iter().enumerate() {
            left = left.saturating_sub(part.least);
            parts.push((part, part.least));
            if part.room > 0 {
                open.push(at);
            }
        }
        // In an order of its own each takes a random part of what is left, and the last takes all.
        while left > 0 && !open.is_empty() {
            let at = open.swap_remove(if open.len() == 1 { 0 } else { draw.below(open.len()) });
            let wanted = match open.is_empty() {
                true => left,
                false => below_or_equal(draw, left),
            };
            let part = wanted.min(parts[at].0.room);
            parts[at].1 += part;
            left -= part;
        }
    }
}

fn below_or_equal(draw: &mut Draw, most: u64) -> u64 {
    let wide = u128::from(draw.number()) * (u128::from(most) + 1);
    u64::try_from(wide >> 64).expect("invariant: at most the most")
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
        let mut best: Option<(u64, Draft)> = None;
        let mut scratch = Scratch::default();
        for try_number in 0..TRIES {
            let keys = [self.seed, number, attempt.into(), 2 + try_number];
            draft.clear();
            self.draw_tree(&mut Draw::new(keys), &mut scratch, draft);
            let missed = self.missed(draft);
            if missed <= tolerance(self.tokens) {
                return true;
            }
            if best.as_ref().is_none_or(|(least, _)| missed < *least) {
                best = Some((missed, draft.clone()));
            }
        }
        *draft = best.expect("invariant: at least one try was made").1;
        true
    }
}

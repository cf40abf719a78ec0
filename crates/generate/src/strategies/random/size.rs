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
//! times, which no length may fit. Cost: a look at all productions of a nonterminal
//! for every node.

use gramercy_analysis::{Heights, Longest, LongestYield, ShortestYield, shortest_yield};
use gramercy_base::Draw;
use gramercy_coverage::Views;
use gramercy_grammar::{NonterminalId, ProductionId, Symbol};

use crate::draft::Draft;
use crate::strategies::random::lengths::{self, Nearest};
use crate::strategies::random::weights::{Urns, weights};
use crate::strategies::random::{RandomError, RandomOptions};
use crate::strategy::Indexed;

/// How far from the wish a test may be, as one part in so many; two tokens in any case.
pub const TOLERANCE: u64 = 10;
/// How much deeper than need be a part of least length may become.
const PLAY: u32 = 2;
/// How often a share is handed down whole until it is given up.
const PATIENCE: u32 = 30;
/// How often a test is tried that misses by more.
const TRIES: u64 = 20;

/// Random trees of about a number of tokens.
#[derive(Debug)]
pub struct Sized<'v> {
    views: &'v Views<'v>,
    urns: Urns,
    shortest: ShortestYield,
    longest: LongestYield,
    /// Of trees with shortest yields only.
    heights: Heights,
    tokens: u64,
    seed: u64,
    count: u64,
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
        let (seed, count) = (options.seed, options.count);
        let is_shortest = |production| {
            let lhs = shortest.cost(bnf.lhs(production));
            usable(production) && shortest.of_production(bnf, production) == lhs.map(|cost| cost.0)
        };
        let heights = Heights::among(bnf, &is_shortest);
        let sized = Self { views, urns, shortest, longest, heights, tokens, seed, count };
        sized.check_length()?;
        Ok(sized)
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

    fn draw_tree(&self, draw: &mut Draw, draft: &mut Draft) {
        let bnf = self.views.bnf;
        let start = Symbol::Nonterminal(bnf.start());
        let mut stack = vec![(start, self.share(start, self.tokens, 0))];
        while let Some((symbol, share)) = stack.pop() {
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
                    for (symbol, part) in self.spread(production, tokens, draw) {
                        let whole = if part == tokens { whole + 1 } else { 0 };
                        stack.push((symbol, self.share(symbol, part, whole)));
                    }
                }
                Share::Least(height) => {
                    let production = self.choose_shortest(nonterminal, height, draw);
                    draft.productions.push(production);
                    let rhs = bnf.rhs(production).iter().rev();
                    stack.extend(rhs.map(|&symbol| (symbol, Share::Least(height - 1))));
                }
            }
        }
    }

    fn least(&self, symbol: Symbol) -> u64 {
        self.shortest.of_symbols(&[symbol]).expect("invariant: the symbol is productive")
    }

    fn share(&self, symbol: Symbol, tokens: u64, whole: u32) -> Share {
        match symbol {
            Symbol::Nonterminal(id) if tokens <= self.least(symbol) || whole > PATIENCE => {
                let height = self.heights.height(id).expect("invariant: it has a shortest yield");
                Share::Least(height + PLAY)
            }
            _ => Share::Tokens(tokens, whole),
        }
    }

    /// One of the productions with a shortest yield and at most this height.
    fn choose_shortest(
        &self,
        nonterminal: NonterminalId,
        height: u32,
        draw: &mut Draw,
    ) -> ProductionId {
        let least = self.least(Symbol::Nonterminal(nonterminal));
        let of_height = |&id: &ProductionId| {
            self.heights.of_production(self.views.bnf, id).is_some_and(|of| of <= height)
        };
        let low = self.urns.choose_if(nonterminal, least, draw.number(), of_height);
        low.expect("invariant: a tree of this height exists")
    }

    /// A production that can have so many tokens; else one that comes nearest from below, else the
    /// shortest.
    fn choose(&self, nonterminal: NonterminalId, share: u64, draw: &mut Draw) -> ProductionId {
        let reaches = |production: ProductionId| {
            self.longest.of_symbols(self.views.bnf.rhs(production)) >= Longest::Tokens(share)
        };
        for _ in 0..4 {
            match self.urns.choose(nonterminal, share, draw.number()) {
                Some(production) if reaches(production) => return production,
                Some(_) => {}
                None => break,
            }
        }
        let allowed: Vec<ProductionId> = self.urns.allowed(nonterminal, share).collect();
        let fitting: Vec<_> = allowed.iter().copied().filter(|&id| reaches(id)).collect();
        if !fitting.is_empty() {
            return fitting[draw.below(fitting.len())];
        }
        let longest = |id: &ProductionId| self.longest.of_symbols(self.views.bnf.rhs(*id));
        let nearest = allowed.into_iter().max_by_key(longest);
        let shortest = || self.shortest.production(nonterminal);
        nearest.or_else(shortest).expect("invariant: the nonterminal is productive")
    }

    /// The symbols of a production, the last first, each with its part of the share.
    fn spread(&self, production: ProductionId, share: u64, draw: &mut Draw) -> Vec<(Symbol, u64)> {
        let mut left = share;
        let mut parts: Vec<(Symbol, u64)> = Vec::new();
        for &symbol in self.views.bnf.rhs(production).iter().rev() {
            let least = self.least(symbol);
            left = left.saturating_sub(least);
            parts.push((symbol, least));
        }
        let room = |(symbol, least): &(Symbol, u64)| match self.longest.of_symbols(&[*symbol]) {
            Longest::Tokens(most) => most.saturating_sub(*least),
            Longest::Nothing => 0,
            Longest::Unbounded => u64::MAX,
        };
        let mut open: Vec<usize> = (0..parts.len()).filter(|&at| room(&parts[at]) > 0).collect();
        // In an order of its own each takes a random part of what is left, and the last takes all.
        while left > 0 && !open.is_empty() {
            let at = open.swap_remove(draw.below(open.len()));
            let wanted = match open.is_empty() {
                true => left,
                false => below_or_equal(draw, left),
            };
            let part = wanted.min(room(&parts[at]));
            parts[at].1 += part;
            left -= part;
        }
        parts
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
        for try_number in 0..TRIES {
            let keys = [self.seed, number, attempt.into(), 2 + try_number];
            draft.clear();
            self.draw_tree(&mut Draw::new(keys), draft);
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

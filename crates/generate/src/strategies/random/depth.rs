//! Down to a depth: at every nonterminal one of the productions that can still end within the depth
//! that is left (the model of Tribble's bounded generation and of Grammarinator's limit).
//!
//! Depth counts nested rules. A repetition goes on as often as its productions are drawn, so its
//! length is geometric and not bounded by the depth. Trees grow exponentially with the depth where
//! rules refer to several others; beyond a number of tokens only shallowest productions are taken.
//! Cost: a draw and a search among few productions for every node of the tree.

use gramercy_base::Draw;
use gramercy_coverage::Views;
use gramercy_grammar::{NonterminalId, ProductionId, Symbol};

use crate::draft::Draft;
use crate::strategies::random::bounds::{Depths, own_depth};
use crate::strategies::random::urns::Urns;
use crate::strategies::random::{RandomError, RandomOptions};
use crate::strategy::Indexed;
use crate::weighing::weights;

/// Random trees within a depth.
#[derive(Debug)]
pub struct DepthBounded<'v> {
    views: &'v Views<'v>,
    urns: Urns,
    depths: Depths<'v>,
    depth: u64,
    options: RandomOptions,
}

impl<'v> DepthBounded<'v> {
    /// Trees of at most this depth.
    ///
    /// # Errors
    /// If the shallowest tree is deeper.
    pub fn new(
        views: &'v Views<'v>,
        options: &RandomOptions,
        depth: u32,
    ) -> Result<Self, RandomError> {
        let depths = check(views, depth)?;
        let weights = weights(views, options.weighing);
        let urns = Urns::new(views, &weights, |production| depths.of_production(production));
        Ok(Self { views, urns, depths, depth: depth.into(), options: *options })
    }
}

/// The depths of a grammar that has a tree of at most this depth.
pub(super) fn check<'v>(views: &'v Views<'v>, depth: u32) -> Result<Depths<'v>, RandomError> {
    let depths = Depths::new(views);
    let least = depths.of(views.bnf.start()).ok_or(RandomError::NoSentence)?;
    if least > u64::from(depth) {
        return Err(RandomError::TooShallow { least: u32::try_from(least).unwrap_or(u32::MAX) });
    }
    Ok(depths)
}

impl Indexed for DepthBounded<'_> {
    fn count(&self) -> u64 {
        self.options.count
    }

    fn make(&self, number: u64, attempt: u32, draft: &mut Draft) -> bool {
        let mut draw = Draw::new([self.options.seed, number, attempt.into(), 0]);
        let shape = Shape { views: self.views, depths: &self.depths, depth: self.depth };
        shape.fill(self.options.max_tokens, draft, |nonterminal, depth| {
            let production = self.urns.choose(nonterminal, depth, draw.number());
            production.expect("invariant: something fits the depth left")
        });
        true
    }
}

/// Trees within a depth, whatever chooses among the productions that fit.
pub(super) struct Shape<'s> {
    pub(super) views: &'s Views<'s>,
    pub(super) depths: &'s Depths<'s>,
    pub(super) depth: u64,
}

impl Shape<'_> {
    /// Makes a tree; `choose` is told the depth that is left. After so many tokens, that is the least
    /// there is.
    pub(super) fn fill(
        &self,
        max_tokens: u64,
        draft: &mut Draft,
        mut choose: impl FnMut(NonterminalId, u64) -> ProductionId,
    ) {
        let bnf = self.views.bnf;
        let mut stack = vec![(Symbol::Nonterminal(bnf.start()), self.depth)];
        while let Some((symbol, depth)) = stack.pop() {
            match symbol {
                Symbol::Terminal(terminal) => draft.tokens.push(terminal),
                Symbol::Nonterminal(nonterminal) => {
                    let is_full = draft.tokens.len() as u64 >= max_tokens;
                    let depth = if is_full { self.depths.least(nonterminal) } else { depth };
                    let production = choose(nonterminal, depth);
                    draft.productions.push(production);
                    let below = depth - own_depth(self.views, production);
                    let rhs = bnf.rhs(production).iter().rev();
                    stack.extend(rhs.map(|&symbol| (symbol, below)));
                }
            }
        }
    }
}

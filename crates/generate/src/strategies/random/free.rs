//! By weight alone down to a depth, and from there on as shallow as possible: what Tribble calls
//! probabilistic generation. Unlike [`depth`](super::depth), the depth is no limit: choices above it do
//! not look at what they need, so a grammar's probabilities hold there exactly.
//!
//! Beyond a number of tokens everything is closed off. Cost: a draw and a search among few productions
//! for every node of the tree.

use gramercy_base::Draw;
use gramercy_coverage::Views;
use gramercy_grammar::Symbol;

use crate::draft::Draft;
use crate::strategies::random::bounds::{Depths, own_depth};
use crate::strategies::random::urns::{ANY, Urns};
use crate::strategies::random::{RandomError, RandomOptions};
use crate::strategy::Indexed;
use crate::weighing::weights;

/// Random trees that end soon below a depth.
#[derive(Debug)]
pub struct Free<'v> {
    views: &'v Views<'v>,
    urns: Urns,
    depths: Depths<'v>,
    depth: u64,
    options: RandomOptions,
}

impl<'v> Free<'v> {
    /// Trees that are closed off below this depth.
    ///
    /// # Errors
    /// If there is no sentence.
    pub fn new(
        views: &'v Views<'v>,
        options: &RandomOptions,
        depth: u32,
    ) -> Result<Self, RandomError> {
        let depths = Depths::new(views);
        depths.of(views.bnf.start()).ok_or(RandomError::NoSentence)?;
        let weights = weights(views, options.weighing);
        let least = |production| u32::try_from(depths.of_production(production)?).ok();
        let urns = Urns::new(views, &weights, |production| Some((least(production)?, ANY)));
        Ok(Self { views, urns, depths, depth: depth.into(), options: *options })
    }
}

impl Indexed for Free<'_> {
    fn count(&self) -> u64 {
        self.options.count
    }

    fn make(&self, number: u64, attempt: u32, draft: &mut Draft) -> bool {
        let mut draw = Draw::new([self.options.seed, number, attempt.into(), 4]);
        let bnf = self.views.bnf;
        let mut stack = vec![(Symbol::Nonterminal(bnf.start()), self.depth)];
        while let Some((symbol, depth)) = stack.pop() {
            let nonterminal = match symbol {
                Symbol::Nonterminal(nonterminal) => nonterminal,
                Symbol::Terminal(terminal) => {
                    draft.tokens.push(terminal);
                    continue;
                }
            };
            let is_full = draft.tokens.len() as u64 >= self.options.max_tokens;
            let budget = match depth == 0 || is_full {
                true => self.depths.of(nonterminal).and_then(|least| u32::try_from(least).ok()),
                false => Some(ANY),
            };
            let production =
                budget.and_then(|budget| self.urns.choose(nonterminal, budget, &mut draw));
            let production = production.expect("invariant: the nonterminal is productive");
            draft.productions.push(production);
            let below = depth.saturating_sub(own_depth(self.views, production));
            stack.extend(bnf.rhs(production).iter().rev().map(|&symbol| (symbol, below)));
        }
        true
    }
}

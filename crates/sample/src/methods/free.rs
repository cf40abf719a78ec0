//! By weight alone down to a depth, and from there on as shallow as possible: what Tribble calls
//! probabilistic generation. Unlike [`depth`](super::depth), the depth is no limit: choices above it do
//! not look at what they need, so a grammar's probabilities hold there exactly.
//!
//! At a number of tokens or expansions the tree is closed off with the shortest of its shallowest trees. Cost: a draw and a search among few productions
//! for every node of the tree.

use gramercy_base::Draw;
use gramercy_grammar::Symbol;
use gramercy_language::Language;

use crate::grow::alias_tables::{ANY, AliasTables};
use crate::methods::bounds::{Completion, Depths, max_expansions, own_depth};
use crate::methods::{MAX_TOKENS, RandomError, RandomOptions};
use crate::weighing::weights;
use gramercy_derive::candidate::Candidate;
use gramercy_derive::strategy::{Indexed, Propose};

/// Random trees that end soon below a depth.
#[derive(Debug)]
pub struct Free<'v> {
    language: &'v Language,
    alias_tables: AliasTables,
    depths: Depths<'v>,
    completion: Completion,
    depth: u64,
    options: RandomOptions,
}

impl<'v> Free<'v> {
    /// Trees that are closed off below this depth.
    ///
    /// # Errors
    /// If there is no sentence.
    pub fn new(
        language: &'v Language,
        options: &RandomOptions,
        depth: u32,
    ) -> Result<Self, RandomError> {
        let depths = Depths::new(language);
        depths.of(language.bnf().start()).ok_or(RandomError::NoSentence)?;
        let weights = weights(language, options.weighing);
        let least = |production| u32::try_from(depths.of_production(production)?).ok();
        let alias_tables =
            AliasTables::new(language, &weights, |production| Some((least(production)?, ANY)));
        let completion = Completion::new(language, &depths);
        let (depth, options) = (depth.into(), *options);
        Ok(Self { language, alias_tables, depths, completion, depth, options })
    }
}

impl Indexed for Free<'_> {
    fn count(&self) -> u64 {
        self.options.count
    }

    fn proposer(&self) -> Box<dyn Propose + '_> {
        Box::new(|number, attempt, candidate: &mut Candidate| {
            self.candidate(number, attempt, candidate)
        })
    }
}

impl Free<'_> {
    /// Makes the candidate of a number and attempt; `false` if there is none.
    fn candidate(&self, number: u64, attempt: u32, candidate: &mut Candidate) -> bool {
        let mut draw = Draw::new([self.options.seed, number, attempt.into(), 4]);
        let (bnf, max_tokens) = (self.language.bnf(), self.options.max_tokens.min(MAX_TOKENS));
        let mut stack = vec![(Symbol::Nonterminal(bnf.start()), self.depth)];
        while let Some((symbol, depth)) = stack.pop() {
            let nonterminal = match symbol {
                Symbol::Nonterminal(nonterminal) => nonterminal,
                Symbol::Terminal(terminal) => {
                    candidate.tokens.push(terminal);
                    continue;
                }
            };
            let is_full = candidate.tokens.len() as u64 >= max_tokens
                || candidate.productions.len() as u64 >= max_expansions(max_tokens);
            candidate.is_closed_off |= is_full;
            let budget = match depth == 0 {
                true => self.depths.of(nonterminal).and_then(|least| u32::try_from(least).ok()),
                false => Some(ANY),
            };
            let drawn =
                budget.and_then(|budget| self.alias_tables.choose(nonterminal, budget, &mut draw));
            let production = match is_full {
                true => self.completion.production(nonterminal),
                false => drawn.expect("invariant: the nonterminal is productive"),
            };
            candidate.productions.push(production);
            let below = depth.saturating_sub(own_depth(self.language, production));
            stack.extend(bnf.rhs(production).iter().rev().map(|&symbol| (symbol, below)));
        }
        true
    }
}

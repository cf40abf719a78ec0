//! Grammarinator's model: down to a depth, and every production is less likely each time it was used,
//! so that a test does not run in circles (Hodován, Kiss, Gyimóthy, "Grammarinator: a grammar-based
//! open source fuzzer", A-TEST 2018).
//!
//! Weights begin anew with every test, so that tests do not depend on each other, and cool down to a least
//! weight, so that productions that are used very often stay equally probable. Cost: every node of a tree looks
//! at all productions of its nonterminal.
//!
//! Example: `e: e '+' e | 'n';` with factor 0.5. Both productions begin with weight 1. After the first was used
//! twice and the second once, their weights are 0.25 and 0.5, so the next choice is the first with
//! probability 1/3.

use gramercy_base::{Draw, Map, Table};
use gramercy_grammar::{NonterminalId, ProductionId};
use gramercy_language::Language;

use crate::grow::alias_tables::{AliasTables, share};
use crate::grow::fill::Fill;
use crate::grow::receivers::Receiver;
use crate::grow::repair::RepairedPart;
use crate::methods::depth::{DepthBound, Stack};
use crate::methods::{RandomError, RandomOptions};
use crate::weighing::weights;
use gramercy_derive::candidate::Candidate;

/// Random trees within a depth, with weights that cool down.
#[derive(Debug)]
pub struct Cooldown<'v> {
    trees: DepthBound<'v>,
    alias_tables: AliasTables,
    weights: Table<ProductionId, f64>,
    factor: f64,
    options: RandomOptions,
}

/// The weight below which no production cools down: sums of such weights must not vanish.
const MIN_WEIGHT: f64 = 1e-200;

/// The weights of productions that were used in a test.
type Cooled = Map<ProductionId, f64>;

impl<'v> Cooldown<'v> {
    /// Trees of at most this depth.
    ///
    /// # Errors
    /// If the shallowest tree is deeper.
    pub fn new(
        language: &'v Language,
        options: &RandomOptions,
        depth: u32,
        factor: f64,
    ) -> Result<Self, RandomError> {
        let trees = DepthBound::new(language, depth, options.max_tokens)?;
        let weights = weights(language, options.weighing);
        let alias_tables =
            AliasTables::new(language, &weights, |production| trees.bounds(production));
        Ok(Self { trees, alias_tables, weights, factor, options: *options })
    }

    fn choose(
        &self,
        nonterminal: NonterminalId,
        depth: u32,
        cooled: &Cooled,
        draw: &mut Draw,
    ) -> ProductionId {
        let weight = |production: &ProductionId| {
            cooled.get(production).map_or(self.weights[*production], |&weight| weight)
        };
        let allowed = self.alias_tables.within(nonterminal, depth);
        let sum: f64 = allowed.clone().map(|production| weight(&production)).sum();
        let mut left = share(draw.number()) * sum;
        let mut last = None;
        for production in allowed {
            last = Some(production);
            left -= weight(&production);
            if left < 0.0 {
                break;
            }
        }
        last.expect("invariant: something fits the depth left")
    }
}

impl Fill for Cooldown<'_> {
    type Memory = Stack;

    fn language(&self) -> &Language {
        self.trees.language()
    }

    fn count(&self) -> u64 {
        self.options.count
    }

    fn seed(&self) -> u64 {
        self.options.seed
    }

    fn regrow(&self, part: &RepairedPart, draw: &mut Draw, grown: &mut Candidate) {
        // What the rest of the tree cooled down is not known any more.
        let cooled = Cooled::default();
        self.trees.fill_part(part, grown, |nonterminal, depth| {
            self.choose(nonterminal, depth, &cooled, draw)
        });
    }

    fn fill(&self, number: u64, attempt: u32, stack: &mut Stack, into: &mut impl Receiver) {
        let mut draw = Draw::new([self.options.seed, number, attempt.into(), 1]);
        let mut cooled = Cooled::default();
        self.trees.fill(stack, into, |nonterminal, depth| {
            let production = self.choose(nonterminal, depth, &cooled, &mut draw);
            let weight = cooled.entry(production).or_insert(self.weights[production]);
            // A probability of 0 in the grammar stays 0.
            *weight = (*weight * self.factor).max(MIN_WEIGHT.min(*weight));
            production
        });
    }
}

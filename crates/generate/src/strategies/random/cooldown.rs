//! Grammarinator's model: down to a depth, and every production is less likely each time it was used,
//! so that a test does not run in circles (Hodován, Kiss, Gyimóthy, "Grammarinator: a grammar-based
//! open source fuzzer", A-TEST 2018).
//!
//! Weights begin anew with every test, so that tests do not depend on each other. Cost: every node of a
//! tree looks at all productions of its nonterminal.

use gramercy_base::{Draw, Map, Table};
use gramercy_coverage::Views;
use gramercy_grammar::{NonterminalId, ProductionId};

use crate::draft::Draft;
use crate::strategies::random::bounds::Depths;
use crate::strategies::random::depth::{self, Shape};
use crate::strategies::random::urns::Urns;
use crate::strategies::random::{RandomError, RandomOptions};
use crate::strategy::Indexed;
use crate::weighing::weights;

/// Random trees within a depth, with weights that cool down.
#[derive(Debug)]
pub struct Cooldown<'v> {
    views: &'v Views<'v>,
    urns: Urns,
    depths: Depths<'v>,
    weights: Table<ProductionId, f64>,
    factor: f64,
    depth: u64,
    options: RandomOptions,
}

impl<'v> Cooldown<'v> {
    /// Trees of at most this depth.
    ///
    /// # Errors
    /// If the shallowest tree is deeper.
    pub fn new(
        views: &'v Views<'v>,
        options: &RandomOptions,
        depth: u32,
        factor: f64,
    ) -> Result<Self, RandomError> {
        let depths = depth::check(views, depth)?;
        let weights = weights(views, options.weighing);
        let urns = Urns::new(views, &weights, |production| depths.of_production(production));
        Ok(Self { views, urns, depths, weights, factor, depth: depth.into(), options: *options })
    }

    fn choose(
        &self,
        nonterminal: NonterminalId,
        depth: u64,
        cooled: &Map<ProductionId, f64>,
        draw: &mut Draw,
    ) -> ProductionId {
        let weight = |production: &ProductionId| {
            cooled.get(production).map_or(self.weights[*production], |&weight| weight)
        };
        let allowed = self.urns.allowed(nonterminal, depth);
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

/// A number from 0 up to 1.
fn share(drawn: u64) -> f64 {
    (drawn >> 11) as f64 / (1_u64 << 53) as f64
}

impl Indexed for Cooldown<'_> {
    fn count(&self) -> u64 {
        self.options.count
    }

    fn make(&self, number: u64, attempt: u32, draft: &mut Draft) -> bool {
        let mut draw = Draw::new([self.options.seed, number, attempt.into(), 1]);
        let mut cooled = Map::default();
        let shape = Shape { views: self.views, depths: &self.depths, depth: self.depth };
        shape.fill(self.options.max_tokens, draft, |nonterminal, depth| {
            let production = self.choose(nonterminal, depth, &cooled, &mut draw);
            let weight = cooled.entry(production).or_insert(self.weights[production]);
            *weight *= self.factor;
            production
        });
        true
    }
}

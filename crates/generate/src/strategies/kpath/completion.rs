//! Makes the tree of a way with everything beside it closed off at random.

use gramercy_base::Draw;
use gramercy_grammar::ProductionId;
use gramercy_language::Language;

use gramercy_derive::candidate::Candidate;
use gramercy_derive::contexts::Step;
use gramercy_sample::graph_sampler::GraphSampler;

use super::growing::Way;

/// Builds a tree along a way and derives everything beside it at random.
pub(super) struct RandomCompletion<'c, 'v> {
    pub(super) language: &'v Language,
    pub(super) sampler: &'c mut GraphSampler<'v>,
    pub(super) draw: Draw,
}

impl RandomCompletion<'_, '_> {
    /// Makes the tree in an empty candidate.
    pub(super) fn close(&mut self, way: Way<'_>, candidate: &mut Candidate) {
        let bnf = self.language.bnf();
        let mut bases = Vec::with_capacity(way.steps.len());
        let mut base = 0;
        for &Step { production, position } in way.steps {
            bases.push(base);
            candidate.productions.push(production);
            self.positions(production, 0..position, base, candidate);
            base = self.sampler.slot(production, position, base).base;
        }
        if let Some(production) = way.last {
            candidate.productions.push(production);
            self.positions(production, 0..bnf.rhs(production).len(), base, candidate);
        } else if let (Some(step), Some(&base)) = (way.steps.last(), bases.last()) {
            self.positions(step.production, step.position..step.position + 1, base, candidate);
        }
        for (step, &base) in way.steps.iter().zip(&bases).rev() {
            let rest = step.position + 1..bnf.rhs(step.production).len();
            self.positions(step.production, rest, base, candidate);
        }
    }

    /// Closes off some positions of a production that is expanded at a depth.
    fn positions(
        &mut self,
        production: ProductionId,
        positions: std::ops::Range<usize>,
        base: u32,
        candidate: &mut Candidate,
    ) {
        for position in positions {
            let slot = self.sampler.slot(production, position, base);
            self.sampler.close(slot, &mut self.draw, candidate);
        }
    }
}

//! Random trees by the grammar graph: depth in nodes of the graph, alternatives by weight or by what was used
//! least. Algorithm 2 of Havrikov, Kampmann and Zeller, TOSEM, section 4.2.

use gramercy_base::Draw;
use gramercy_derive::candidate::Candidate;
use gramercy_derive::strategy::{Outcome, Reply, Sequential};
use gramercy_language::Language;

use crate::graph_sampler::{GraphOptions, GraphSampler};

/// How many other trees are drawn for one that cannot be written.
const MAX_ATTEMPTS: u32 = 16;

/// Random trees by the grammar graph.
#[derive(Debug)]
pub struct RandomTrees<'v> {
    sampler: GraphSampler<'v>,
    seed: u64,
    tests: u64,
    made: u64,
}

impl<'v> RandomTrees<'v> {
    /// A number of random trees.
    #[must_use]
    pub fn new(language: &'v Language, options: GraphOptions, seed: u64, tests: u64) -> Self {
        let sampler = GraphSampler::new(language, options);
        Self { sampler, seed, tests, made: 0 }
    }

    fn draw(&mut self, attempt: u32, candidate: &mut Candidate) -> bool {
        candidate.clear();
        let mut draw = Draw::new([self.seed, self.made, attempt.into(), 2]);
        self.sampler.sentence(&mut draw, candidate)
    }
}

impl Sequential for RandomTrees<'_> {
    fn propose(&mut self, candidate: &mut Candidate) -> bool {
        if self.made >= self.tests {
            return false;
        }
        self.made += 1;
        self.draw(0, candidate)
    }

    fn conclude(&mut self, outcome: Outcome<'_>, candidate: &mut Candidate) -> Reply {
        match outcome {
            Outcome::Rejected(rejection)
                if rejection.may_retry
                    && rejection.attempts <= MAX_ATTEMPTS
                    && self.draw(rejection.attempts, candidate) =>
            {
                Reply::Another
            }
            _ => Reply::Done,
        }
    }
}

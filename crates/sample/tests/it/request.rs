//! Which random tests are made: a method with its options.

use gramercy_derive::Candidate;
use gramercy_derive::strategy::{Indexed, Outcome, Strategy};
use gramercy_language::Language;
use gramercy_sample::methods::{Method, RandomError, RandomOptions};

use crate::support::derivations;

/// A method with its options.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request {
    pub(crate) method: Method,
    pub(crate) options: RandomOptions,
}

/// Forty tests of a method.
pub(crate) fn of(method: &str) -> Request {
    let method = method.parse().expect("a method");
    Request { method, options: RandomOptions { seed: 7, count: 40, ..RandomOptions::default() } }
}

/// Tests of one size.
pub(crate) fn sized(tokens: u64) -> Request {
    range(tokens, tokens)
}

/// Tests of several sizes.
pub(crate) fn range(least: u64, most: u64) -> Request {
    of("size").with(|options| options.tokens = (least, most))
}

/// Tests of a method that are bounded by tokens.
pub(crate) fn long(method: &str, tokens: u64) -> Request {
    of(method).with(|options| options.tokens = (tokens, tokens))
}

/// Tests of a method that are bounded by a depth.
pub(crate) fn deep(method: &str, depth: u32) -> Request {
    of(method).with(|options| options.depth = depth)
}

/// Requests of every method whose sentences can be made without trees.
pub(crate) fn without_trees() -> [Request; 5] {
    [sized(30), sized(300), range(10, 40), deep("depth", 20), deep("cooldown", 20)]
}

impl Request {
    /// The same with other options.
    pub(crate) fn with(mut self, change: impl FnOnce(&mut RandomOptions)) -> Self {
        change(&mut self.options);
        self
    }

    /// The strategy, whose tests can be made in any order.
    pub(crate) fn indexed(self, language: &Language) -> Result<Box<dyn Indexed + '_>, RandomError> {
        match self.method.strategy(language, &self.options)? {
            Strategy::Indexed(strategy) => Ok(strategy),
            Strategy::Sequential(_) => panic!("{self:?} makes tests one after the other"),
        }
    }

    /// All candidates, each of which is a derivation.
    pub(crate) fn candidates(self, language: &Language) -> Result<Vec<Candidate>, RandomError> {
        let (mut all, mut candidate) = (Vec::new(), Candidate::default());
        match self.method.strategy(language, &self.options)? {
            Strategy::Indexed(strategy) => {
                let mut proposer = strategy.proposer();
                for number in 0..strategy.count() {
                    let is_any = proposer.propose(number, 0, &mut candidate);
                    assert!(is_any, "there is a test of every number");
                    all.push(std::mem::take(&mut candidate));
                }
            }
            Strategy::Sequential(mut strategy) => {
                while strategy.propose(&mut candidate) {
                    strategy.conclude(Outcome::Accepted, &mut candidate);
                    all.push(std::mem::take(&mut candidate));
                }
            }
        }
        assert_eq!(all.len() as u64, self.options.count, "{self:?}");
        all.iter().for_each(|candidate| _ = derivations(language, candidate));
        Ok(all)
    }
}

//! Longer suites: random trees after the tests that cover something, or the tests for k-paths again and
//! again with other choices, until there are enough tests or the time is over.
//!
//! Every further run draws its ties and its random resolutions anew; what it covers does not count for
//! the next one. The engine merges equal tests, so both go on for longer than
//! that, up to a bound.

use std::time::{Duration, Instant};

use gramercy_base::{Draw, IndexSet, LimitReached};
use gramercy_language::Language;

use super::kpath::{KPathOptions, KPathStrategy};
use super::paths;
use gramercy_derive::candidate::{Candidate, Goal};
use gramercy_derive::resolution::Ties;
use gramercy_derive::resolutions::Resolutions;
use gramercy_derive::strategy::{Outcome, Reply, Sequential};

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// After this number of tests.
    Tests(u64),
    /// With the first test that begins after so much time. What is made then depends on the machine.
    Elapsed(Duration),
}

/// Suites for k-paths, again and again, each time with other choices.
#[derive(Debug)]
pub struct Recurrent<'v> {
    language: &'v Language,
    resolutions: &'v Resolutions<'v>,
    /// The suites of one run, in turn.
    suites: Vec<KPathOptions>,
    until: Until,
    started: Instant,
    run: u64,
    /// Which suite of the run is in hand.
    at: usize,
    paths: KPathStrategy<'v>,
    made: u64,
    /// What earlier suites found to be in no sentence.
    impossible: IndexSet<Goal>,
}

impl<'v> Recurrent<'v> {
    /// Runs until there is enough, each for all of these.
    ///
    /// # Errors
    /// If there are more paths than the limit on targets.
    ///
    /// # Panics
    /// If there is nothing to run.
    pub fn new(
        language: &'v Language,
        resolutions: &'v Resolutions<'v>,
        suites: Vec<KPathOptions>,
        until: Until,
    ) -> Result<Self, LimitReached> {
        let first = suites.first().cloned().expect("invariant: some suite is wanted");
        let paths = paths(language, resolutions, first)?;
        let started = Instant::now();
        Ok(Self {
            language,
            resolutions,
            suites,
            until,
            started,
            run: 0,
            at: 0,
            paths,
            made: 0,
            impossible: IndexSet::default(),
        })
    }

    fn is_over(&self) -> bool {
        match self.until {
            Until::Tests(tests) => self.made >= tests,
            Until::Elapsed(time) => self.started.elapsed() >= time,
        }
    }

    /// Begins the next suite; `false` if it cannot be.
    fn begin(&mut self) -> bool {
        self.at += 1;
        if self.at == self.suites.len() {
            (self.at, self.run) = (0, self.run + 1);
        }
        let mut options = self.suites[self.at].clone();
        self.impossible.extend(self.paths.impossible());
        if self.run > 0 {
            let seed = options.seed;
            options.resolution.ties = Ties::Random { seed, variant: self.run };
            options.seed = Draw::new([seed, self.run, 0, 3]).number();
        }
        match paths(self.language, self.resolutions, options) {
            Ok(paths) => self.paths = paths,
            Err(_) => return false,
        }
        true
    }

    /// The next test of this suite, or of the one after it that has any; a whole run without any
    /// would be followed by others like it.
    fn advance(&mut self, candidate: &mut Candidate) -> bool {
        let tries = self.suites.len();
        self.paths.propose(candidate)
            || (0..tries).any(|_| self.begin() && self.paths.propose(candidate))
    }
}

impl Sequential for Recurrent<'_> {
    fn propose(&mut self, candidate: &mut Candidate) -> bool {
        let is_made = !self.is_over() && self.advance(candidate);
        self.made += u64::from(is_made);
        is_made
    }

    fn conclude(&mut self, outcome: Outcome<'_>, candidate: &mut Candidate) -> Reply {
        self.paths.conclude(outcome, candidate)
    }

    fn impossible(&self) -> Vec<Goal> {
        let all = self.impossible.iter().copied().chain(self.paths.impossible());
        all.collect::<IndexSet<Goal>>().into_iter().collect()
    }
}

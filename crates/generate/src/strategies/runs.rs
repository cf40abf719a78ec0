//! Longer suites: random trees behind the tests that cover something, or the tests for k-paths again and
//! again with other choices, until there are enough tests or the time is over.
//!
//! Every further run draws its ties and its random closings anew; what it covers does not count for
//! the next one. Who makes a suite of so many tests merges equal ones, so both go on for longer than
//! that, up to a bound.

use std::time::{Duration, Instant};

use gramercy_base::{Draw, IndexSet, LimitReached, Limits};
use gramercy_coverage::Views;

use super::kpath::{KPathOptions, KPathStrategy};
use super::paths;
use crate::closings::Closings;
use crate::draft::{Draft, Goal};
use crate::drawing::{DrawOptions, Drawer};
use crate::resolution::Ties;
use crate::strategy::Sequential;

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// With so many tests.
    Tests(u64),
    /// With the first test that begins after so much time. What is made then depends on the machine.
    Elapsed(Duration),
}

/// Random trees: Algorithm 2 of paper 001.
#[derive(Debug)]
pub struct RandomTrees<'v> {
    drawer: Drawer<'v>,
    seed: u64,
    tests: u64,
    made: u64,
    attempts: u32,
}

impl<'v> RandomTrees<'v> {
    /// So many random trees, those that cannot be written made again so often.
    #[must_use]
    pub fn new(views: &'v Views<'v>, options: DrawOptions, seed: u64, tests: u64) -> Self {
        let drawer = Drawer::new(views, options);
        Self { drawer, seed, tests, made: 0, attempts: 16 }
    }

    fn draw(&mut self, attempt: u32, draft: &mut Draft) -> bool {
        draft.clear();
        let mut draw = Draw::new([self.seed, self.made, attempt.into(), 2]);
        self.drawer.sentence(&mut draw, draft)
    }
}

impl Sequential for RandomTrees<'_> {
    fn next(&mut self, draft: &mut Draft) -> bool {
        if self.made >= self.tests {
            return false;
        }
        self.made += 1;
        self.draw(0, draft)
    }

    fn again(&mut self, attempt: u32, draft: &mut Draft) -> bool {
        attempt <= self.attempts && self.draw(attempt, draft)
    }
}

/// Suites for k-paths, again and again, each time with other choices.
#[derive(Debug)]
pub struct Recurrent<'v> {
    views: &'v Views<'v>,
    closings: &'v Closings<'v>,
    /// The suites of one run, in turn.
    suites: Vec<KPathOptions>,
    limits: Limits,
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
        views: &'v Views<'v>,
        closings: &'v Closings<'v>,
        suites: Vec<KPathOptions>,
        until: Until,
        limits: &Limits,
    ) -> Result<Self, LimitReached> {
        let first = suites.first().cloned().expect("invariant: some suite is wanted");
        let paths = paths(views, closings, first, limits)?;
        let (limits, started) = (*limits, Instant::now());
        Ok(Self {
            views,
            closings,
            suites,
            limits,
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
        match paths(self.views, self.closings, options, &self.limits) {
            Ok(paths) => self.paths = paths,
            Err(_) => return false,
        }
        true
    }

    /// The next test of this suite, or of the one behind it that has any; a whole run without any
    /// would be followed by others like it.
    fn advance(&mut self, draft: &mut Draft) -> bool {
        let tries = self.suites.len();
        self.paths.next(draft) || (0..tries).any(|_| self.begin() && self.paths.next(draft))
    }
}

impl Sequential for Recurrent<'_> {
    fn next(&mut self, draft: &mut Draft) -> bool {
        let is_made = !self.is_over() && self.advance(draft);
        self.made += u64::from(is_made);
        is_made
    }

    fn again(&mut self, attempt: u32, draft: &mut Draft) -> bool {
        self.paths.again(attempt, draft)
    }

    fn impossible(&self) -> Vec<Goal> {
        let all = self.impossible.iter().copied().chain(self.paths.impossible());
        all.collect::<IndexSet<Goal>>().into_iter().collect()
    }
}

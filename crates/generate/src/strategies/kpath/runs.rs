//! Longer suites of k-paths: until there are enough tests, or until the time is over.
//!
//! When all paths are covered, either random trees follow, or the whole suite is made again with other
//! choices, and again. Every further run draws its ties and its random closings anew; what it
//! covers does not count for the next one.

use std::time::{Duration, Instant};

use gramercy_base::{Draw, LimitReached, Limits};
use gramercy_coverage::Views;

use super::{KPathOptions, KPathStrategy};
use crate::draft::Draft;
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

/// A suite, then random trees until there are so many tests.
#[derive(Debug)]
pub struct FallOver<'v> {
    paths: KPathStrategy<'v>,
    drawer: Drawer<'v>,
    seed: u64,
    tests: u64,
    made: u64,
    is_random: bool,
}

impl<'v> FallOver<'v> {
    /// A suite of at most so many tests, those behind the k-paths at random.
    ///
    /// # Errors
    /// If there are more paths than the limit on targets.
    pub fn new(
        views: &'v Views<'v>,
        options: KPathOptions,
        random: DrawOptions,
        tests: u64,
        limits: &Limits,
    ) -> Result<Self, LimitReached> {
        let seed = options.seed;
        let paths = KPathStrategy::new(views, options, limits)?;
        let drawer = Drawer::new(views, random);
        Ok(Self { paths, drawer, seed, tests, made: 0, is_random: false })
    }

    fn random(&mut self, attempt: u32, draft: &mut Draft) -> bool {
        draft.clear();
        let mut draw = Draw::new([self.seed, self.made, attempt.into(), 2]);
        self.drawer.sentence(&mut draw, draft)
    }
}

impl Sequential for FallOver<'_> {
    fn next(&mut self, draft: &mut Draft) -> bool {
        if self.made >= self.tests {
            return false;
        }
        self.is_random |= !self.paths.next(draft);
        self.made += 1;
        !self.is_random || self.random(0, draft)
    }

    fn again(&mut self, attempt: u32, draft: &mut Draft) -> bool {
        if self.is_random {
            attempt <= self.paths.options.attempts && self.random(attempt, draft)
        } else {
            self.paths.again(attempt, draft)
        }
    }
}

/// The suite again and again, each time with other choices.
#[derive(Debug)]
pub struct Recurrent<'v> {
    views: &'v Views<'v>,
    options: KPathOptions,
    limits: Limits,
    until: Until,
    started: Instant,
    run: u64,
    paths: KPathStrategy<'v>,
    made: u64,
}

impl<'v> Recurrent<'v> {
    /// Runs until there is enough.
    ///
    /// # Errors
    /// If there are more paths than the limit on targets.
    pub fn new(
        views: &'v Views<'v>,
        options: KPathOptions,
        until: Until,
        limits: &Limits,
    ) -> Result<Self, LimitReached> {
        let paths = KPathStrategy::new(views, options.clone(), limits)?;
        let started = Instant::now();
        Ok(Self { views, options, limits: *limits, until, started, run: 0, paths, made: 0 })
    }

    fn is_over(&self) -> bool {
        match self.until {
            Until::Tests(tests) => self.made >= tests,
            Until::Elapsed(time) => self.started.elapsed() >= time,
        }
    }

    /// Begins the next run; `false` if it cannot be.
    fn begin(&mut self) -> bool {
        self.run += 1;
        let mut options = self.options.clone();
        let seed = options.seed;
        options.resolution.ties = Ties::Random { seed, variant: self.run };
        options.seed = Draw::new([seed, self.run, 0, 3]).number();
        match KPathStrategy::new(self.views, options, &self.limits) {
            Ok(paths) => self.paths = paths,
            Err(_) => return false,
        }
        true
    }
}

impl Sequential for Recurrent<'_> {
    fn next(&mut self, draft: &mut Draft) -> bool {
        if self.is_over() {
            return false;
        }
        // A run without any test would be followed by others like it.
        let is_made = self.paths.next(draft) || self.begin() && self.paths.next(draft);
        self.made += u64::from(is_made);
        is_made
    }

    fn again(&mut self, attempt: u32, draft: &mut Draft) -> bool {
        self.paths.again(attempt, draft)
    }
}

//! From strategies to a suite: drafts become texts, equal sentences are merged, bounds and shards are
//! applied, and what is left goes to a sink.
//!
//! Tests of [`Indexed`] strategies are made in chunks of numbers by several workers and committed in
//! order, so a suite does not depend on their number. Chunks begin small, so the first test appears at
//! once. A draft that cannot be written as text is asked for again; after so many attempts its target
//! is *unwritten*, with the last obstacle. Every text is proven by reading it back.
//!
//! A suite can also be surveyed: nothing is written, but it is told what each test covers. With that,
//! tests can be chosen that a second run keeps, and targets found that were given up in vain.
//!
//! Memory does not grow with the tests, but for 16 bytes a test where equal ones are merged, twice that in
//! a survey, and a bit a target where it is told what tests cover first. Linear in the tokens written.
//!
//! In reading order: [`options`], [`batch`], [`worker`], [`commit`], [`summary`].

pub mod batch;
pub mod commit;
pub mod options;
pub mod summary;
pub mod worker;

use std::ops::{ControlFlow, Range};

use gramercy_base::parallel;
use gramercy_coverage::{Criterion, Views};
use gramercy_lexis::Writer;
use gramercy_suite::{Sink, SinkError};

use crate::pipeline::batch::Batch;
use crate::pipeline::commit::{Commit, Place, Surveyed};
use crate::pipeline::worker::Worker;
use crate::strategy::{Indexed, Sequential, Strategy};

pub use commit::Survey;
pub use options::{Kept, Options, Shard};
pub use summary::{Obstacle, Summary, Unwritten};

/// A criterion with its name.
#[derive(Debug)]
pub struct Named<'c> {
    /// As the user names it.
    pub name: String,
    /// The criterion.
    pub criterion: Box<dyn Criterion + 'c>,
}

/// All that turns strategies into a suite.
#[derive(Debug)]
pub struct Pipeline<'p> {
    /// The grammar.
    pub views: &'p Views<'p>,
    /// Writes tokens as text; each worker has a copy.
    pub writer: Writer<'p>,
    /// The criteria that goals speak of.
    pub criteria: Vec<Named<'p>>,
    /// What is wanted.
    pub options: Options,
}

/// How far a suite has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Tests that were kept.
    pub tests: u64,
    /// Bytes of them.
    pub bytes: u64,
    /// Numbers of strategies that were worked off, and how many there are, where that is known.
    pub done: u64,
    /// How many numbers there are, where that is known.
    pub all: Option<u64>,
}

/// How many numbers a chunk has at most.
const CHUNK: u64 = 512;
/// How many bytes of texts are enough for a batch: as much as stays near the processor.
const BATCH_BYTES: usize = 1 << 17;

impl Pipeline<'_> {
    /// Makes the suite of some strategies, one after the other. `watch` is told of the progress from
    /// time to time, and can end the suite early; the sink is finished in any case.
    ///
    /// # Errors
    /// If the sink fails.
    pub fn run(
        &self,
        strategies: &mut [Strategy<'_>],
        sink: &mut dyn Sink,
        watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Summary, SinkError> {
        self.run_into(strategies, Place::Sink(sink), watch)
    }

    /// Makes the suite as [`run`](Self::run) does, but instead of writing it only tells what each of its
    /// tests covers, by each of the trees that were made for it. Where a shard is wanted, the tests of the
    /// whole suite are told.
    ///
    /// # Panics
    /// Never: nothing is written.
    pub fn survey(
        &self,
        strategies: &mut [Strategy<'_>],
        survey: &mut Survey<'_>,
        watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Summary {
        let surveyed = self.run_into(strategies, Place::Survey(Surveyed::by(survey)), watch);
        surveyed.expect("invariant: nothing is written that could fail")
    }

    fn run_into<'s>(
        &self,
        strategies: &mut [Strategy<'_>],
        place: Place<'s>,
        watch: &'s mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Summary, SinkError> {
        let all = strategies.iter().try_fold(0u64, |sum, strategy| match strategy {
            Strategy::Indexed(strategy) => sum.checked_add(strategy.count()),
            Strategy::Sequential(_) => None,
        });
        let mut commit = Commit::new(self, place, watch, all);
        for strategy in strategies {
            let flow = match strategy {
                Strategy::Indexed(strategy) => self.indexed(&**strategy, &mut commit),
                Strategy::Sequential(strategy) => self.sequential(&mut **strategy, &mut commit),
            };
            if flow.is_break() {
                break;
            }
        }
        commit.finish()
    }

    fn indexed(&self, strategy: &dyn Indexed, commit: &mut Commit<'_, '_>) -> ControlFlow<()> {
        let mut flow = ControlFlow::Continue(());
        let all_trees = commit.wants_all_trees();
        let wants = (commit.wants(), commit.rendering());
        parallel::in_order(
            self.options.jobs,
            chunks(strategy.count()),
            || Worker::of(self, wants, strategy).telling(all_trees),
            |worker, numbers| worker.chunk(strategy, numbers),
            |batch| {
                flow = commit.batch(&batch);
                flow
            },
        );
        flow
    }

    fn sequential(
        &self,
        strategy: &mut dyn Sequential,
        commit: &mut Commit<'_, '_>,
    ) -> ControlFlow<()> {
        let mut worker = Worker::new(self, commit.wants()).telling(commit.wants_all_trees());
        let mut size = 1;
        let mut number = 0;
        loop {
            let mut batch = Batch::default();
            for _ in 0..size {
                if !worker.sequential(strategy, number, &mut batch) {
                    let unwritten =
                        |goal| Unwritten { goal: Some(goal), obstacle: Obstacle::BehindEnd };
                    batch.unwritten.extend(strategy.impossible().into_iter().map(unwritten));
                    return commit.batch(&batch);
                }
                number += 1;
                if batch.texts.len() >= BATCH_BYTES {
                    break;
                }
            }
            commit.batch(&batch)?;
            size = (2 * size).min(CHUNK);
        }
    }
}

/// Numbers in chunks that double in size.
fn chunks(count: u64) -> impl Iterator<Item = Range<u64>> + Send {
    let next = move |before: &Range<u64>| {
        let size = (2 * (before.end - before.start)).min(CHUNK);
        (before.end < count).then(|| before.end..count.min(before.end + size))
    };
    std::iter::successors((count > 0).then_some(0..1), next)
}

#[cfg(test)]
mod tests {
    #[test]
    fn chunks_are_all_numbers_in_order() {
        for count in [0, 1, 2, 3, 100, 5000] {
            let numbers: Vec<u64> = super::chunks(count).flatten().collect();
            assert_eq!(numbers, (0..count).collect::<Vec<_>>());
        }
    }
}

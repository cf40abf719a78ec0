//! From strategies to tests: candidates become texts, equal tests are merged, bounds and shards are applied, and
//! what is left goes to a sink.
//!
//! Candidates of [`Indexed`] strategies are made in chunks of numbers by several workers and committed in order, so
//! a suite does not depend on the number of workers. Chunks begin small, so the first test appears at once. The
//! candidates of a [`Sequential`] strategy are proposed one after the other; where every token string has a text, no
//! candidate can be rejected, and their texts are written by several workers too. A goal whose candidates are all
//! rejected is *unwritten*, with the obstacle of the first.
//!
//! A suite can also be surveyed: nothing is written, but it is reported what each test covers. With that, tests can
//! be chosen that a second run keeps, and targets found that are covered by accident after they were given up.
//!
//! Memory does not grow with the tests, but for 16 bytes per test where equal ones are merged, twice that in a
//! survey, and one bit per target where it is reported what tests cover first. Linear in the tokens written.
//!
//! In reading order: [`options`], `texts` (from tokens to a proven text), `fingerprints`, [`batch`], `worker`,
//! `commit`, [`summary`].

pub mod batch;
mod commit;
mod fingerprints;
pub mod options;
pub mod summary;
mod texts;
mod worker;

use std::ops::{ControlFlow, Range};

use gramercy_base::parallel;
use gramercy_coverage::Criterion;
use gramercy_derive::candidate::Candidate;
use gramercy_derive::obstacle::Obstacle;
use gramercy_derive::strategy::{Indexed, Outcome, Sequential, Strategy};
use gramercy_language::Language;
use gramercy_lexis::Writer;
use gramercy_suite::{Sink, SinkError};

use batch::Batch;
use commit::{Commit, Destination, Surveyed};
use options::{Merge, Options};
use summary::{Summary, Unwritten};
use worker::Worker;

pub use commit::Survey;

/// Tests that were made.
pub(crate) enum Made<'b> {
    /// These.
    Batch(&'b Batch),
    /// Only their number is needed.
    Count(u64),
}

/// A criterion with its name.
#[derive(Debug)]
pub struct NamedCriterion<'c> {
    /// As the user names it.
    pub name: String,
    /// The criterion.
    pub criterion: Box<dyn Criterion + 'c>,
}

/// Everything that turns strategies into tests.
#[derive(Debug)]
pub struct Engine<'e> {
    language: &'e Language,
    writer: Writer<'e>,
    criteria: Vec<NamedCriterion<'e>>,
    /// What holds for every test.
    pub options: Options,
    /// Whether no candidate can be rejected but for its number of tokens.
    is_certain: bool,
}

/// How far a suite has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Tests that were kept.
    pub tests: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Numbers of strategies that were worked off.
    pub done: u64,
    /// How many numbers there are, where that is known.
    pub all: Option<u64>,
}

/// Who watches a suite being made.
pub trait Watch {
    /// How many workers make tests.
    fn jobs(&self) -> usize {
        1
    }

    /// A phase of the work begins: what its progress counts.
    fn begin(&mut self, what: &'static str) {
        let _ = what;
    }

    /// Is told of the progress from time to time, and can end the suite early.
    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        let _ = progress;
        ControlFlow::Continue(())
    }
}

/// Nobody watches, and one worker makes all tests.
impl Watch for () {}

/// The most numbers of a chunk.
const CHUNK: u64 = 512;
/// A batch with this many bytes of texts is handed on: it still stays near the processor.
const BATCH_BYTES: usize = 1 << 17;
/// A chunk of candidates with this many tokens is handed on to be written.
const CHUNK_TOKENS: usize = 1 << 16;

impl<'e> Engine<'e> {
    /// An engine for a language, a writer of its texts and the criteria that goals are about.
    #[must_use]
    pub fn new(
        language: &'e Language,
        mut writer: Writer<'e>,
        criteria: Vec<NamedCriterion<'e>>,
        options: Options,
    ) -> Self {
        let bounds = &options.bounds;
        let is_certain = bounds.bytes.is_none()
            && bounds.least_bytes.is_none()
            && options.merge != Merge::Texts
            && !options.accepted_by_tool
            && texts::has_text_for_all(&mut writer);
        Self { language, writer, criteria, options, is_certain }
    }

    /// Whether every candidate is known to have a text that the grammar reads back.
    #[must_use]
    pub fn is_certain(&self) -> bool {
        self.is_certain
    }

    /// The language.
    #[must_use]
    pub fn language(&self) -> &'e Language {
        self.language
    }

    /// The criteria that goals are about, then those that are only reported on.
    #[must_use]
    pub fn criteria(&self) -> &[NamedCriterion<'e>] {
        &self.criteria
    }

    /// Makes the tests of some strategies, one after the other. The sink is finished in any case.
    ///
    /// # Errors
    /// If the sink fails.
    pub fn run(
        &self,
        strategies: &mut [Strategy<'_>],
        sink: &mut dyn Sink,
        watch: &mut dyn Watch,
    ) -> Result<Summary, SinkError> {
        watch.begin("tests");
        self.run_into(strategies, Destination::Sink(sink), watch)
    }

    /// Makes the tests as [`run`](Self::run) does, but only reports what each of them covers, by each of the trees
    /// that were made for it. If a shard is requested, the tests of the whole suite are reported.
    ///
    /// # Panics
    /// Never: nothing is written.
    pub fn survey(
        &self,
        strategies: &mut [Strategy<'_>],
        survey: &mut Survey<'_>,
        watch: &mut dyn Watch,
    ) -> Summary {
        watch.begin("tests looked at");
        let surveyed = self.run_into(strategies, Destination::Survey(Surveyed::by(survey)), watch);
        surveyed.expect("invariant: nothing is written that could fail")
    }

    /// Takes tests that others make: `make` hands them over in batches, or says how many there are where nothing else
    /// is needed. The sink is finished in any case.
    ///
    /// # Errors
    /// If the sink fails, or `make` does.
    pub(crate) fn collect<E: From<SinkError>>(
        &self,
        sink: &mut dyn Sink,
        watch: &mut dyn Watch,
        make: impl FnOnce(&mut dyn FnMut(Made<'_>) -> ControlFlow<()>) -> Result<(), E>,
    ) -> Result<Summary, E> {
        watch.begin("tests");
        let mut commit = Commit::new(self, Destination::Sink(sink), watch, None);
        let made = make(&mut |made| match made {
            Made::Batch(batch) => commit.batch(batch),
            Made::Count(tests) => commit.count(tests),
        });
        let summary = commit.finish()?;
        made.map(|()| summary)
    }

    fn run_into<'s>(
        &self,
        strategies: &mut [Strategy<'_>],
        destination: Destination<'s>,
        watch: &'s mut dyn Watch,
    ) -> Result<Summary, SinkError> {
        let all = strategies.iter().try_fold(0u64, |sum, strategy| match strategy {
            Strategy::Indexed(strategy) => sum.checked_add(strategy.count()),
            Strategy::Sequential(_) => None,
        });
        let jobs = watch.jobs();
        let mut commit = Commit::new(self, destination, watch, all);
        for strategy in strategies {
            let flow = match strategy {
                Strategy::Indexed(strategy) => self.indexed(jobs, &**strategy, &mut commit),
                Strategy::Sequential(strategy) if jobs > 1 && self.accepts_all() => {
                    self.write_ahead(jobs, &mut **strategy, &mut commit)
                }
                Strategy::Sequential(strategy) => self.sequential(&mut **strategy, &mut commit),
            };
            if flow.is_break() {
                break;
            }
        }
        commit.finish()
    }

    /// Whether no candidate can be rejected.
    fn accepts_all(&self) -> bool {
        self.is_certain && self.options.bounds.tokens.is_none()
    }

    fn worker(&self, commit: &Commit<'_, '_>) -> Worker<'_> {
        Worker::new(self, commit.wants()).reporting_merged(commit.wants_all_trees())
    }

    fn indexed(
        &self,
        jobs: usize,
        strategy: &dyn Indexed,
        commit: &mut Commit<'_, '_>,
    ) -> ControlFlow<()> {
        let mut flow = ControlFlow::Continue(());
        let (wants, all_trees) = (commit.wants(), commit.wants_all_trees());
        let rendering = commit.rendering();
        let repairer = strategy.repairer();
        let first = self.first_number(strategy, commit);
        parallel::in_order(
            jobs,
            chunks(first, strategy.count()),
            || {
                let worker = Worker::new(self, wants);
                let worker = worker.reporting_merged(all_trees).rendering(rendering);
                let fast = worker.fast_path(strategy);
                (worker, strategy.proposer(), fast)
            },
            |(worker, proposer, fast), numbers| {
                worker.chunk(&mut **proposer, fast, repairer, numbers)
            },
            |batch| {
                flow = commit.batch(&batch);
                flow
            },
        );
        flow
    }

    /// The first number of a strategy that is worked on. Where each number is one test, and no test depends on others,
    /// those that the sink has already are passed over without being made.
    fn first_number(&self, strategy: &dyn Indexed, commit: &mut Commit<'_, '_>) -> u64 {
        let Options { merge, kept, .. } = &self.options;
        let is_free = self.accepts_all() && self.criteria.is_empty();
        match is_free && *merge == Merge::Nothing && kept.is_none() {
            true => commit.pass_over(strategy.count()),
            false => 0,
        }
    }

    fn sequential(
        &self,
        strategy: &mut dyn Sequential,
        commit: &mut Commit<'_, '_>,
    ) -> ControlFlow<()> {
        let mut worker = self.worker(commit);
        let mut size = 1;
        let mut number = 0;
        loop {
            let mut batch = Batch::default();
            for _ in 0..size {
                if !worker.sequential(strategy, number, &mut batch) {
                    batch.unwritten.extend(impossible(strategy));
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

    /// As [`sequential`](Self::sequential), where no candidate can be rejected: the strategy goes on while other
    /// workers write the texts of its candidates.
    fn write_ahead(
        &self,
        jobs: usize,
        strategy: &mut dyn Sequential,
        commit: &mut Commit<'_, '_>,
    ) -> ControlFlow<()> {
        let mut flow = ControlFlow::Continue(());
        let (wants, all_trees) = (commit.wants(), commit.wants_all_trees());
        parallel::in_order(
            jobs,
            CandidateChunks { strategy: &mut *strategy, size: 1, number: 0 },
            || Worker::new(self, wants).reporting_merged(all_trees),
            |worker, (first, candidates)| {
                let mut batch = Batch::default();
                for (number, candidate) in (first..).zip(&candidates) {
                    worker.write_certain(number, candidate, &mut batch);
                }
                batch
            },
            |batch| {
                flow = commit.batch(&batch);
                flow
            },
        );
        flow?;
        let mut batch = Batch::default();
        batch.unwritten.extend(impossible(strategy));
        commit.batch(&batch)
    }
}

/// The candidates of a strategy that are all accepted, in chunks that double in size, each with the number of its
/// first.
struct CandidateChunks<'s> {
    strategy: &'s mut dyn Sequential,
    size: u64,
    number: u64,
}

impl Iterator for CandidateChunks<'_> {
    type Item = (u64, Vec<Candidate>);

    fn next(&mut self) -> Option<Self::Item> {
        let (first, mut chunk, mut tokens) = (self.number, Vec::new(), 0);
        while (chunk.len() as u64) < self.size && tokens < CHUNK_TOKENS {
            let mut candidate = Candidate::default();
            if !self.strategy.propose(&mut candidate) {
                break;
            }
            self.strategy.conclude(Outcome::Accepted, &mut candidate);
            tokens += candidate.tokens.len();
            chunk.push(candidate);
        }
        self.number += chunk.len() as u64;
        self.size = (2 * self.size).min(CHUNK);
        (!chunk.is_empty()).then_some((first, chunk))
    }
}

/// The goals of a strategy that no sentence reaches.
fn impossible(strategy: &dyn Sequential) -> impl Iterator<Item = Unwritten> {
    let unwritten = |goal| Unwritten { goal: Some(goal), obstacle: Obstacle::BeyondEnd };
    strategy.impossible().into_iter().map(unwritten)
}

/// Numbers from a first one on, in chunks that double in size.
fn chunks(first: u64, count: u64) -> impl Iterator<Item = Range<u64>> + Send {
    let next = move |before: &Range<u64>| {
        let size = (2 * (before.end - before.start)).min(CHUNK);
        (before.end < count).then(|| before.end..count.min(before.end + size))
    };
    std::iter::successors((first < count).then_some(first..first + 1), next)
}

#[cfg(test)]
mod tests {
    #[test]
    fn chunks_are_all_numbers_in_order() {
        for count in [0, 1, 2, 3, 100, 5000] {
            for first in [0, 1, 7] {
                let numbers: Vec<u64> = super::chunks(first, count).flatten().collect();
                assert_eq!(numbers, (first..count).collect::<Vec<_>>());
            }
        }
    }
}

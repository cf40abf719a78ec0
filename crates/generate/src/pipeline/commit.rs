//! Where batches come in order: equal tests are merged, limit and shard applied, and the rest goes to
//! the sink.

use std::ops::ControlFlow;

use gramercy_base::Set;
use gramercy_coverage::TargetSet;
use gramercy_lexis::WrittenToken;
use gramercy_suite::{Expect, Sink, SinkError, Target, Test, Token, Wants};

use crate::pipeline::batch::{Batch, Entry};
use crate::pipeline::options::Merge;
use crate::pipeline::summary::{End, LISTED, Summary};
use crate::pipeline::{Pipeline, Progress};

/// Tests that room is made for before they are there.
const ROOM: u64 = 1 << 20;

/// The end of the pipeline.
pub(super) struct Commit<'c, 's> {
    pipeline: &'c Pipeline<'c>,
    sink: &'s mut dyn Sink,
    watch: &'s mut dyn FnMut(Progress) -> ControlFlow<()>,
    wants: Wants,
    seen: Set<u128>,
    covered: Vec<TargetSet>,
    /// Tests of the whole suite, of which a shard keeps some.
    numbered: u64,
    done: u64,
    all: Option<u64>,
    summary: Summary,
    failure: Option<SinkError>,
    tokens: Vec<Token<'c>>,
    covers: Vec<Target<'c>>,
}

impl<'c, 's> Commit<'c, 's> {
    pub(super) fn new(
        pipeline: &'c Pipeline<'c>,
        sink: &'s mut dyn Sink,
        watch: &'s mut dyn FnMut(Progress) -> ControlFlow<()>,
        all: Option<u64>,
    ) -> Self {
        let wants = sink.wants();
        let most = all.into_iter().chain(pipeline.options.limit).min().unwrap_or(0);
        let room = usize::try_from(most.min(ROOM)).expect("invariant: this is less");
        Self {
            pipeline,
            sink,
            watch,
            wants,
            seen: Set::with_capacity_and_hasher(room, Default::default()),
            covered: vec![TargetSet::new(); pipeline.criteria.len()],
            numbered: 0,
            done: 0,
            all,
            summary: Summary::default(),
            failure: None,
            tokens: Vec::new(),
            covers: Vec::new(),
        }
    }

    pub(super) fn wants(&self) -> Wants {
        self.wants
    }

    /// Takes the next batch; breaks off where the suite ends.
    pub(super) fn batch(&mut self, batch: &Batch) -> ControlFlow<()> {
        match self.try_batch(batch) {
            Ok(flow) => flow,
            Err(failure) => {
                self.failure = Some(failure);
                ControlFlow::Break(())
            }
        }
    }

    fn try_batch(&mut self, batch: &Batch) -> Result<ControlFlow<()>, SinkError> {
        self.warm_up(batch);
        for entry in &batch.tests {
            if self.pipeline.options.limit.is_some_and(|limit| self.numbered >= limit) {
                self.summary.end = End::Limit;
                return Ok(ControlFlow::Break(()));
            }
            self.entry(entry, batch)?;
        }
        self.summary.placeholders |= batch.placeholders;
        self.summary.written += batch.merged;
        self.summary.unwritten_count += batch.unwritten.len() as u64;
        let room = LISTED - self.summary.unwritten.len();
        self.summary.unwritten.extend(batch.unwritten.iter().take(room).cloned());
        self.done += batch.numbers;
        self.sink.flush()?;
        let Summary { tests, bytes, .. } = self.summary;
        let flow = (self.watch)(Progress { tests, bytes, done: self.done, all: self.all });
        if flow.is_break() {
            self.summary.end = End::Interrupted;
        }
        Ok(flow)
    }

    /// Looks for all tests of a batch before they are entered one by one: the memory of a large set is far
    /// away, and so the processor fetches many places of it at once.
    fn warm_up(&self, batch: &Batch) {
        if self.pipeline.options.merge != Merge::Nothing {
            let known = batch.tests.iter().filter(|entry| self.seen.contains(&entry.fingerprint));
            std::hint::black_box(known.count());
        }
    }

    fn entry(&mut self, entry: &Entry, batch: &Batch) -> Result<(), SinkError> {
        self.summary.written += u64::from(entry.goal.is_some());
        if self.pipeline.options.merge != Merge::Nothing && !self.seen.insert(entry.fingerprint) {
            return Ok(());
        }
        self.numbered += 1;
        self.note_covers(entry, batch);
        let is_here = |shard: crate::pipeline::Shard| shard.has(self.numbered);
        if !self.pipeline.options.shard.is_none_or(is_here) {
            return Ok(());
        }
        let text = &batch.texts[entry.text.clone()];
        self.summary.tests += 1;
        self.summary.tokens += entry.token_count as u64;
        self.summary.bytes += text.len() as u64;
        self.summary.longest = self.summary.longest.max(text.len());
        self.note_tokens(&batch.tokens[entry.tokens.clone()]);
        let target = entry
            .goal
            .filter(|_| self.wants.target)
            .map(|goal| self.pipeline.criteria[goal.criterion].criterion.describe(goal.target));
        self.sink.put(&Test {
            id: self.numbered,
            text,
            tokens: &self.tokens,
            token_count: entry.token_count,
            expect: Expect::Accept,
            target: target.as_deref(),
            covers: &self.covers,
            seed: Some(self.pipeline.options.seed),
        })
    }

    fn note_tokens(&mut self, tokens: &[WrittenToken]) {
        let terminals = self.pipeline.views.grammar.terminals();
        let named = tokens.iter().map(|&WrittenToken { terminal, start, end }| Token {
            name: &terminals[terminal].name,
            start,
            end,
        });
        self.tokens.clear();
        self.tokens.extend(named);
    }

    fn note_covers(&mut self, entry: &Entry, batch: &Batch) {
        self.covers.clear();
        for &(at, rank) in &batch.covers[entry.covers.clone()] {
            if self.covered[at].insert(rank) {
                let criterion = &self.pipeline.criteria[at].name;
                self.covers.push(Target { criterion, rank });
            }
        }
    }

    /// Ends the suite.
    pub(super) fn finish(self) -> Result<Summary, SinkError> {
        match self.failure {
            Some(failure) => Err(failure),
            None => {
                self.sink.finish()?;
                Ok(self.summary)
            }
        }
    }
}

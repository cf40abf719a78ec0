//! Where batches come in order: equal tests are merged, limit and shard applied, and the rest goes to
//! the sink.

use std::ops::ControlFlow;

use gramercy_base::{Map, Set};
use gramercy_coverage::{TargetId, TargetSet};
use gramercy_derive::Goal;
use gramercy_grammar::Grammar;
use gramercy_lexis::WrittenToken;
use gramercy_mutate::Rejected;
use gramercy_suite::test::Error;
use gramercy_suite::{
    Content, Expect, Mutation, Origin, Rendering, Sink, SinkError, Target, Test, Token, Wants,
};

use super::batch::{Batch, Entry, RejectionDetails, Rendered, RenderedTest, Verdict};
use super::options::{Merge, Options};
use super::summary::{End, Summary};
use super::{Engine, Progress, Watch};

/// Tests that room is made for before they are there: as many as fit into 2²⁰ places of a set.
const ROOM: u64 = (1 << 20) / 8 * 7;

/// Is told what each test covers: its place in the suite from 0, then criteria and targets, both
/// ascending; can end it. A test is told again for each tree of its sentence that was made too.
pub type Survey<'s> = dyn FnMut(usize, &[(usize, TargetId)]) -> ControlFlow<()> + 's;

/// Where tests go at last.
pub(super) enum Destination<'s> {
    Sink(&'s mut dyn Sink),
    Survey(Surveyed<'s>),
}

/// Who is told of tests, and which test each sentence is, in place of a set of what was seen.
pub(super) struct Surveyed<'s> {
    survey: &'s mut Survey<'s>,
    tests: Map<u128, usize>,
}

impl<'s> Surveyed<'s> {
    pub(super) fn by(survey: &'s mut Survey<'s>) -> Self {
        Self { survey, tests: Map::default() }
    }
}

/// The end of the pipeline.
pub(super) struct Commit<'c, 's> {
    engine: &'c Engine<'c>,
    destination: Destination<'s>,
    watch: &'s mut dyn Watch,
    wants: Wants,
    seen: Set<u128>,
    left_out_by_tool: Set<u128>,
    covered: Vec<TargetSet>,
    done: u64,
    all: Option<u64>,
    summary: Summary,
    failure: Option<SinkError>,
    tokens: Vec<Token<'c>>,
    covers: Vec<Target<'c>>,
}

impl<'c, 's> Commit<'c, 's> {
    pub(super) fn new(
        engine: &'c Engine<'c>,
        destination: Destination<'s>,
        watch: &'s mut dyn Watch,
        all: Option<u64>,
    ) -> Self {
        let wants = match &destination {
            // Without criteria there is nothing to cover, and the fast path may be taken.
            Destination::Sink(sink) if engine.criteria.is_empty() => {
                Wants { target: false, covers: false, ..sink.wants() }
            }
            Destination::Sink(sink) => sink.wants(),
            Destination::Survey(_) => Wants { text: false, covers: true, ..Wants::default() },
        };
        let most = all.into_iter().chain(engine.options.limit).min().unwrap_or(0);
        let most = if matches!(destination, Destination::Sink(_)) { most } else { 0 };
        let room = usize::try_from(most.min(ROOM)).expect("invariant: this is less");
        Self {
            engine,
            destination,
            watch,
            wants,
            seen: Set::with_capacity_and_hasher(room, Default::default()),
            left_out_by_tool: Set::default(),
            covered: vec![TargetSet::new(); engine.criteria.len()],
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

    /// How the sink writes tests, if all of them go there and nothing but their texts does.
    pub(super) fn rendering(&self) -> Option<Rendering> {
        let Destination::Sink(sink) = &self.destination else { return None };
        let Options { merge, shard, kept, .. } = &self.engine.options;
        let takes_all = *merge == Merge::Nothing && shard.is_none();
        let is_plain = self.wants == Wants::TEXT && self.engine.criteria.is_empty();
        sink.rendering().filter(|_| takes_all && is_plain && kept.is_none())
    }

    /// Counts tests that the sink has already, of this many to come, as made. How many there are.
    pub(super) fn pass_over(&mut self, count: u64) -> u64 {
        let Destination::Sink(sink) = &self.destination else { return 0 };
        let has = sink.has_through().saturating_sub(self.summary.numbered).min(count);
        self.summary.numbered += has;
        self.done += has;
        has
    }

    /// Whether it matters what equal sentences cover by other trees.
    pub(super) fn wants_all_trees(&self) -> bool {
        matches!(self.destination, Destination::Survey(_))
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
            let options = &self.engine.options;
            let made = self.summary.numbered;
            if options.limit.is_some_and(|limit| made >= limit) {
                self.summary.end = End::Limit;
                return Ok(ControlFlow::Break(()));
            }
            if options.kept.as_ref().is_some_and(|kept| kept.ends_with(made)) {
                return Ok(ControlFlow::Break(()));
            }
            if self.entry(entry, batch)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        if !batch.rendered.tests.is_empty() && self.rendered(&batch.rendered)?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
        self.summary.placeholders |= batch.placeholders;
        self.summary.written += batch.merged;
        self.left_out_by_tool.extend(&batch.left_out_by_tool);
        self.summary.left_out_by_tool = self.left_out_by_tool.len() as u64;
        batch.unwritten.iter().for_each(|unwritten| self.summary.miss(unwritten));
        self.done += batch.numbers;
        if let Destination::Sink(sink) = &mut self.destination {
            sink.flush()?;
        }
        let Summary { bytes, numbered, .. } = self.summary;
        let tests = match &self.destination {
            Destination::Sink(_) => self.summary.tests,
            Destination::Survey(_) => numbered,
        };
        let progress = Progress { tests, bytes, done: self.done, all: self.all };
        let flow = self.watch.progress(&progress);
        if flow.is_break() {
            self.summary.end = End::Interrupted;
        }
        Ok(flow)
    }

    /// Takes the tests of a batch that are written down, as many as the limit leaves.
    fn rendered(&mut self, rendered: &Rendered) -> Result<ControlFlow<()>, SinkError> {
        let Destination::Sink(sink) = &mut self.destination else {
            return Ok(ControlFlow::Continue(()));
        };
        let summary = &mut self.summary;
        let limit = self.engine.options.limit.unwrap_or(u64::MAX);
        let left = limit.saturating_sub(summary.numbered);
        let count = rendered.tests.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        let tests = &rendered.tests[..count];
        for RenderedTest { tokens, text_bytes, is_closed_off, .. } in tests {
            summary.tokens += *tokens as u64;
            summary.bytes += *text_bytes as u64;
            summary.longest = summary.longest.max(*text_bytes);
            summary.closed_off += u64::from(*is_closed_off);
        }
        summary.tests += count as u64;
        summary.numbered += count as u64;
        sink.put_rendered(&rendered.bytes[..tests.last().map_or(0, |last| last.end)])?;
        if count < rendered.tests.len() {
            summary.end = End::Limit;
            return Ok(ControlFlow::Break(()));
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Looks for all tests of a batch before they are entered one by one: the memory of a large set is far
    /// away, and so the processor fetches many places of it at once.
    fn warm_up(&self, batch: &Batch) {
        if self.engine.options.merge != Merge::Nothing {
            let known = batch.tests.iter().filter(|entry| self.seen.contains(&entry.fingerprint));
            std::hint::black_box(known.count());
        }
    }

    fn entry(&mut self, entry: &Entry, batch: &Batch) -> Result<ControlFlow<()>, SinkError> {
        self.summary.written += entry.gain;
        let options = &self.engine.options;
        let merges = options.merge != Merge::Nothing;
        if let Destination::Survey(Surveyed { survey, tests }) = &mut self.destination {
            let next = self.summary.numbered;
            let next = usize::try_from(next).expect("invariant: tests fit in memory");
            let test = if merges { *tests.entry(entry.fingerprint).or_insert(next) } else { next };
            self.summary.numbered += u64::from(test == next);
            return Ok(survey(test, &batch.covers[entry.covers.clone()]));
        }
        if merges && !self.seen.insert(entry.fingerprint) {
            return Ok(ControlFlow::Continue(()));
        }
        self.summary.numbered += 1;
        let number = self.summary.numbered;
        if options.kept.as_ref().is_some_and(|kept| !kept.has(number)) {
            return Ok(ControlFlow::Continue(()));
        }
        self.note_covers(entry, batch);
        if options.shard.is_none_or(|shard| shard.has(number)) {
            self.put(number, entry, batch)?;
        }
        Ok(ControlFlow::Continue(()))
    }

    fn put(&mut self, id: u64, entry: &Entry, batch: &Batch) -> Result<(), SinkError> {
        let text = &batch.texts[entry.text.clone()];
        self.summary.tests += 1;
        self.summary.tokens += entry.token_count as u64;
        let len = match entry.verdict {
            Verdict::RejectFor(at) => {
                batch.rejections[at].bytes.as_ref().map_or(text.len(), Vec::len)
            }
            Verdict::Accept | Verdict::Reject => text.len(),
        };
        self.summary.bytes += len as u64;
        self.summary.longest = self.summary.longest.max(len);
        self.summary.closed_off += u64::from(entry.is_closed_off);
        self.summary.rejected_by_tool += u64::from(entry.is_rejected_by_tool);
        self.note_tokens(&batch.tokens[entry.tokens.clone()]);
        let describe =
            |goal: Goal| self.engine.criteria[goal.criterion].criterion.describe(goal.target);
        let target = entry.goal.filter(|_| self.wants.target).map(describe);
        let details = match entry.verdict {
            Verdict::RejectFor(at) => Some(&batch.rejections[at]),
            Verdict::Accept | Verdict::Reject => None,
        };
        let bytes = details.and_then(|details| details.bytes.as_deref());
        let content = bytes.map_or(Content::Text(text), Content::Bytes);
        let grammar = self.engine.language.grammar();
        let error = details.map(|details| error_of(details, content.as_bytes(), grammar));
        let mutation = details.map(|details| mutation_of(details, target.as_deref()));
        let Destination::Sink(sink) = &mut self.destination else { return Ok(()) };
        sink.put(&Test {
            id,
            content,
            tokens: &self.tokens,
            token_count: entry.token_count,
            expect: match (entry.verdict, &error) {
                (Verdict::Accept, _) => Expect::Accept,
                (_, Some(error)) => Expect::Reject(error),
                (_, None) => Expect::Reject(&UNKNOWN_ERROR),
            },
            origin: match (&mutation, entry.goal) {
                (Some(mutation), _) => Origin::Mutation(mutation),
                (None, Some(_)) => Origin::Target(target.as_deref()),
                (None, None) => Origin::Draw,
            },
            covers: &self.covers,
            seed: Some(self.engine.options.seed),
        })
    }

    fn note_tokens(&mut self, tokens: &[WrittenToken]) {
        let terminals = self.engine.language.grammar().terminals();
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
                let criterion = &self.engine.criteria[at].name;
                self.covers.push(Target { criterion, rank });
            }
        }
    }

    /// Counts tests of which nothing is needed but their number.
    pub(super) fn count(&mut self, tests: u64) -> ControlFlow<()> {
        self.summary.tests += tests;
        self.summary.numbered += tests;
        self.batch(&Batch::default())
    }

    /// Ends the suite.
    pub(super) fn finish(mut self) -> Result<Summary, SinkError> {
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        if let Destination::Sink(sink) = &mut self.destination {
            sink.finish()?;
            if self.wants.covers {
                self.summary.withdraw(&self.covered);
            }
        }
        Ok(self.summary)
    }
}

/// The error of a test whose sink does not want to know it.
static UNKNOWN_ERROR: Error<'static> =
    Error { token: 0, byte: 0, line: 1, column: 1, expected: Vec::new(), class: "" };

/// How the end of the input is called among what is expected.
const END: &str = "end of input";

/// The first error of a test.
fn error_of<'g>(details: &RejectionDetails, content: &[u8], grammar: &'g Grammar) -> Error<'g> {
    let Rejected { token, byte, class, expected, end_expected } = &details.error;
    let (line, column) = position(content, *byte);
    let names = expected.iter().map(|id| &*grammar.terminals()[id].name);
    let expected = names.chain(end_expected.then_some(END)).collect();
    Error { token: *token, byte: *byte, line, column, expected, class: class.as_str() }
}

fn mutation_of<'d>(details: &'d RejectionDetails, target: Option<&'d str>) -> Mutation<'d> {
    Mutation {
        operator: &details.operator,
        rule: details.rule.as_deref(),
        item: details.item.as_deref(),
        source: details.source.as_deref(),
        place: details.place,
        inserted: details.inserted.iter().map(String::as_str).collect(),
        removed: details.removed.iter().map(String::as_str).collect(),
        base: &details.base,
        target,
    }
}

/// Line and column of a byte, both from 1; columns in code points.
fn position(content: &[u8], byte: usize) -> (usize, usize) {
    let before = &content[..byte.min(content.len())];
    let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let column = before[start..].iter().filter(|byte| !(0x80..0xC0).contains(*byte)).count() + 1;
    (line, column)
}

//! From candidates to written tests: what several workers do at the same time.
//!
//! The plain path is complete: propose, write, prove, keep; where a candidate is rejected, the strategy learns why
//! and may propose another. Where nothing but texts is needed, a strategy may have a fast path, which writes
//! the same texts without candidates and leaves to the plain path what it cannot write.

use std::ops::Range;

use gramercy_coverage::{Lexeme, Reading, TargetSet};
use gramercy_derive::candidate::{Candidate, Detail};
use gramercy_derive::obstacle::Obstacle;
use gramercy_derive::strategy::{
    FastPath, FastText, FastWriting, Indexed, Outcome, Propose, Rejection, Repair, Repaired, Reply,
    Sequential,
};
use gramercy_grammar::{RuleId, Tree};
use gramercy_lexis::Choice;
use gramercy_parse::{Derivations, TextParser, TextWorkspace};
use gramercy_suite::{Rendering, Wants};

use super::Engine;
use super::batch::{Batch, Room};
use super::fingerprints::{self, Recent};
use super::options::{Merge, Options};
use super::summary::Unwritten;
use super::texts::Texts;

/// One of several workers, with memory of its own.
pub(super) struct Worker<'w> {
    engine: &'w Engine<'w>,
    wants: Wants,
    texts: Texts<'w>,
    candidate: Candidate,
    covered: Vec<TargetSet>,
    recent: Recent,
    /// Whether it is reported what tests cover that are merged with others.
    reports_merged: bool,
    /// How the sink renders tests, if it takes them rendered.
    rendering: Option<Rendering>,
    /// Whether the last candidate had to be repaired: then the next one will too.
    expects_repair: bool,
    /// How much room the last batch took.
    room: Room,
    /// The parser that knows which sentences the notation's own tool rejects, if it rejects any.
    tool: Option<(&'w TextParser, TextWorkspace)>,
}

/// After this number of attempts that could not be repaired, what the plain writer can do is tried: once, since
/// it takes long.
const REPAIRS_FIRST: u32 = 3;

/// Why a candidate was not written.
enum Problem {
    /// Nothing that is known can write it.
    Obstacle(Obstacle),
    /// Pools of lexemes cannot write it, and more was not tried.
    BeyondPools,
}

impl From<Obstacle> for Problem {
    fn from(obstacle: Obstacle) -> Self {
        Self::Obstacle(obstacle)
    }
}

/// What came of a candidate.
enum Attempt {
    Kept,
    Merged,
    Rejected(Obstacle),
    BeyondPools,
}

impl<'w> Worker<'w> {
    pub(super) fn new(engine: &'w Engine<'w>, wants: Wants) -> Self {
        Self {
            engine,
            wants,
            texts: Texts::new(engine.writer.clone(), engine.options.seed),
            candidate: Candidate::default(),
            covered: vec![TargetSet::new(); engine.criteria.len()],
            recent: Recent::new(),
            reports_merged: false,
            rendering: None,
            expects_repair: false,
            room: Room::default(),
            tool: engine.language.parser().ok().and_then(|parser| {
                parser.tool_may_lose_sentences().then(|| (parser, parser.workspace()))
            }),
        }
    }

    /// Whether the notation's own tool rejects the candidate.
    fn is_rejected_by_tool(&mut self) -> bool {
        let tokens = &self.candidate.tokens;
        self.tool.as_mut().is_some_and(|(parser, workspace)| {
            parser.are_accepted_by_tool(workspace, tokens) == Some(false)
        })
    }

    /// A worker whose tests the sink takes rendered, if nothing but texts is needed.
    pub(super) fn rendering(self, rendering: Option<Rendering>) -> Self {
        let is_plain = self.needs_text_only() && self.tool.is_none();
        let rendering = rendering.filter(|_| is_plain);
        Self { rendering, ..self }
    }

    /// A worker that reports what tests cover that are merged with others, if that matters.
    pub(super) fn reporting_merged(self, reports_merged: bool) -> Self {
        Self { reports_merged, ..self }
    }

    /// Whether candidates become texts, and are not only counted.
    fn is_written(&self) -> bool {
        self.wants.text || !self.engine.is_certain
    }

    fn needs_text_only(&self) -> bool {
        self.is_written() && !self.wants.tokens && !self.wants.covers
    }

    /// The fast path of a strategy, if only texts are needed.
    pub(super) fn fast_path<'s>(
        &self,
        strategy: &'s dyn Indexed,
    ) -> Option<Box<dyn FastPath + 's>> {
        let is_looked_at = self.engine.options.merge.is_by_sentence() || self.tool.is_some();
        if !self.needs_text_only() || is_looked_at {
            return None;
        }
        let render = self.rendering.map(|rendering| rendering.append);
        strategy.fast_path(&FastWriting { writer: self.texts.writer(), render })
    }

    /// Makes the tests of some numbers.
    pub(super) fn chunk(
        &mut self,
        proposer: &mut dyn Propose,
        fast: &mut Option<Box<dyn FastPath + '_>>,
        repairer: Option<&dyn Repair>,
        numbers: Range<u64>,
    ) -> Batch {
        let mut batch = Batch::like(&self.room);
        for number in numbers {
            batch.numbers += 1;
            let is_written = match fast.as_deref_mut().filter(|_| !self.expects_repair) {
                Some(fast) => self.write_fast(number, fast, &mut batch),
                None => false,
            };
            if !is_written {
                self.indexed(number, proposer, repairer, &mut batch);
            }
        }
        self.room = batch.room();
        batch
    }

    /// Writes the test of a number by the fast path; `false` if the plain path has to make it.
    fn write_fast(&mut self, number: u64, fast: &mut dyn FastPath, batch: &mut Batch) -> bool {
        let Options { seed, bounds, merge, .. } = &self.engine.options;
        let choice = Choice { seed: *seed, test: number, fixed: &[] };
        let Some(FastText { tokens, paged }) = fast.write(&choice, self.texts.page()) else {
            return false;
        };
        if bounds.obstacle(tokens, paged.bytes).is_some() {
            return false;
        }
        batch.placeholders |= paged.placeholders;
        if let Some(rendering) = self.rendering {
            batch.rendered.bytes.extend_from_slice(self.texts.rendered());
            batch.rendered.complete(rendering.end, tokens, paged.bytes);
        } else {
            let text = self.texts.text();
            batch.add(fingerprints::of_text(text, *merge), text, tokens);
        }
        true
    }

    /// Makes the test of a number by the plain path.
    fn indexed(
        &mut self,
        number: u64,
        proposer: &mut dyn Propose,
        repairer: Option<&dyn Repair>,
        batch: &mut Batch,
    ) {
        let needs_tree = self.wants.covers || self.expects_repair;
        self.candidate.detail = if needs_tree { Detail::Tree } else { Detail::Sentence };
        let (mut attempt, mut first_obstacle) = (0, None);
        loop {
            self.candidate.clear();
            if !proposer.propose(number, attempt, &mut self.candidate) {
                break;
            }
            let goal = self.candidate.goal;
            let outcome = self.attempt_with_repairs(number, attempt, proposer, repairer, batch);
            match outcome {
                Attempt::Kept | Attempt::Merged => return,
                // What stands in the way of the simplest tree tells most; that of others may be accidental.
                Attempt::Rejected(obstacle) => match first_obstacle {
                    None | Some((_, Obstacle::NotReadBack)) => {
                        first_obstacle = Some((goal, obstacle));
                    }
                    Some(_) => {}
                },
                Attempt::BeyondPools => {
                    first_obstacle.get_or_insert((goal, Obstacle::NotReadBack));
                }
            }
            attempt += 1;
            if attempt > self.engine.options.max_attempts {
                break;
            }
        }
        if let Some((goal, obstacle)) = first_obstacle {
            batch.unwritten.push(Unwritten { goal, obstacle });
        }
    }

    /// Writes the candidate. If it can be repaired, only pools of lexemes are asked at first, and it is repaired
    /// where they fail.
    fn attempt_with_repairs(
        &mut self,
        number: u64,
        attempt: u32,
        proposer: &mut dyn Propose,
        repairer: Option<&dyn Repair>,
        batch: &mut Batch,
    ) -> Attempt {
        let Some(repairer) = repairer else { return self.attempt(number, false, batch) };
        match self.attempt(number, true, batch) {
            Attempt::BeyondPools => {}
            outcome => return outcome,
        }
        if self.repair(number, attempt, proposer, repairer) {
            return self.attempt(number, false, batch);
        }
        if attempt == REPAIRS_FIRST {
            self.candidate.clear();
            proposer.propose(number, attempt, &mut self.candidate);
            return self.attempt(number, false, batch);
        }
        Attempt::BeyondPools
    }

    /// Repairs the candidate until pools of lexemes can write it; `false` if that was not reached.
    fn repair(
        &mut self,
        number: u64,
        attempt: u32,
        proposer: &mut dyn Propose,
        repairer: &dyn Repair,
    ) -> bool {
        if self.candidate.detail == Detail::Sentence {
            self.candidate.detail = Detail::Tree;
            self.candidate.clear();
            proposer.propose(number, attempt, &mut self.candidate);
        }
        let Some(mut trial) = self.texts.trial(number) else { return false };
        let repaired = repairer.repair(number, attempt, &mut trial, &mut self.candidate);
        self.expects_repair = repaired != Repaired::Unchanged;
        repaired != Repaired::Failed
    }

    /// Makes the next test of a sequential strategy; `false` if there is none.
    pub(super) fn sequential(
        &mut self,
        strategy: &mut dyn Sequential,
        number: u64,
        batch: &mut Batch,
    ) -> bool {
        self.candidate.clear();
        if !strategy.propose(&mut self.candidate) {
            return false;
        }
        batch.numbers += 1;
        let mut first_obstacle = None;
        for attempts in 1.. {
            // A candidate that replaces a packed test may be made for another target.
            let goal = self.candidate.goal;
            let rejection = match self.attempt(number, false, batch) {
                Attempt::Kept => {
                    strategy.conclude(Outcome::Accepted, &mut self.candidate);
                    return true;
                }
                Attempt::Merged => {
                    strategy.conclude(Outcome::Duplicate, &mut self.candidate);
                    return true;
                }
                Attempt::BeyondPools => {
                    unreachable!("invariant: only repairable candidates stop at pools")
                }
                Attempt::Rejected(obstacle) => Rejection {
                    inseparable: self.texts.inseparable(&obstacle, &self.candidate),
                    obstacle,
                    attempts,
                    may_retry: attempts <= self.engine.options.max_attempts,
                },
            };
            let reply = strategy.conclude(Outcome::Rejected(&rejection), &mut self.candidate);
            let first = match first_obstacle.take() {
                Some((of, obstacle)) if of == goal => (of, obstacle),
                _ => (goal, rejection.obstacle),
            };
            if reply == Reply::Done || !rejection.may_retry {
                let (goal, obstacle) = first;
                batch.unwritten.push(Unwritten { goal, obstacle });
                return true;
            }
            first_obstacle = Some(first);
        }
        true
    }

    /// Writes a candidate that is known to have a text.
    pub(super) fn write_certain(&mut self, number: u64, candidate: &Candidate, batch: &mut Batch) {
        batch.numbers += 1;
        self.candidate.clone_from(candidate);
        match self.attempt(number, false, batch) {
            Attempt::Kept | Attempt::Merged => {}
            Attempt::Rejected(obstacle) => {
                batch.unwritten.push(Unwritten { goal: candidate.goal, obstacle });
            }
            Attempt::BeyondPools => {
                unreachable!("invariant: only repairable candidates stop at pools")
            }
        }
    }

    /// Writes the candidate and keeps it, unless it equals one that was made lately.
    fn attempt(&mut self, number: u64, pools_only: bool, batch: &mut Batch) -> Attempt {
        let sentence = fingerprints::of_sentence(&self.candidate, self.engine.options.merge);
        if let Some(sentence) = sentence.filter(|&sentence| self.recent.has(sentence)) {
            self.merge(sentence, batch);
            return Attempt::Merged;
        }
        let is_rejected_by_tool = self.is_rejected_by_tool();
        if is_rejected_by_tool && self.engine.options.accepted_by_tool {
            let sentence = fingerprints::of_sentence(&self.candidate, Merge::Sentences);
            batch.left_out_by_tool.extend(sentence);
            return Attempt::Rejected(Obstacle::RejectedByTool);
        }
        match self.write(number, pools_only) {
            Ok(()) => {
                self.keep(sentence, batch);
                if let Some(entry) = batch.tests.last_mut() {
                    entry.is_rejected_by_tool = is_rejected_by_tool;
                }
                Attempt::Kept
            }
            Err(Problem::Obstacle(obstacle)) => Attempt::Rejected(obstacle),
            Err(Problem::BeyondPools) => Attempt::BeyondPools,
        }
    }

    /// Writes the candidate as text that the grammar reads back.
    fn write(&mut self, number: u64, pools_only: bool) -> Result<(), Problem> {
        let bounds = self.engine.options.bounds;
        let tokens = self.candidate.tokens.len();
        if let Some(obstacle) = bounds.of_tokens(tokens) {
            return Err(obstacle.into());
        }
        let tokens_texts = self.candidate.lexemes.iter().map(|(_, fixed)| fixed);
        if tokens_texts.chain(&self.candidate.hidden).any(|fixed| fixed.matched.is_empty()) {
            return Err(Obstacle::NoText.into());
        }
        if !self.is_written() {
            return Ok(());
        }
        if pools_only && self.expects_repair {
            return Err(Problem::BeyondPools);
        }
        if !(self.needs_text_only() && self.texts.write_quickly(number, &self.candidate)) {
            if pools_only && self.texts.is_beyond_pools(number, &self.candidate.tokens) {
                return Err(Problem::BeyondPools);
            }
            self.texts.write(number, &self.candidate)?;
        }
        if let Some(obstacle) = bounds.obstacle(tokens, self.texts.len()) {
            return Err(obstacle.into());
        }
        Ok(self.texts.prove(&self.candidate)?)
    }

    fn keep(&mut self, sentence: Option<u128>, batch: &mut Batch) {
        if let Some(sentence) = sentence {
            self.recent.add(sentence);
        }
        batch.placeholders |= self.texts.has_placeholders();
        let (text, tokens) = (self.texts.text(), self.candidate.tokens.len());
        if let Some(Rendering { append, end }) = self.rendering {
            append(text.as_bytes(), &mut batch.rendered.bytes);
            batch.rendered.complete(end, tokens, text.len());
            if let Some(test) = batch.rendered.tests.last_mut() {
                test.is_closed_off = self.candidate.is_closed_off;
            }
            return;
        }
        let merge = self.engine.options.merge;
        let print = sentence.unwrap_or_else(|| fingerprints::of_text(text, merge));
        batch.add(print, text, tokens);
        if self.wants.tokens {
            batch.tokens.extend_from_slice(self.texts.tokens());
        }
        if self.wants.covers {
            self.cover(batch);
        }
        batch.complete(&self.candidate);
    }

    /// Merges the candidate with an equal one, whose text and lexemes are known. Its tree may cover more.
    fn merge(&mut self, sentence: u128, batch: &mut Batch) {
        if !self.reports_merged {
            batch.merged += self.candidate.known_gain();
            return;
        }
        self.texts.clear();
        batch.add(sentence, "", self.candidate.tokens.len());
        self.cover(batch);
        batch.complete(&self.candidate);
    }

    /// Lists what the candidate's tree covers.
    fn cover(&mut self, batch: &mut Batch) {
        let bnf = self.engine.language.bnf();
        let tree = Tree::new(bnf, self.candidate.productions.clone());
        let derivations = Derivations::of_tree(bnf, &tree);
        let named = &self.engine.criteria;
        let matches = match named.iter().any(|named| named.criterion.reads_lexemes()) {
            true => self.texts.matches(),
            false => Vec::new(),
        };
        let text = self.texts.text();
        let lexeme = |(rule, range): &(RuleId, Range<usize>)| Lexeme {
            rule: *rule,
            text: &text[range.clone()],
            is_last: range.end == text.len(),
        };
        let lexemes: Vec<Lexeme<'_>> = matches.iter().map(lexeme).collect();
        let reading = Reading { derivations: &derivations, lexemes: &lexemes };
        for (at, (named, covered)) in named.iter().zip(&mut self.covered).enumerate() {
            covered.clear();
            named.criterion.cover(&reading, covered);
            batch.covers.extend(covered.iter().map(|target| (at, target)));
        }
    }
}

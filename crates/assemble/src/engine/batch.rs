//! Tests on their way from a worker to the place where they are committed, in a few flat lists.

use std::ops::Range;
use std::sync::Arc;

use gramercy_coverage::TargetId;
use gramercy_lexis::WrittenToken;
use gramercy_mutate::Rejected;

use super::summary::Unwritten;
use gramercy_derive::candidate::{Candidate, Goal};

/// The tests of some numbers, in order.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// The tests that were written.
    pub tests: Vec<Entry>,
    /// Their texts.
    pub texts: String,
    /// Their tokens, if somebody wants them.
    pub tokens: Vec<WrittenToken>,
    /// What their trees cover, by criterion, if somebody wants it.
    pub covers: Vec<(usize, TargetId)>,
    /// Tests that need no further look, as the sink writes them.
    pub rendered: Rendered,
    /// What is known of tests that must be rejected, if somebody wants it.
    pub rejections: Vec<RejectionDetails>,
    /// What could not be written.
    pub unwritten: Vec<Unwritten>,
    /// Fingerprints of sentences that were left out because the notation's own tool rejects them.
    pub left_out_by_tool: Vec<u128>,
    /// Targets whose tests are equal to earlier ones, so that they were not written again.
    pub merged: u64,
    /// How many numbers were worked off.
    pub numbers: u64,
    /// Whether names stand in for lexemes that nobody knows.
    pub placeholders: bool,
}

/// Tests that are written down already.
#[derive(Clone, Debug, Default)]
pub struct Rendered {
    /// All of them, one after the other.
    pub bytes: Vec<u8>,
    /// What is known of each.
    pub tests: Vec<RenderedTest>,
}

/// A test that is written down already.
#[derive(Clone, Copy, Debug)]
pub struct RenderedTest {
    /// Where it ends among all bytes.
    pub end: usize,
    /// How many tokens it has.
    pub tokens: usize,
    /// How many bytes its text has.
    pub text_bytes: usize,
    /// Whether its tree was closed off.
    pub is_closed_off: bool,
}

impl Rendered {
    /// Completes the last test, whose text has this number of tokens and bytes.
    pub(super) fn complete(&mut self, end: u8, tokens: usize, text_bytes: usize) {
        self.bytes.push(end);
        let (end, is_closed_off) = (self.bytes.len(), false);
        self.tests.push(RenderedTest { end, tokens, text_bytes, is_closed_off });
    }
}

/// One test: where its parts lie.
#[derive(Clone, Debug)]
pub struct Entry {
    /// By what it is told from others.
    pub fingerprint: u128,
    /// What it was made for.
    pub goal: Option<Goal>,
    /// For how many targets it is needed.
    pub gain: u64,
    /// How many tokens it has.
    pub token_count: usize,
    /// Its text.
    pub text: Range<usize>,
    /// Its tokens.
    pub tokens: Range<usize>,
    /// What it covers.
    pub covers: Range<usize>,
    /// Whether its tree was closed off.
    pub is_closed_off: bool,
    /// Whether the parser of the notation's own tool rejects it.
    pub is_rejected_by_tool: bool,
    /// What a program ought to say to it.
    pub verdict: Verdict,
}

/// What a program ought to say to a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Accept it.
    Accept,
    /// Reject it; nobody wants to know more.
    Reject,
    /// Reject it, for the reason of this number.
    RejectFor(usize),
}

/// Why a test must be rejected, and how it was made.
#[derive(Clone, Debug)]
pub struct RejectionDetails {
    /// The first error.
    pub error: Rejected,
    /// The operator that made it.
    pub operator: String,
    /// The rule that was changed, where a rule was.
    pub rule: Option<String>,
    /// The changed item of this rule.
    pub item: Option<String>,
    /// Where it stands in the grammar.
    pub source: Option<String>,
    /// The token or byte at which the base was changed.
    pub place: usize,
    /// What was put in.
    pub inserted: Vec<String>,
    /// What was taken out.
    pub removed: Vec<String>,
    /// The text that was changed.
    pub base: Arc<str>,
    /// The input, where it is not UTF-8.
    pub bytes: Option<Vec<u8>>,
}

/// Room for tests, for their texts, and for tests that are written down.
pub(super) type Room = (usize, usize, usize);

impl Batch {
    /// An empty one with as much room as another has in use.
    pub(super) fn like(other: &Room) -> Self {
        let mut batch = Self::default();
        batch.tests.reserve(other.0);
        batch.texts.reserve(other.1);
        batch.rendered.bytes.reserve(other.2);
        batch
    }

    /// How much room its tests and their texts take.
    pub(super) fn room(&self) -> Room {
        let with_more = |bytes: usize| bytes + bytes / 8;
        (self.tests.len(), with_more(self.texts.len()), with_more(self.rendered.bytes.len()))
    }

    /// Adds a test of which nothing is known yet but its text.
    pub(super) fn add(&mut self, fingerprint: u128, text: &str, token_count: usize) {
        let (from, tokens, covers) = (self.texts.len(), self.tokens.len(), self.covers.len());
        self.texts.push_str(text);
        self.tests.push(Entry {
            fingerprint,
            goal: None,
            gain: 0,
            token_count,
            text: from..self.texts.len(),
            tokens: tokens..tokens,
            covers: covers..covers,
            verdict: Verdict::Accept,
            is_closed_off: false,
            is_rejected_by_tool: false,
        });
    }

    /// Adds a test with what a program ought to say to it.
    pub(crate) fn add_test(
        &mut self,
        fingerprint: u128,
        text: &str,
        token_count: usize,
        verdict: Verdict,
        goal: Option<Goal>,
    ) {
        self.add(fingerprint, text, token_count);
        if let Some(entry) = self.tests.last_mut() {
            entry.verdict = verdict;
            entry.goal = goal;
            entry.gain = u64::from(goal.is_some());
        }
    }

    /// Forgets all tests; the memory is kept.
    pub(crate) fn clear(&mut self) {
        self.tests.clear();
        self.texts.clear();
        self.tokens.clear();
        self.covers.clear();
        self.rejections.clear();
        self.unwritten.clear();
        self.left_out_by_tool.clear();
        (self.merged, self.numbers, self.placeholders) = (0, 0, false);
    }

    /// All that came since the last test was added belongs to it.
    pub(super) fn complete(&mut self, candidate: &Candidate) {
        if let Some(entry) = self.tests.last_mut() {
            entry.goal = candidate.goal;
            entry.gain = candidate.known_gain();
            entry.tokens.end = self.tokens.len();
            entry.covers.end = self.covers.len();
            entry.is_closed_off = candidate.is_closed_off;
        }
    }
}

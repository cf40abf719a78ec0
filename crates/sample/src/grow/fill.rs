//! What strategies have in common whose tests are drawn without a look at others, and whose parts can be
//! drawn again.

use gramercy_base::Draw;
use gramercy_language::Language;
use gramercy_lexis::{Choice, LinkId, Page, Trial};

use crate::fast::chains::{Chains, Linked};
use crate::fast::runs::Runs;
use crate::grow::receivers::{Receiver, Sentence};
use crate::grow::repair::{self, RepairedPart};
use crate::grow::rules::Rules;
use gramercy_derive::candidate::{Candidate, Detail};
use gramercy_derive::strategy::{
    FastPath, FastText, FastWriting, Indexed, Propose, Repair, Repaired,
};

/// Draws tests, or the part of them that is wanted.
pub(crate) trait Fill: Send + Sync {
    /// What is used again for the next.
    type Memory: Default;

    /// The grammar.
    fn language(&self) -> &Language;

    /// What everything is drawn from.
    fn seed(&self) -> u64;

    /// How many tests there are.
    fn count(&self) -> u64;

    /// Draws the test of a number.
    fn fill(&self, number: u64, attempt: u32, memory: &mut Self::Memory, into: &mut impl Receiver);

    /// Grows a part of a tree again, in an empty candidate.
    fn regrow(&self, part: &RepairedPart, draw: &mut Draw, grown: &mut Candidate);

    /// Whether a test may have this number of tokens after parts of it were grown again.
    fn allows(&self, number: u64, before: usize, after: usize) -> bool {
        let _ = (number, before, after);
        true
    }

    /// The runs of tokens that tests are made of, if they are.
    fn runs(&self) -> Option<&Runs> {
        None
    }

    /// Draws the test of a number into an empty candidate.
    fn fill_candidate(
        &self,
        number: u64,
        attempt: u32,
        memory: &mut Self::Memory,
        candidate: &mut Candidate,
    ) {
        if candidate.detail == Detail::Sentence {
            let mut sentence = Sentence::of(candidate);
            self.fill(number, attempt, memory, &mut sentence);
            sentence.finish();
        } else {
            self.fill(number, attempt, memory, candidate);
        }
    }
}

/// The tests that somebody draws.
#[derive(Debug)]
pub(crate) struct Filled<S> {
    strategy: S,
    rules: Rules,
}

impl<S: Fill> Filled<S> {
    pub(crate) fn new(strategy: S) -> Self {
        Self { rules: Rules::new(strategy.language().bnf()), strategy }
    }
}

impl<S: Fill> Indexed for Filled<S> {
    fn count(&self) -> u64 {
        self.strategy.count()
    }

    fn proposer(&self) -> Box<dyn Propose + '_> {
        let mut memory = S::Memory::default();
        Box::new(move |number, attempt, candidate: &mut Candidate| {
            self.strategy.fill_candidate(number, attempt, &mut memory, candidate);
            true
        })
    }

    fn repairer(&self) -> Option<&dyn Repair> {
        Some(self)
    }

    fn fast_path(&self, writing: &FastWriting<'_>) -> Option<Box<dyn FastPath + '_>> {
        let runs = self.strategy.runs().filter(|_| self.count() >= MIN_TESTS)?;
        let chains = Chains::new(writing.writer.links(writing.render)?, runs);
        let memory = S::Memory::default();
        Some(Box::new(FastFilled { strategy: &self.strategy, memory, chains, links: Vec::new() }))
    }
}

impl<S: Fill> Repair for Filled<S> {
    fn repair(
        &self,
        number: u64,
        attempt: u32,
        trial: &mut Trial<'_>,
        candidate: &mut Candidate,
    ) -> Repaired {
        let before = candidate.tokens.len();
        match repair::repair((&self.strategy, &self.rules), (number, attempt), trial, candidate) {
            Repaired::Changed if !self.strategy.allows(number, before, candidate.tokens.len()) => {
                Repaired::Failed
            }
            repaired => repaired,
        }
    }
}

/// The least number of tests for which a fast path pays: making its tables takes some milliseconds.
const MIN_TESTS: u64 = 32;

/// Writes the sentences of tests as they grow.
struct FastFilled<'s, S: Fill> {
    strategy: &'s S,
    memory: S::Memory,
    chains: Chains,
    links: Vec<LinkId>,
}

impl<S: Fill> FastPath for FastFilled<'_, S> {
    fn write(&mut self, choice: &Choice<'_>, page: &mut Page) -> Option<FastText> {
        let mut sentence = Linked::new(&self.chains, &mut self.links);
        self.strategy.fill(choice.test, 0, &mut self.memory, &mut sentence);
        let tokens = sentence.token_count();
        Some(FastText { tokens, paged: self.chains.write(&sentence, choice, page)? })
    }
}

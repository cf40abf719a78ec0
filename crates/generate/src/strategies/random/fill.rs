//! What strategies have in common whose tests are drawn without a look at others, and whose parts can be
//! drawn again.

use gramercy_base::Draw;
use gramercy_coverage::Views;
use gramercy_lexis::{Choice, LinkId, Page, Paged, Trial};

use crate::draft::Draft;
use crate::strategies::random::chains::{Chains, Linked};
use crate::strategies::random::mend::{self, Part};
use crate::strategies::random::receivers::{Receiver, Sentence};
use crate::strategies::random::rules::Rules;
use crate::strategies::random::runs::Runs;
use crate::strategy::{Indexed, Maker, Mended, Plain};

/// Draws tests, or the part of them that is wanted.
pub(super) trait Fill: Sync {
    /// What is used again for the next.
    type Memory: Default;

    /// The grammar.
    fn views(&self) -> &Views<'_>;

    /// What everything is drawn from.
    fn seed(&self) -> u64;

    /// How many tests there are.
    fn count(&self) -> u64;

    /// Draws the test of a number.
    fn fill(&self, number: u64, attempt: u32, memory: &mut Self::Memory, into: &mut impl Receiver);

    /// Grows a part of a tree again, in an empty draft.
    fn regrow(&self, part: &Part, draw: &mut Draw, grown: &mut Draft);

    /// Whether a test may have so many tokens that had others before parts of it were grown again.
    fn allows(&self, number: u64, before: usize, after: usize) -> bool {
        let _ = (number, before, after);
        true
    }

    /// The runs of tokens that tests are made of, if they are.
    fn runs(&self) -> Option<&Runs> {
        None
    }

    /// Draws the test of a number into an empty draft.
    fn fill_draft(&self, number: u64, attempt: u32, memory: &mut Self::Memory, draft: &mut Draft) {
        if draft.is_sentence_only {
            let mut sentence = Sentence::of(draft);
            self.fill(number, attempt, memory, &mut sentence);
            sentence.finish();
        } else {
            self.fill(number, attempt, memory, draft);
        }
    }
}

/// The tests that somebody draws.
#[derive(Debug)]
pub(super) struct Filled<S> {
    strategy: S,
    rules: Rules,
}

impl<S: Fill> Filled<S> {
    pub(super) fn new(strategy: S) -> Self {
        Self { rules: Rules::new(strategy.views().bnf), strategy }
    }
}

impl<S: Fill> Indexed for Filled<S> {
    fn count(&self) -> u64 {
        self.strategy.count()
    }

    fn make(&self, number: u64, attempt: u32, draft: &mut Draft) -> bool {
        self.strategy.fill_draft(number, attempt, &mut S::Memory::default(), draft);
        true
    }

    fn can_mend(&self) -> bool {
        true
    }

    fn mend(&self, number: u64, attempt: u32, trial: &mut Trial<'_>, draft: &mut Draft) -> Mended {
        let before = draft.tokens.len();
        match mend::mend((&self.strategy, &self.rules), (number, attempt), trial, draft) {
            Mended::Changed if !self.strategy.allows(number, before, draft.tokens.len()) => {
                Mended::InVain
            }
            mended => mended,
        }
    }

    fn maker(&self, plain: Option<Plain<'_>>) -> Option<Box<dyn Maker + '_>> {
        let plain = plain.filter(|_| self.count() >= MANY);
        let chains =
            plain.zip(self.strategy.runs()).and_then(|(Plain { writer, render }, runs)| {
                let links = writer.links(render)?;
                Some(Chains::new(links, runs))
            });
        let memory = S::Memory::default();
        Some(Box::new(Filling { strategy: &self.strategy, memory, chains, links: Vec::new() }))
    }
}

/// From so many tests on, runs of tokens are made chains of links, which takes some milliseconds.
const MANY: u64 = 32;

/// Draws tests with the same memory.
struct Filling<'s, S: Fill> {
    strategy: &'s S,
    memory: S::Memory,
    chains: Option<Chains>,
    links: Vec<LinkId>,
}

impl<S: Fill> Maker for Filling<'_, S> {
    fn make(&mut self, number: u64, draft: &mut Draft) -> bool {
        self.strategy.fill_draft(number, 0, &mut self.memory, draft);
        true
    }

    fn write(&mut self, choice: &Choice<'_>, page: &mut Page) -> Option<(usize, Paged)> {
        let chains = self.chains.as_ref()?;
        let mut sentence = Linked::new(chains, &mut self.links);
        self.strategy.fill(choice.test, 0, &mut self.memory, &mut sentence);
        Some((sentence.token_count(), chains.write(&sentence, choice, page)?))
    }
}

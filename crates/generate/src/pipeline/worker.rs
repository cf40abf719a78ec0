//! From numbers to written tests: what can be done by many at once.

use gramercy_base::{Fingerprint, Id};
use gramercy_coverage::{Reading, TargetSet};
use gramercy_grammar::{TextKind, Tree};
use gramercy_lexis::{Choice, Writer, Written};
use gramercy_parse::Derivations;
use gramercy_suite::Wants;

use crate::draft::Draft;
use crate::pipeline::Pipeline;
use crate::pipeline::batch::{Batch, Entry};
use crate::pipeline::options::{Merge, Texts};
use crate::pipeline::summary::{Obstacle, Unwritten};
use crate::strategy::{Indexed, Sequential};

/// One of several that make tests, with its own memory.
pub(super) struct Worker<'w> {
    pipeline: &'w Pipeline<'w>,
    wants: Wants,
    writer: Writer<'w>,
    draft: Draft,
    written: Written,
    covered: Vec<TargetSet>,
    is_written: bool,
}

impl<'w> Worker<'w> {
    pub(super) fn new(pipeline: &'w Pipeline<'w>, wants: Wants) -> Self {
        // What is made of tokens alone can always be written.
        let is_certain = pipeline.views.grammar.text_kind() == TextKind::TokensOnly
            && pipeline.options.bounds.bytes.is_none()
            && pipeline.options.bounds.least_bytes.is_none()
            && pipeline.options.merge != Merge::Texts;
        Self {
            pipeline,
            wants,
            writer: pipeline.writer.clone(),
            draft: Draft::default(),
            written: Written::default(),
            covered: vec![TargetSet::new(); pipeline.criteria.len()],
            is_written: pipeline.options.texts == Texts::Wanted || !is_certain,
        }
    }

    /// Makes the test of a number.
    pub(super) fn indexed(&mut self, strategy: &dyn Indexed, number: u64, batch: &mut Batch) {
        batch.numbers += 1;
        self.draft.clear();
        if !strategy.make(number, 0, &mut self.draft) {
            return;
        }
        self.attempts(number, batch, |attempt, draft| strategy.make(number, attempt, draft));
    }

    /// Makes the next test; `false` if there is none.
    pub(super) fn sequential(
        &mut self,
        strategy: &mut dyn Sequential,
        number: u64,
        batch: &mut Batch,
    ) -> bool {
        self.draft.clear();
        if !strategy.next(&mut self.draft) {
            return false;
        }
        batch.numbers += 1;
        self.attempts(number, batch, |attempt, draft| strategy.again(attempt, draft));
        true
    }

    /// Writes the draft, or others in its place.
    fn attempts(
        &mut self,
        number: u64,
        batch: &mut Batch,
        mut again: impl FnMut(u32, &mut Draft) -> bool,
    ) {
        let goal = self.draft.goal;
        let mut attempt = 0;
        loop {
            let obstacle = match self.write(number) {
                Ok(()) => return self.keep(batch),
                Err(obstacle) => obstacle,
            };
            attempt += 1;
            self.draft.clear();
            if attempt > self.pipeline.options.attempts || !again(attempt, &mut self.draft) {
                return batch.unwritten.push(Unwritten { goal, obstacle });
            }
        }
    }

    /// Writes the draft as text that is proven to be read back.
    fn write(&mut self, number: u64) -> Result<(), Obstacle> {
        let bounds = self.pipeline.options.bounds;
        let tokens = self.draft.tokens.len();
        if bounds.tokens.is_some_and(|most| tokens > most) {
            return Err(Obstacle::TooManyTokens(tokens));
        }
        if !self.is_written {
            return Ok(());
        }
        let fixed: Vec<(usize, &str)> =
            self.draft.lexemes.iter().map(|(at, text)| (*at, &**text)).collect();
        let choice = Choice { seed: self.pipeline.options.seed, test: number, fixed: &fixed };
        self.writer
            .write_into(&self.draft.tokens, &choice, &mut self.written)
            .map_err(Obstacle::Unwritable)?;
        let bytes = self.written.text.len();
        if bounds.bytes.is_some_and(|most| bytes > most) {
            return Err(Obstacle::TooManyBytes(bytes));
        }
        if bounds.least_bytes.is_some_and(|least| bytes < least) {
            return Err(Obstacle::TooFewBytes(bytes));
        }
        match self.writer.reads_back(&self.written) {
            true => Ok(()),
            false => Err(Obstacle::NotReadBack),
        }
    }

    fn keep(&mut self, batch: &mut Batch) {
        let (text, tokens) = (batch.texts.len(), batch.tokens.len());
        batch.texts.push_str(&self.written.text);
        batch.placeholders |= self.written.placeholders;
        if self.wants.tokens {
            batch.tokens.extend_from_slice(&self.written.tokens);
        }
        let covers = batch.covers.len();
        if self.wants.covers {
            self.cover(batch);
        }
        batch.tests.push(Entry {
            fingerprint: self.fingerprint(),
            goal: self.draft.goal,
            token_count: self.draft.tokens.len(),
            text: text..batch.texts.len(),
            tokens: tokens..batch.tokens.len(),
            covers: covers..batch.covers.len(),
        });
    }

    fn fingerprint(&self) -> u128 {
        let mut print = Fingerprint::default();
        match self.pipeline.options.merge {
            Merge::Nothing => {}
            Merge::Texts => print.add_text(&self.written.text),
            Merge::Sentences => {
                self.draft.tokens.iter().for_each(|token| print.add(token.index() as u64));
                for (at, text) in &self.draft.lexemes {
                    print.add(*at as u64);
                    print.add_text(text);
                }
            }
        }
        print.finish()
    }

    /// Lists what the draft's tree covers.
    fn cover(&mut self, batch: &mut Batch) {
        let bnf = self.pipeline.views.bnf;
        let tree = Tree::new(bnf, self.draft.productions.clone());
        let derivations = Derivations::of_tree(bnf, &tree);
        let criteria = self.pipeline.criteria.iter().zip(&mut self.covered).enumerate();
        for (at, (named, covered)) in criteria {
            covered.clear();
            named.criterion.cover(&Reading::of(&derivations), covered);
            batch.covers.extend(covered.iter().map(|target| (at, target)));
        }
    }
}

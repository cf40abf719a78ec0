//! From numbers to written tests: what can be done by many at once.
//!
//! Where only texts are wanted, trees are left out, and texts are put on a page where that is possible.
//! What cannot be written so is written in the usual way, which gives the same text or says why there is
//! none.

use std::ops::Range;

use gramercy_base::{Fingerprint, Id};
use gramercy_coverage::{Lexeme, Reading, TargetSet};
use gramercy_grammar::{RuleId, TerminalId, TextKind, Tree};
use gramercy_lexis::Obstacle::NoSeparator;
use gramercy_lexis::{Choice, Page, Unwritable, Writable, Writer, Written};
use gramercy_parse::Derivations;
use gramercy_suite::{Rendering, Wants};

use crate::draft::{Draft, Fixed};
use crate::pipeline::Pipeline;
use crate::pipeline::batch::{Batch, Room};
use crate::pipeline::options::{Merge, Options, Texts};
use crate::pipeline::summary::{Obstacle, Unwritten};
use crate::strategy::{Indexed, Maker, Mended, Plain, Sequential};

/// One of several that make tests, with its own memory.
pub(super) struct Worker<'w> {
    pipeline: &'w Pipeline<'w>,
    wants: Wants,
    writer: Writer<'w>,
    draft: Draft,
    written: Written,
    page: Page,
    /// Where the text is.
    place: Place,
    covered: Vec<TargetSet>,
    is_written: bool,
    recent: Recent,
    /// Whether it is told what tests cover that are merged with others.
    tells_merged: bool,
    maker: Option<Box<dyn Maker + 'w>>,
    /// Whether the last test had to be changed to be written: then the next one will too.
    expects_mending: bool,
    /// How much room the last batch took.
    room: Room,
    /// How the sink writes tests, if they go there without a further look.
    rendering: Option<Rendering>,
}

/// Where a text was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// In the usual way, with its tokens.
    Written,
    /// On the page.
    Page,
    /// By the writer, from the text before it.
    Edited,
}

/// The fingerprints of tests that this worker made lately. A worker's numbers ascend, so whatever equals
/// one of them is committed behind it, and need not be written to be merged.
struct Recent(Vec<u128>);

/// How many are remembered, as a power of two: 128 KiB, which stay near the processor.
const RECENT: usize = 1 << 13;

/// After so many attempts that could not be mended, what others than pools of lexemes can write is tried:
/// once, since it takes long.
const MENDED_FIRST: u32 = 3;

/// Two tokens that cannot be told apart if they are next to each other.
type Inseparable = (TerminalId, TerminalId);

/// Why a draft was not written.
enum Problem {
    /// Nobody can, for all that is known.
    Obstacle(Obstacle),
    /// Pools of lexemes cannot, and more was not tried.
    Pools,
}

impl From<Obstacle> for Problem {
    fn from(obstacle: Obstacle) -> Self {
        Self::Obstacle(obstacle)
    }
}

impl Recent {
    /// Whether a test was made lately.
    fn has(&self, fingerprint: u128) -> bool {
        self.0[Self::place(fingerprint)] == fingerprint
    }

    /// Remembers a test, and forgets another for it.
    fn add(&mut self, fingerprint: u128) {
        self.0[Self::place(fingerprint)] = fingerprint;
    }

    fn place(fingerprint: u128) -> usize {
        fingerprint as usize % RECENT
    }
}

impl<'w> Worker<'w> {
    pub(super) fn new(pipeline: &'w Pipeline<'w>, wants: Wants) -> Self {
        let mut writer = pipeline.writer.clone();
        let is_certain = has_text_for_all(&mut writer)
            && pipeline.options.bounds.bytes.is_none()
            && pipeline.options.bounds.least_bytes.is_none()
            && pipeline.options.merge != Merge::Texts;
        Self {
            pipeline,
            wants,
            writer,
            draft: Draft::default(),
            written: Written::default(),
            page: Page::default(),
            place: Place::Written,
            covered: vec![TargetSet::new(); pipeline.criteria.len()],
            is_written: pipeline.options.texts == Texts::Wanted || !is_certain,
            recent: Recent(vec![0; RECENT]),
            tells_merged: false,
            maker: None,
            expects_mending: false,
            room: Room::default(),
            rendering: None,
        }
    }

    /// One who makes the tests of a strategy.
    pub(super) fn of(
        pipeline: &'w Pipeline<'w>,
        (wants, rendering): (Wants, Option<Rendering>),
        strategy: &'w dyn Indexed,
    ) -> Self {
        let mut worker = Self::new(pipeline, wants);
        worker.draft.is_sentence_only = !wants.covers;
        worker.rendering = rendering.filter(|_| worker.is_plain());
        let is_text_enough = worker.is_plain() && pipeline.options.merge != Merge::Sentences;
        let render = worker.rendering.map(|rendering| rendering.append);
        let plain = Plain { writer: &worker.writer, render };
        worker.maker = strategy.maker(is_text_enough.then_some(plain));
        worker
    }

    /// One who tells what tests cover that are merged with others, if that matters.
    pub(super) fn telling(mut self, all_trees: bool) -> Self {
        self.tells_merged = all_trees;
        self
    }

    /// Whether nothing is wanted of a test but its text.
    fn is_plain(&self) -> bool {
        self.is_written && !self.wants.tokens && !self.wants.covers
    }

    /// Makes the tests of some numbers.
    pub(super) fn chunk(&mut self, strategy: &dyn Indexed, numbers: Range<u64>) -> Batch {
        let mut batch = Batch::like(&self.room);
        numbers.for_each(|number| self.indexed(strategy, number, &mut batch));
        self.room = batch.room();
        batch
    }

    /// Makes the test of a number.
    fn indexed(&mut self, strategy: &dyn Indexed, number: u64, batch: &mut Batch) {
        batch.numbers += 1;
        if self.write_at_once(number, batch) {
            return;
        }
        self.draft.clear();
        let is_made = match &mut self.maker {
            Some(maker) => maker.make(number, &mut self.draft),
            None => strategy.make(number, 0, &mut self.draft),
        };
        if !is_made {
            return;
        }
        let again = |attempt, _, draft: &mut Draft| strategy.make(number, attempt, draft);
        self.attempts(number, batch, strategy.can_mend().then_some(strategy), again);
        // What is mended needs its tree.
        self.draft.is_sentence_only = !self.wants.covers && !self.expects_mending;
    }

    /// Writes the test of a number without a draft, if its maker can do that.
    fn write_at_once(&mut self, number: u64, batch: &mut Batch) -> bool {
        let Some(maker) = self.maker.as_mut().filter(|_| !self.expects_mending) else {
            return false;
        };
        let Options { seed, bounds, merge, .. } = &self.pipeline.options;
        let choice = Choice { seed: *seed, test: number, fixed: &[] };
        let Some((tokens, paged)) = maker.write(&choice, &mut self.page) else { return false };
        if bounds.obstacle(tokens, paged.bytes).is_some() {
            return false;
        }
        batch.placeholders |= paged.placeholders;
        if let Some(rendering) = self.rendering {
            batch.rendered.bytes.extend_from_slice(self.page.bytes());
            batch.rendered.complete(rendering.end, tokens, paged.bytes);
        } else {
            let text = self.page.text();
            batch.add(fingerprint(text, *merge), text, tokens);
        }
        true
    }

    /// Changes the draft until pools of lexemes can write it; `false` if that was not reached.
    fn mend(&mut self, strategy: &dyn Indexed, number: u64, attempt: u32) -> bool {
        if self.draft.is_sentence_only {
            self.draft.is_sentence_only = false;
            self.draft.clear();
            strategy.make(number, attempt, &mut self.draft);
        }
        let choice = Choice { seed: self.pipeline.options.seed, test: number, fixed: &[] };
        let Some(mut trial) = self.writer.trial(&choice) else { return false };
        let mended = strategy.mend(number, attempt, &mut trial, &mut self.draft);
        self.expects_mending = mended != Mended::Needless;
        mended != Mended::InVain
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
        self.attempts(number, batch, None, |attempt, inseparable, draft| {
            if let Some((left, right)) = inseparable {
                strategy.avoid(left, right);
            }
            strategy.again(attempt, draft)
        });
        true
    }

    /// Writes the draft with nothing but its text, if nothing else is wanted and that can be done.
    fn write_text(&mut self, number: u64) -> Option<Place> {
        let Draft { lexemes, hidden, tokens, .. } = &self.draft;
        if !self.is_plain() || !lexemes.is_empty() || !hidden.is_empty() {
            return None;
        }
        let choice = Choice { seed: self.pipeline.options.seed, test: number, fixed: &[] };
        let paged = self.writer.write_page(tokens, &choice, &mut self.page);
        self.written.placeholders = paged.is_some_and(|paged| paged.placeholders);
        match paged {
            Some(_) => Some(Place::Page),
            None => self.writer.edit(tokens).map(|_| Place::Edited),
        }
    }

    fn text(&self) -> &str {
        match self.place {
            Place::Written => &self.written.text,
            Place::Page => self.page.text(),
            Place::Edited => self.writer.edited(),
        }
    }

    /// Writes the draft, or others in its place.
    fn attempts(
        &mut self,
        number: u64,
        batch: &mut Batch,
        mender: Option<&dyn Indexed>,
        mut again: impl FnMut(u32, Option<Inseparable>, &mut Draft) -> bool,
    ) {
        let (mut attempt, mut is_mendable, mut last_obstacle) = (0, mender.is_some(), None);
        loop {
            // A packed test that is made again may begin with another target.
            let goal = self.draft.goal;
            let sentence = self.sentence();
            if let Some(sentence) = sentence.filter(|&sentence| self.recent.has(sentence)) {
                if self.tells_merged {
                    return self.merge(sentence, batch);
                }
                batch.merged += self.draft.known_gain();
                return;
            }
            match (self.write(number, is_mendable), mender) {
                (Ok(()), _) => return self.keep(sentence, batch),
                (Err(Problem::Pools), Some(strategy)) => {
                    is_mendable = false;
                    if self.mend(strategy, number, attempt) {
                        continue;
                    }
                    if attempt == MENDED_FIRST {
                        self.draft.clear();
                        strategy.make(number, attempt, &mut self.draft);
                        continue;
                    }
                }
                (Err(Problem::Pools), None) => unreachable!("invariant: nobody asked for it"),
                (Err(Problem::Obstacle(obstacle)), _) => last_obstacle = Some(obstacle),
            }
            attempt += 1;
            is_mendable = mender.is_some();
            let inseparable =
                last_obstacle.as_ref().and_then(|obstacle| self.inseparable(obstacle));
            self.draft.clear();
            // Whoever is not asked again is still told that it was in vain.
            let is_last = attempt > self.pipeline.options.attempts;
            let asked = if is_last { u32::MAX } else { attempt };
            if !again(asked, inseparable, &mut self.draft) || is_last {
                let obstacle = last_obstacle.unwrap_or(Obstacle::NotReadBack);
                return batch.unwritten.push(Unwritten { goal, obstacle });
            }
        }
    }

    /// The tokens that nothing separates, if that is the obstacle, and neither a text that is wanted there
    /// nor what stands before them.
    fn inseparable(&mut self, obstacle: &Obstacle) -> Option<Inseparable> {
        let Obstacle::Unwritable(Unwritable { token_index, obstacle }) = obstacle else {
            return None;
        };
        let NoSeparator { left, right, .. } = *obstacle else { return None };
        let mut fixed = self.draft.lexemes.iter().map(|&(at, _)| at);
        let is_fixed = fixed.any(|at| at == *token_index || at + 1 == *token_index);
        let (left, right) = (left?, right?);
        let choice = Choice { seed: self.pipeline.options.seed, test: 0, fixed: &[] };
        let is_possible = is_fixed || self.writer.write(&[left, right], &choice).is_ok();
        (!is_possible).then_some((left, right))
    }

    /// Writes the draft as text that is proven to be read back; from pools of lexemes only, if it can be
    /// changed where that fails.
    fn write(&mut self, number: u64, is_mendable: bool) -> Result<(), Problem> {
        let bounds = self.pipeline.options.bounds;
        let tokens = self.draft.tokens.len();
        if let Some(obstacle) = bounds.of_tokens(tokens) {
            return Err(obstacle.into());
        }
        let tokens_texts = self.draft.lexemes.iter().map(|(_, fixed)| fixed);
        if tokens_texts.chain(&self.draft.hidden).any(|fixed| fixed.matched.is_empty()) {
            return Err(Obstacle::NoText.into());
        }
        if !self.is_written {
            return Ok(());
        }
        if is_mendable && self.expects_mending {
            return Err(Problem::Pools);
        }
        if let Some(place) = self.write_text(number) {
            self.place = place;
            let bytes = if place == Place::Page { self.page.len() } else { self.text().len() };
            let obstacle = bounds.obstacle(tokens, bytes);
            return obstacle.map_or(Ok(()), |obstacle| Err(obstacle.into()));
        }
        self.place = Place::Written;
        let fixed: Vec<(usize, &str)> =
            self.draft.lexemes.iter().map(|(at, fixed)| (*at, &*fixed.text)).collect();
        let choice = Choice { seed: self.pipeline.options.seed, test: number, fixed: &fixed };
        if is_mendable && self.is_beyond_pools(&choice) {
            return Err(Problem::Pools);
        }
        self.writer
            .write_into(&self.draft.tokens, &choice, &mut self.written)
            .map_err(Obstacle::Unwritable)?;
        if let Some(obstacle) = bounds.obstacle(tokens, self.written.text.len()) {
            return Err(obstacle.into());
        }
        let hidden = std::mem::take(&mut self.draft.hidden);
        let is_read_back = match &hidden[..] {
            [] => self.writer.reads_back(&self.written),
            hidden => hidden.iter().all(|fixed| self.hide(fixed)),
        };
        match is_read_back && self.are_fixed_matched() {
            true => Ok(()),
            false => Err(Obstacle::NotReadBack.into()),
        }
    }

    /// Whether pools of lexemes cannot write the draft.
    fn is_beyond_pools(&self, choice: &Choice<'_>) -> bool {
        let Some(mut trial) = self.writer.trial(choice) else { return false };
        !(self.draft.tokens.iter().all(|&token| trial.put(token)) && trial.can_end())
    }

    /// Whether the rules match the fixed texts that were to: several may make the same token.
    fn are_fixed_matched(&mut self) -> bool {
        if self.draft.lexemes.is_empty() {
            return true;
        }
        let matches = self.writer.matches(&self.written.text);
        let (fixed, tokens) = (&self.draft.lexemes, &self.written.tokens);
        fixed.iter().all(|(at, fixed)| matches.contains(&fixed.matched_at(tokens[*at].start)))
    }

    /// Puts a text that the parser must not see beside the tokens: at the end, or else before the first
    /// token where its rule matches what it is to match and the tokens are read as before; or else in
    /// front of another hidden text, or for one that its rule matched.
    fn hide(&mut self, hidden: &Fixed) -> bool {
        let starts = self.written.tokens.iter().map(|token| token.start);
        let places: Vec<usize> = std::iter::once(self.written.text.len()).chain(starts).collect();
        if places.into_iter().any(|place| self.hide_at(place..place, hidden)) {
            return true;
        }
        let mut others = self.writer.matches(&self.written.text);
        let tokens = &self.written.tokens;
        let is_beside = |of: &Range<usize>| {
            tokens.iter().all(|token| of.end <= token.start || token.end <= of.start)
        };
        others.retain(|(_, of)| is_beside(of));
        let before = others.iter().map(|(_, of)| of.start..of.start);
        let same = others.iter().filter(|(rule, _)| *rule == hidden.rule);
        let places: Vec<_> = before.chain(same.map(|(_, of)| of.clone())).collect();
        places.into_iter().any(|place| self.hide_at(place, hidden))
    }

    /// Puts a text that the parser must not see in the place of another one, if the tokens are read as
    /// before. A comment may need the end of its line, also one that stands there already.
    fn hide_at(&mut self, place: Range<usize>, hidden: &Fixed) -> bool {
        [("", ""), ("", "\n"), ("\n", "")].into_iter().any(|(before, behind)| {
            let mut trial = self.written.clone();
            trial.is_certain = false;
            let text = [before, &hidden.text, behind].concat();
            trial.text.replace_range(place.clone(), &text);
            let end = place.start + text.len();
            for token in trial.tokens.iter_mut().filter(|token| token.start >= place.end) {
                token.start = token.start - place.end + end;
                token.end = token.end - place.end + end;
            }
            let is_read_back = self.writer.reads_back(&trial)
                && self
                    .writer
                    .matches(&trial.text)
                    .contains(&hidden.matched_at(place.start + before.len()));
            if is_read_back {
                self.written = trial;
            }
            is_read_back
        })
    }

    fn keep(&mut self, sentence: Option<u128>, batch: &mut Batch) {
        if let Some(sentence) = sentence {
            self.recent.add(sentence);
        }
        batch.placeholders |= self.written.placeholders;
        let text = self.text();
        if let Some(Rendering { append, end }) = self.rendering {
            append(text, &mut batch.rendered.bytes);
            return batch.rendered.complete(end, self.draft.tokens.len(), text.len());
        }
        let print = sentence.unwrap_or_else(|| fingerprint(text, self.pipeline.options.merge));
        batch.add(print, text, self.draft.tokens.len());
        if self.wants.tokens {
            batch.tokens.extend_from_slice(&self.written.tokens);
        }
        if self.wants.covers {
            self.cover(batch);
        }
        batch.complete(&self.draft);
    }

    /// Tells what the tree covers of a sentence whose text is known. Its lexemes are known as well.
    fn merge(&mut self, sentence: u128, batch: &mut Batch) {
        self.written.text.clear();
        batch.add(sentence, "", self.draft.tokens.len());
        self.cover(batch);
        batch.complete(&self.draft);
    }

    /// The fingerprint of the sentence, where equal ones are merged.
    fn sentence(&self) -> Option<u128> {
        if self.pipeline.options.merge != Merge::Sentences {
            return None;
        }
        let mut print = Fingerprint::default();
        add_tokens(&self.draft.tokens, &mut print);
        for (at, fixed) in &self.draft.lexemes {
            print.add((fixed.rule.index() as u64) << 32 | *at as u64);
            print.add_text(&fixed.text);
        }
        for fixed in &self.draft.hidden {
            print.add(fixed.rule.index() as u64);
            print.add_text(&fixed.text);
        }
        Some(print.finish())
    }

    /// Lists what the draft's tree covers.
    fn cover(&mut self, batch: &mut Batch) {
        let bnf = self.pipeline.views.bnf;
        let tree = Tree::new(bnf, self.draft.productions.clone());
        let derivations = Derivations::of_tree(bnf, &tree);
        let named = &self.pipeline.criteria;
        let matches = match named.iter().any(|named| named.criterion.reads_lexemes()) {
            true => self.writer.matches(&self.written.text),
            false => Vec::new(),
        };
        let text = &self.written.text;
        let lexeme = |(rule, range): &(RuleId, Range<usize>)| Lexeme {
            rule: *rule,
            text: &text[range.clone()],
            is_last: range.end == text.len(),
        };
        let lexemes: Vec<Lexeme<'_>> = matches.iter().map(lexeme).collect();
        let criteria = named.iter().zip(&mut self.covered).enumerate();
        for (at, (named, covered)) in criteria {
            covered.clear();
            named
                .criterion
                .cover(&Reading { derivations: &derivations, lexemes: &lexemes }, covered);
            batch.covers.extend(covered.iter().map(|target| (at, target)));
        }
    }
}

/// The fingerprint of a text, where equal ones are merged.
fn fingerprint(text: &str, merge: Merge) -> u128 {
    if merge != Merge::Texts {
        return 0;
    }
    let mut print = Fingerprint::default();
    print.add_text(text);
    print.finish()
}

/// Sentences of so many tokens are long.
const LONG: usize = 64;

/// Adds a sentence to a fingerprint; four parts of a long one at a time, since each token of a part waits
/// for the one before it.
fn add_tokens(tokens: &[TerminalId], print: &mut Fingerprint) {
    let word = |[a, b]: &[TerminalId; 2]| (a.index() as u64) << 32 | b.index() as u64;
    let (blocks, rest) = match tokens.len() {
        ..LONG => (&[][..], tokens),
        LONG.. => tokens.as_chunks::<8>(),
    };
    if !blocks.is_empty() {
        let mut parts = [Fingerprint::default(); 4];
        for block in blocks {
            let (pairs, _) = block.as_chunks::<2>();
            parts.iter_mut().zip(pairs).for_each(|(part, pair)| part.add(word(pair)));
        }
        parts.into_iter().for_each(|part| print.add_print(part));
    }
    let (pairs, last) = rest.as_chunks::<2>();
    pairs.iter().for_each(|pair| print.add(word(pair)));
    last.iter().for_each(|token| print.add(u64::MAX << 32 | token.index() as u64));
}

/// Whether every token string has a text: where no lexer decides, if every token has one.
fn has_text_for_all(writer: &mut Writer<'_>) -> bool {
    let grammar = writer.grammar();
    match grammar.text_kind() {
        TextKind::Lexed => false,
        TextKind::TokensOnly => true,
        TextKind::Scannerless => {
            let modes = writer.start_modes();
            let mut terminals = grammar.terminals().ids();
            terminals.all(|token| matches!(writer.can_write(modes, token), Writable::Yes(_)))
        }
    }
}

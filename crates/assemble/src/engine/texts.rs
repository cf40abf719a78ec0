//! The texts of candidates: written, and proven to be read back.
//!
//! There are three ways to a text. A page is put together from pools of lexemes whose pairs were proven
//! beforehand; an edit changes the text before it, where every terminal has one text; and the plain writer does
//! everything else. All three give the same text for the same candidate. A text of the plain writer is proven by
//! reading it back; of pages, which are certain by construction, every 64th is read back all the same.

use std::ops::Range;

use gramercy_derive::candidate::{Candidate, FixedText};
use gramercy_derive::obstacle::{Inseparable, Obstacle};
use gramercy_grammar::{RuleId, TerminalId, TextKind};
use gramercy_lexis::Obstacle::NoSeparator;
use gramercy_lexis::{Choice, Page, Trial, Unwritable, Writable, Writer, Written, WrittenToken};

/// Writes the texts of candidates, with memory that is used again.
pub(super) struct Texts<'w> {
    writer: Writer<'w>,
    written: Written,
    page: Page,
    last: Source,
    seed: u64,
}

/// Where the last text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    Written,
    Page,
    Edit,
}

impl<'w> Texts<'w> {
    pub(super) fn new(writer: Writer<'w>, seed: u64) -> Self {
        let (written, page, last) = (Written::default(), Page::default(), Source::Written);
        Self { writer, written, page, last, seed }
    }

    pub(super) fn writer(&self) -> &Writer<'w> {
        &self.writer
    }

    /// A page for texts that others write.
    pub(super) fn page(&mut self) -> &mut Page {
        self.last = Source::Page;
        &mut self.page
    }

    /// The last text.
    pub(super) fn text(&self) -> &str {
        match self.last {
            Source::Written => &self.written.text,
            Source::Page => self.page.text(),
            Source::Edit => self.writer.edited(),
        }
    }

    /// The length of the last text in bytes.
    pub(super) fn len(&self) -> usize {
        match self.last {
            Source::Page => self.page.len(),
            Source::Written | Source::Edit => self.text().len(),
        }
    }

    /// The last text as it was rendered.
    pub(super) fn rendered(&self) -> &[u8] {
        self.page.bytes()
    }

    /// The tokens of the last text, if they were needed.
    pub(super) fn tokens(&self) -> &[WrittenToken] {
        &self.written.tokens
    }

    /// Whether names stand in for lexemes that nobody knows.
    pub(super) fn has_placeholders(&self) -> bool {
        self.written.placeholders
    }

    /// Forgets the last text.
    pub(super) fn clear(&mut self) {
        self.last = Source::Written;
        self.written.text.clear();
        self.written.tokens.clear();
    }

    /// Tries tokens of a test from left to right, if lexemes come from pools.
    pub(super) fn trial(&self, number: u64) -> Option<Trial<'_>> {
        self.writer.trial(&Choice { seed: self.seed, test: number, fixed: &[] })
    }

    /// Whether pools of lexemes exist and cannot write the tokens of a test.
    pub(super) fn is_beyond_pools(&self, number: u64, tokens: &[TerminalId]) -> bool {
        let Some(mut trial) = self.trial(number) else { return false };
        !(tokens.iter().all(|&token| trial.put(token)) && trial.can_end())
    }

    /// Writes the text of a candidate, with its tokens.
    pub(super) fn write(&mut self, number: u64, candidate: &Candidate) -> Result<(), Obstacle> {
        self.last = Source::Written;
        let fixed: Vec<(usize, &str)> =
            candidate.lexemes.iter().map(|(at, fixed)| (*at, &*fixed.text)).collect();
        let choice = Choice { seed: self.seed, test: number, fixed: &fixed };
        self.writer
            .write_into(&candidate.tokens, &choice, &mut self.written)
            .map_err(Obstacle::Unwritable)
    }

    /// Writes the text alone, if a page or an edit suffices for that. What becomes of an empty sentence is decided
    /// elsewhere, so that it does not depend on what the sink wants.
    pub(super) fn write_quickly(&mut self, number: u64, candidate: &Candidate) -> bool {
        let Candidate { lexemes, hidden, tokens, .. } = candidate;
        if tokens.is_empty() || !lexemes.is_empty() || !hidden.is_empty() {
            return false;
        }
        let choice = Choice { seed: self.seed, test: number, fixed: &[] };
        let paged = self.writer.write_page(tokens, &choice, &mut self.page);
        self.written.placeholders = paged.is_some_and(|paged| paged.placeholders);
        self.last = match paged {
            Some(_) => Source::Page,
            None if self.writer.edit(tokens).is_some() => Source::Edit,
            None => return false,
        };
        true
    }

    /// Puts in what must stand beside the tokens, and proves that the grammar reads the text as the candidate.
    pub(super) fn prove(&mut self, candidate: &Candidate) -> Result<(), Obstacle> {
        if self.last != Source::Written {
            return Ok(());
        }
        let is_read_back = match &candidate.hidden[..] {
            [] => self.writer.reads_back(&self.written),
            hidden => hidden.iter().all(|fixed| self.hide(fixed)),
        };
        match is_read_back && self.are_fixed_matched(candidate) {
            true => Ok(()),
            false => Err(Obstacle::NotReadBack),
        }
    }

    /// What the grammar's lexer matches in the last text.
    pub(super) fn matches(&mut self) -> Vec<(RuleId, Range<usize>)> {
        self.writer.matches(&self.written.text)
    }

    /// Whether the rules match the fixed texts that must: several rules may make the same token.
    fn are_fixed_matched(&mut self, candidate: &Candidate) -> bool {
        if candidate.lexemes.is_empty() {
            return true;
        }
        let matches = self.writer.matches(&self.written.text);
        let tokens = &self.written.tokens;
        let mut fixed = candidate.lexemes.iter();
        fixed.all(|(at, fixed)| matches.contains(&fixed.matched_at(tokens[*at].start)))
    }

    /// The tokens that nothing separates, if that is the obstacle, and neither a fixed text nor what stands before
    /// the tokens is.
    pub(super) fn inseparable(
        &mut self,
        obstacle: &Obstacle,
        candidate: &Candidate,
    ) -> Option<Inseparable> {
        let Obstacle::Unwritable(Unwritable { token_index, obstacle }) = obstacle else {
            return None;
        };
        let NoSeparator { left, right, .. } = *obstacle else { return None };
        let mut fixed = candidate.lexemes.iter().map(|&(at, _)| at);
        let is_fixed = fixed.any(|at| at == *token_index || at + 1 == *token_index);
        let (left, right) = (left?, right?);
        let choice = Choice { seed: self.seed, test: 0, fixed: &[] };
        let is_possible = is_fixed || self.writer.write(&[left, right], &choice).is_ok();
        (!is_possible).then_some((left, right))
    }

    /// Puts a text that the parser must not see beside the tokens: at the end, or else before the first token
    /// where its rule matches what it must and the tokens are read as before; or else in front of another hidden
    /// text, or in place of one that the same rule matched.
    fn hide(&mut self, hidden: &FixedText) -> bool {
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

    /// Puts a text that the parser must not see in place of another one, if the tokens are read as before. A
    /// comment may need the end of its line, also one that stands there already.
    fn hide_at(&mut self, place: Range<usize>, hidden: &FixedText) -> bool {
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
            let expected = hidden.matched_at(place.start + before.len());
            let is_read_back = self.writer.reads_back(&trial)
                && self.writer.matches(&trial.text).contains(&expected);
            if is_read_back {
                self.written = trial;
            }
            is_read_back
        })
    }
}

/// Whether every token string has a text: where no lexer decides, if every token has one.
pub(super) fn has_text_for_all(writer: &mut Writer<'_>) -> bool {
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

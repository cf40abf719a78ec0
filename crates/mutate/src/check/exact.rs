//! The whole changed token string is read.
//!
//! A mutant shares its beginning with the base, so it is read from the place of the change on, and only until the
//! first token that cannot come. Of all tokens at a place, those that cannot come there are known at once from the
//! expected set; only the others are read. Finds every change that leaves the language, and no other.
//!
//! Cost: for each place the expected set, and for each token in it the tokens up to the first error.

use gramercy_base::IdSet;
use gramercy_grammar::TerminalId;
use gramercy_parse::tables::InputId;

use super::Check;
use crate::reader::Reader;
use crate::vocabulary::{Vocabulary, inputs_of};

/// The exact check of token strings.
#[derive(Debug)]
pub struct Exact<'r> {
    vocabulary: Vocabulary,
    reader: Reader<'r>,
    inputs: Vec<InputId>,
    /// The last place and what leaves the language there: by insertion, and by substitution.
    known: Option<(usize, [IdSet<TerminalId>; 2])>,
}

impl<'r> Exact<'r> {
    /// A check that reads with `reader`.
    #[must_use]
    pub fn new(vocabulary: Vocabulary, reader: Reader<'r>) -> Self {
        Self { vocabulary, reader, inputs: Vec::new(), known: None }
    }

    /// What reads.
    pub fn reader(&mut self) -> &mut Reader<'r> {
        &mut self.reader
    }

    /// The first error of a changed base; its length if it ends too early, `None` if it is a sentence.
    pub fn error(
        &mut self,
        place: usize,
        removed: usize,
        inserted: &[TerminalId],
    ) -> Option<usize> {
        let parser = self.reader.parser();
        let inserted = inserted.iter().map(|&token| parser.input_of_token(token));
        self.reader.error_of_edit(place, removed, inserted)
    }

    /// Both sets of a place.
    fn look_at(&mut self, place: usize) -> &[IdSet<TerminalId>; 2] {
        if self.known.as_ref().is_none_or(|(of, _)| *of != place) {
            let sets = self.judge_all(place);
            self.known = Some((place, sets));
        }
        &self.known.as_ref().expect("invariant: it was found").1
    }

    fn judge_all(&mut self, place: usize) -> [IdSet<TerminalId>; 2] {
        let mut possible = self.reader.expected_at(place).0.clone();
        self.vocabulary.expand(&mut possible);
        possible.intersect_with(self.vocabulary.all().words());
        let mut impossible = self.vocabulary.all().clone();
        impossible.subtract(possible.words());
        let mut negative = [impossible.clone(), impossible];
        assert!(self.reader.go_to(place), "invariant: the base is a sentence");
        let here = self.reader.checkpoint();
        for token in possible.iter() {
            self.reader.resume(&here);
            let input = self.reader.parser().input_of_token(token);
            if self.reader.read([input]).is_some() {
                negative.iter_mut().for_each(|set| _ = set.insert(token));
                continue;
            }
            let with = self.reader.checkpoint();
            for (rest, set) in [place, place + 1].into_iter().zip(&mut negative) {
                let Some(rest) = self.inputs.get(rest..) else { continue };
                self.reader.resume(&with);
                let is_stuck = self.reader.read(rest.iter().copied()).is_some();
                if is_stuck || !self.reader.is_sentence() {
                    set.insert(token);
                }
            }
        }
        negative
    }
}

impl Check for Exact<'_> {
    fn begin(&mut self, tokens: &[TerminalId]) {
        inputs_of(self.reader.parser(), tokens, &mut self.inputs);
        self.reader.begin(&self.inputs);
        self.known = None;
    }

    fn insertions(&mut self, place: usize, negative: &mut IdSet<TerminalId>) {
        negative.union_with(self.look_at(place)[0].words());
    }

    fn substitutions(&mut self, place: usize, negative: &mut IdSet<TerminalId>) {
        negative.union_with(self.look_at(place)[1].words());
    }

    fn is_negative(&mut self, place: usize, removed: usize, inserted: &[TerminalId]) -> bool {
        self.error(place, removed, inserted).is_some()
    }
}

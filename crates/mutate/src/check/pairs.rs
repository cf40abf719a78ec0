//! Two tokens become neighbours that are neighbours in no sentence.
//!
//! After Raselimo, Taljaard and Fischer (*Breaking parsers: mutation-based generation of programs with guaranteed
//! syntax errors*, SLE 2019) and the global approximation of Rossouw and Fischer (JSS 2024, section 6.1.2), with the
//! begin ⊢ and the end `$` as tokens and both boundaries of every change checked: the conditions as printed for rules
//! and stacks test one boundary, or lose the markers, and let sentences pass.
//!
//! Let `a` be the token before the change or ⊢, `c` the token after it or `$`, `x` and `y` the first and the last
//! token put in. A change leaves the language if something is put in and `a x` or `y c` are never neighbours, or
//! nothing is put in, something is taken out and `a c` are never neighbours. This is sound for token strings. It says
//! nothing about characters, so it is not used where the grammar has no tokens: in `S: "a" "b" | "ab" "c"` inserting
//! `c` after `a b` gives the sentence `abc`.
//!
//! Cost: a few words of bits for all tokens at a place; the number of mutants of a base is a sum of such counts.

use gramercy_analysis::{Adjacency, First, Follow, Nullable, TerminalOrEnd};
use gramercy_base::{BitMatrix, Id, IdSet};
use gramercy_grammar::TerminalId;
use gramercy_language::Language;

use super::Check;
use crate::vocabulary::Vocabulary;

/// Which tokens can be neighbours.
#[derive(Clone, Debug)]
pub struct Pairs {
    vocabulary: Vocabulary,
    /// For each token or ⊢, what can come right after it.
    after: BitMatrix<TerminalOrEnd, TerminalOrEnd>,
    /// For each token or `$`, what can come right before it.
    before: BitMatrix<TerminalOrEnd, TerminalOrEnd>,
    end: TerminalOrEnd,
    base: Vec<TerminalId>,
    fitting: Vec<u64>,
}

impl Pairs {
    /// The pairs of a language.
    #[must_use]
    pub fn new(language: &Language) -> Self {
        let cfg = language.bnf().cfg();
        let (useful, productive) = (language.useful(), language.productive());
        let nullable = Nullable::of(cfg);
        let first = First::of(cfg, productive, &nullable);
        let follow = Follow::of(cfg, useful, &nullable, &first);
        let adjacency = Adjacency::of(cfg, useful, &nullable, &first, &follow);
        let vocabulary = Vocabulary::new(language);
        let (count, end) = (TerminalOrEnd::count(cfg), TerminalOrEnd::end(cfg));
        let mut pairs = Self {
            vocabulary,
            after: BitMatrix::new(count, count),
            before: BitMatrix::new(count, count),
            end,
            base: Vec::new(),
            fitting: Vec::new(),
        };
        pairs.fill(&adjacency);
        pairs
    }

    /// Terminals that stand for several tokens are taken apart.
    fn fill(&mut self, adjacency: &Adjacency) {
        let tokens: Vec<TerminalId> = self.vocabulary.all().iter().collect();
        let every = || tokens.iter().map(|&token| token.into()).chain([self.end]);
        let are = |letter: TerminalOrEnd| -> Vec<TerminalOrEnd> {
            match letter == self.end {
                true => vec![letter],
                false => {
                    let token = TerminalId::from_index(letter.index());
                    self.vocabulary.terminals_of(token).map(TerminalOrEnd::from).collect()
                }
            }
        };
        let mut found = Vec::new();
        for a in every() {
            let firsts = are(a);
            for b in every() {
                let lasts = are(b);
                let mut pairs = firsts.iter().flat_map(|&a| lasts.iter().map(move |&b| (a, b)));
                if pairs.any(|(a, b)| adjacency.contains(a, b)) {
                    found.push((a, b));
                }
            }
        }
        for (a, b) in found {
            self.after.insert(a, b);
            self.before.insert(b, a);
        }
    }

    /// The token before a place, or ⊢.
    fn left(&self, place: usize) -> TerminalOrEnd {
        place.checked_sub(1).map_or(self.end, |at| self.base[at].into())
    }

    /// The token at a place, or `$`.
    fn right(&self, place: usize) -> TerminalOrEnd {
        self.base.get(place).map_or(self.end, |&token| token.into())
    }

    /// The tokens that cannot stand between two others.
    fn misfits(
        &mut self,
        left: TerminalOrEnd,
        right: TerminalOrEnd,
        negative: &mut IdSet<TerminalId>,
    ) {
        let fitting = self.after.row(left).iter().zip(self.before.row(right));
        self.fitting.clear();
        self.fitting.extend(fitting.map(|(after, before)| after & before));
        negative.union_with(self.vocabulary.all().words());
        // The marker may have a word of its own.
        negative.subtract(&self.fitting[..negative.words().len()]);
    }
}

impl Check for Pairs {
    fn begin(&mut self, tokens: &[TerminalId]) {
        self.base.clear();
        self.base.extend_from_slice(tokens);
    }

    fn insertions(&mut self, place: usize, negative: &mut IdSet<TerminalId>) {
        self.misfits(self.left(place), self.right(place), negative);
    }

    fn substitutions(&mut self, place: usize, negative: &mut IdSet<TerminalId>) {
        self.misfits(self.left(place), self.right(place + 1), negative);
        negative.remove(self.base[place]);
    }

    fn is_negative(&mut self, place: usize, removed: usize, inserted: &[TerminalId]) -> bool {
        let (left, right) = (self.left(place), self.right(place + removed));
        match (inserted.first(), inserted.last()) {
            (Some(&first), Some(&last)) => {
                !self.after.contains(left, first.into()) || !self.after.contains(last.into(), right)
            }
            _ => removed > 0 && !self.after.contains(left, right),
        }
    }
}

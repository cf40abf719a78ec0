//! Which changes of a sentence leave the language: three checks, each finding more than the one before.
//!
//! A check looks at one sentence, the *base*, at a time. For a place it gives all tokens at once whose insertion or
//! substitution leaves the language, so that counting mutants needs no list of them. All checks are sound: what
//! they find is outside the language of the grammar's token strings.
//!
//! Example: `S: a b c | d a c`, the base `d a c`, inserting `b` before `c`. [`pairs`] sees that `a b` and `b c` can
//! be neighbours, and does not find it. [`prefix`] sees that after `d a` only `c` can come, and finds it.

pub mod exact;
pub mod pairs;
pub mod prefix;

use gramercy_base::IdSet;
use gramercy_base::named::{Choice, Named, choice};
use gramercy_grammar::TerminalId;

use crate::vocabulary::Vocabulary;

/// A check, by its name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CheckName {
    /// Neighbours only.
    Pairs,
    /// Everything before the change, and the first token after it.
    Prefix,
    /// The whole text.
    #[default]
    Exact,
}

impl Named for CheckName {
    const CHOICES: &'static [Choice<Self>] = &[
        choice(Self::Pairs, "pairs", "two tokens become neighbours that never are"),
        choice(Self::Prefix, "prefix", "no sentence goes on like this after the same beginning"),
        choice(Self::Exact, "exact", "the whole text is not in the language"),
    ];
}

/// Which changes of a base leave the language.
pub trait Check {
    /// Looks at another base, which must be a sentence.
    fn begin(&mut self, tokens: &[TerminalId]);

    /// Puts all tokens into an empty set whose insertion before a place is found to leave the language. The place
    /// after the last token is its number.
    fn insertions(&mut self, place: usize, negative: &mut IdSet<TerminalId>);

    /// Puts all tokens into an empty set whose substitution for the token at a place is found to leave the language.
    fn substitutions(&mut self, place: usize, negative: &mut IdSet<TerminalId>);

    /// Whether replacing `removed` tokens from a place on is found to leave the language.
    fn is_negative(&mut self, place: usize, removed: usize, inserted: &[TerminalId]) -> bool;
}

/// Takes every change for one that leaves the language: where only reading the text can tell.
#[derive(Clone, Debug)]
pub struct Anything {
    vocabulary: Vocabulary,
    base: Vec<TerminalId>,
}

impl Anything {
    /// For the tokens of a vocabulary.
    #[must_use]
    pub fn new(vocabulary: Vocabulary) -> Self {
        Self { vocabulary, base: Vec::new() }
    }
}

impl Check for Anything {
    fn begin(&mut self, tokens: &[TerminalId]) {
        self.base.clear();
        self.base.extend_from_slice(tokens);
    }

    fn insertions(&mut self, _: usize, negative: &mut IdSet<TerminalId>) {
        negative.union_with(self.vocabulary.all().words());
    }

    fn substitutions(&mut self, place: usize, negative: &mut IdSet<TerminalId>) {
        negative.union_with(self.vocabulary.all().words());
        negative.remove(self.base[place]);
    }

    fn is_negative(&mut self, _: usize, removed: usize, inserted: &[TerminalId]) -> bool {
        removed > 0 || !inserted.is_empty()
    }
}

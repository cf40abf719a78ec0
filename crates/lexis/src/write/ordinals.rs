//! Which occurrence of its terminal each token is, so that lexemes can take turns.

use gramercy_base::Table;
use gramercy_grammar::{Grammar, TerminalId};

use super::Choice;

/// The occurrences in one token string, in memory that is used again.
#[derive(Clone, Debug)]
pub(super) struct Ordinals {
    counts: Table<TerminalId, u64>,
    numbers: Vec<u64>,
}

impl Ordinals {
    pub(super) fn new(grammar: &Grammar) -> Self {
        Self { counts: Table::filled(0, grammar.terminals().len()), numbers: Vec::new() }
    }

    /// Numbers the occurrences in a token string.
    pub(super) fn count(&mut self, tokens: &[TerminalId]) {
        self.numbers.clear();
        for &token in tokens {
            self.numbers.push(self.counts[token]);
            self.counts[token] += 1;
        }
        tokens.iter().for_each(|&token| self.counts[token] = 0);
    }

    /// Whose turn it is, of `len` that take turns from test to test and from occurrence to occurrence;
    /// 0 if there are none.
    #[inline]
    pub(super) fn turn(&self, index: usize, choice: &Choice<'_>, len: usize) -> usize {
        let turn = choice.seed.wrapping_add(choice.test).wrapping_add(self.numbers[index]);
        usize::try_from(turn % len.max(1) as u64).expect("invariant: below a length")
    }
}

//! Which terminal can directly follow which in a sentence, including the begin ⊢ and the end `$`
//! (Rossouw, Fischer, JSS 2024, section 6, with both markers added).
//!
//! What follows a terminal is computed like Follow of a nonterminal: for each occurrence, first of
//! the rest of the production and, if that rest is nullable, Follow of the left-hand side. The
//! result is exact for sentences over terminals; it says nothing about characters. Linear in the
//! grammar times the words of a set of terminals.
//!
//! Example: `S: a S b | ;` has the pairs ⊢a, ⊢$, aa, ab, bb, b$.

use gramercy_base::{BitMatrix, Id, bits};
use gramercy_grammar::{Cfg, Symbol};

use crate::alphabet::TerminalOrEnd;
use crate::sides::Beside;
use crate::{First, Follow, Nullable, Useful};

/// For each terminal and the begin ⊢, the terminals that can follow directly, and the end `$`.
#[derive(Clone, Debug)]
pub struct Adjacency {
    next: BitMatrix<TerminalOrEnd, TerminalOrEnd>,
    begin: TerminalOrEnd,
}

impl Adjacency {
    /// The adjacent pairs of a grammar.
    #[must_use]
    pub fn of(
        cfg: &Cfg,
        useful: &Useful,
        nullable: &Nullable,
        first: &First,
        follow: &Follow,
    ) -> Self {
        let (count, begin) = (TerminalOrEnd::count(cfg), TerminalOrEnd::end(cfg));
        let mut next = BitMatrix::new(count, count);
        for production in useful.productions().iter() {
            let after = follow.sets().row(cfg.lhs(production));
            let mut beside = Beside::new(cfg, nullable, first.sets());
            for &symbol in cfg.rhs(production).iter().rev() {
                if let Symbol::Terminal(terminal) = symbol {
                    next.union_row(terminal.into(), beside.terminals.words());
                    if beside.at_end {
                        next.union_row(terminal.into(), after);
                    }
                }
                beside.extend(symbol);
            }
        }
        if !useful.is_empty() {
            next.union_row(begin, first.sets().row(cfg.start()));
            if nullable.contains(cfg.start()) {
                next.insert(begin, TerminalOrEnd::end(cfg));
            }
        }
        Self { next, begin }
    }

    /// Whether `b` can directly follow `a`. The end means the begin ⊢ as `a` and the end `$` as
    /// `b`.
    #[must_use]
    pub fn contains(&self, a: TerminalOrEnd, b: TerminalOrEnd) -> bool {
        self.next.contains(a, b)
    }

    /// The bits of everything that can directly follow `a`.
    #[must_use]
    pub fn after(&self, a: TerminalOrEnd) -> &[u64] {
        self.next.row(a)
    }

    /// All pairs, ascending.
    pub fn pairs(&self) -> impl Iterator<Item = (TerminalOrEnd, TerminalOrEnd)> + '_ {
        self.rows().flat_map(|a| bits::ones(self.after(a)).map(move |b| (a, b)))
    }

    /// The number of pairs, those with ⊢ and `$` included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows().map(|a| self.next.row_len(a)).sum()
    }

    /// Whether there is no pair, because the grammar has no sentence.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn rows(&self) -> impl Iterator<Item = TerminalOrEnd> + use<> {
        (0..=self.begin.index()).map(TerminalOrEnd::from_index)
    }
}

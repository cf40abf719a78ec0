//! Which terminal can stand right behind which in a sentence, begin ⊢ and end `$` included (paper
//! 003 §6 as FACTS §5 corrects it).
//!
//! What follows a terminal is found as what follows a nonterminal: at each occurrence it is first
//! in the rest of the production, and where that rest is nullable, what follows the left-hand side.
//! Exact for sentences over terminals; it says nothing about characters. Linear in the grammar,
//! times the words of a set of terminals.

use gramercy_base::{BitMatrix, Id, bits};
use gramercy_grammar::{Cfg, Symbol};

use crate::alphabet::TerminalOrEnd;
use crate::sides::Beside;
use crate::{First, Follow, Nullable, Useful};

/// For each terminal and the begin ⊢, the terminals that can come next, and the end `$`.
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

    /// Whether `b` can come right after `a`; as `a` the end means the begin ⊢, as `b` the end `$`.
    #[must_use]
    pub fn contains(&self, a: TerminalOrEnd, b: TerminalOrEnd) -> bool {
        self.next.contains(a, b)
    }

    /// The bits of what can come right after `a`.
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

    /// Whether there is no pair: the grammar has no sentence.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn rows(&self) -> impl Iterator<Item = TerminalOrEnd> + use<> {
        (0..=self.begin.index()).map(TerminalOrEnd::from_index)
    }
}

//! The common algorithm of first and last, and of follow and precede, which are mirror images.
//!
//! The *outermost* terminals of A on a side: each production contributes its symbols from that side
//! up to the first one that is not nullable. Its terminals count directly; its nonterminals are
//! edges along which sets [`spread`]. The *neighbors* of A on a side: the neighbors of an
//! occurrence are the outermost terminals of the rest of its production and, if that rest is
//! nullable, the neighbors of the left-hand side. Each right-hand side is read once, together with
//! the outermost terminals of the part that is already read. Linear in the grammar times the words
//! of a set of terminals.
//!
//! Example: in `S: A b; A: a | ;`, first(A) = {a} and first(S) = {a, b}, because A is nullable;
//! follow(A) = {b} and follow(S) = {$}.

use gramercy_base::IdSet;
use gramercy_grammar::{Cfg, NonterminalId, Symbol};

use crate::alphabet::{TerminalOrEnd, TerminalSets, empty_sets};
use crate::components::spread;
use crate::{Nullable, Productive, Rows, Useful};

/// A side of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

impl Side {
    /// The symbols from this side inwards.
    fn inwards(self, rhs: &[Symbol]) -> impl Iterator<Item = Symbol> + '_ {
        let len = rhs.len();
        (0..len).map(move |at| match self {
            Side::Left => rhs[at],
            Side::Right => rhs[len - 1 - at],
        })
    }
}

/// For each nonterminal, the terminals that can be at this side of a string that it derives.
pub(crate) fn outermost(
    cfg: &Cfg,
    productive: &Productive,
    nullable: &Nullable,
    side: Side,
) -> TerminalSets {
    let mut sets = empty_sets(cfg);
    let mut edges: Vec<(NonterminalId, NonterminalId)> = Vec::new();
    for production in productive.productions().iter() {
        let lhs = cfg.lhs(production);
        for symbol in side.inwards(cfg.rhs(production)) {
            match symbol {
                Symbol::Terminal(terminal) => {
                    sets.insert(lhs, terminal.into());
                }
                Symbol::Nonterminal(inner) => edges.push((lhs, inner)),
            }
            if !nullable.symbol(symbol) {
                break;
            }
        }
    }
    spread(&Rows::group(cfg.nonterminal_count(), &edges), &mut sets);
    sets
}

/// For each nonterminal, its neighbors on this side, including the marker. `opposite` are the
/// outermost sets of the other side.
pub(crate) fn neighbors(
    cfg: &Cfg,
    useful: &Useful,
    nullable: &Nullable,
    opposite: &TerminalSets,
    side: Side,
) -> TerminalSets {
    let mut sets = empty_sets(cfg);
    if !useful.is_empty() {
        sets.insert(cfg.start(), TerminalOrEnd::end(cfg));
    }
    let mut edges: Vec<(NonterminalId, NonterminalId)> = Vec::new();
    for production in useful.productions().iter() {
        let mut beside = Beside::new(cfg, nullable, opposite);
        for symbol in side.inwards(cfg.rhs(production)) {
            if let Symbol::Nonterminal(nonterminal) = symbol {
                sets.union_row(nonterminal, beside.terminals.words());
                if beside.at_end {
                    edges.push((nonterminal, cfg.lhs(production)));
                }
            }
            beside.extend(symbol);
        }
    }
    spread(&Rows::group(cfg.nonterminal_count(), &edges), &mut sets);
    sets
}

/// The neighbors of the next symbol of a right-hand side that is read from one side.
pub struct Beside<'a> {
    nullable: &'a Nullable,
    outermost: &'a TerminalSets,
    /// The terminals within the right-hand side that can be next to it.
    pub terminals: IdSet<TerminalOrEnd>,
    /// Whether the neighbors of the left-hand side can be next to it.
    pub at_end: bool,
}

impl<'a> Beside<'a> {
    /// The neighbors of the outermost symbol. When reading from the right, `outermost` are the
    /// first sets; when reading from the left, the last sets.
    #[must_use]
    pub fn new(cfg: &Cfg, nullable: &'a Nullable, outermost: &'a TerminalSets) -> Self {
        let terminals = IdSet::new(TerminalOrEnd::count(cfg));
        Self { nullable, outermost, terminals, at_end: true }
    }

    /// Continues with the other side of `symbol`.
    pub fn extend(&mut self, symbol: Symbol) {
        if !self.nullable.symbol(symbol) {
            self.terminals.clear();
            self.at_end = false;
        }
        match symbol {
            Symbol::Terminal(terminal) => {
                self.terminals.insert(terminal.into());
            }
            Symbol::Nonterminal(nonterminal) => {
                self.terminals.union_with(self.outermost.row(nonterminal));
            }
        }
    }
}
